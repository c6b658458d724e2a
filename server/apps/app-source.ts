import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { createRedactor } from "../security/redact.ts";
import { CHECK_TIMEOUT_MS, type TriggerSource } from "../triggers/source.ts";
import type { TriggerRecord } from "../triggers/trigger.sql.ts";
import type { AppClient } from "./app-client.ts";
import { inputFieldsOf, readInput } from "./app-input.ts";
import type { AppCatalogue } from "./catalogue.ts";
import { newestItem, pollItems, type PollingPosition } from "./polling.ts";
import { requireTrigger } from "./trigger-check.ts";

export interface AppSourceDeps {
  catalogue: Pick<AppCatalogue, "find">;
  client: AppClient;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

/** `source` names what was read: with other settings, the next check begins like the first. */
interface StoredPosition extends PollingPosition {
  source: string;
}

/** Reads the triggers of apps: asks for new items. */
export function createAppSource({ catalogue, client, useConnection }: AppSourceDeps): TriggerSource<"app"> {
  async function open({ ownerId, settings, id }: TriggerRecord<"app">, signal: AbortSignal) {
    const found = requireTrigger(await catalogue.find(ownerId, settings.app), settings);
    const use = await useConnection(ownerId, settings.connection);
    const call = { ownerId, taskId: "", idempotencyKey: id, answeredFailures: 0, signal };
    return {
      ...found,
      session: client.open({ app: found.app, use, call, timeoutMs: CHECK_TIMEOUT_MS }),
      input: readInput(inputFieldsOf(found.trigger), settings.input as JsonValue),
      redactor: createRedactor(use.secrets()),
    };
  }

  return {
    async check(record, { signal, knownKeys }) {
      const { trigger, session, input, redactor } = await open(record, signal);
      if (!("polling" in trigger)) return { items: [], position: record.position ?? "", hasMore: false };
      const source = sourceKey(record.settings);
      const before = readPosition(record.position, source);
      const isSilent = before === undefined && record.settings.startWith === "new";
      const { items, position, hasMore } = await pollItems(client, {
        polling: trigger.polling,
        session,
        input,
        before,
        isSilent,
        knownKeys,
      });
      return { items: redactor.value(items), position: JSON.stringify({ source, ...position }), hasMore };
    },

    async sample(record, signal) {
      const { trigger, session, input, redactor } = await open(record, signal);
      if ("polling" in trigger)
        return redactor.value(await newestItem(client, { polling: trigger.polling, session, input }));
      const sample = isRecord(trigger.sample) ? trigger.sample : { item: trigger.sample };
      return { key: "sample", title: trigger.title, input: sample as Record<string, JsonValue> };
    },
  };
}

function sourceKey({ app, trigger, input }: TriggerRecord<"app">["settings"]): string {
  return JSON.stringify([app, trigger, input]);
}

function readPosition(position: string | null, source: string): PollingPosition | undefined {
  if (position === null || position === "") return undefined;
  const stored = JSON.parse(position) as StoredPosition;
  return stored.source === source ? stored : undefined;
}
