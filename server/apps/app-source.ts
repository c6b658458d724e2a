import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import type { LargeHold, LargeValues } from "../engine/run/large-values.ts";
import { triggerContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { createSecret } from "../security/api-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { AppWebhook } from "../../apps/define-app.ts";
import { createRedactor } from "../security/redact.ts";
import { CHECK_TIMEOUT_MS, type CheckResult, type TriggerSource } from "../triggers/source.ts";
import type { TriggerRecord } from "../triggers/trigger.sql.ts";
import type { AppCall, AppClient } from "./app-client.ts";
import { inputFieldsOf, readInput } from "./app-input.ts";
import type { AppCatalogue } from "./catalogue.ts";
import { newestItem, pollItems, type PollingPosition } from "./polling.ts";
import {
  endLeftOvers,
  readSubscription,
  reconcile,
  type Subscriber,
  type Subscription,
  unsubscribe,
} from "./subscriptions.ts";
import { requireTrigger } from "./trigger-check.ts";

export interface AppSourceDeps {
  catalogue: Pick<AppCatalogue, "find">;
  client: AppClient;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
  box: Pick<SecretBox, "seal" | "open">;
  clock: Pick<Clock, "now">;
  /** Few answers over a megabyte are in memory at once. */
  largeValues: Pick<LargeValues, "hold">;
  /** Where vendors reach this service; undefined when the operator has not set it. */
  publicUrl: string | undefined;
}

const UNREACHABLE = new Set<string>([
  "connection_not_found",
  "app_not_found",
  "trigger_not_found",
  "invalid_request",
  "forbidden",
]);

/** The secret with which the vendor signs; undefined before the first check. */
export function openTriggerSecret(box: Pick<SecretBox, "open">, record: TriggerRecord): string | undefined {
  if (record.secrets === null) return undefined;
  return (JSON.parse(box.open(record.secrets, triggerContext(record))) as { secret: string }).secret;
}

function deliveryUrl(publicUrl: string | undefined, id: string): string {
  if (publicUrl === undefined)
    throw new AppError(
      "invalid_request",
      "The vendor cannot reach this service. Set PUBLIC_URL to its public address.",
    );
  return `${publicUrl}/webhook/t/${id}`;
}

/** `source` names what was read: with other settings, the next check begins like the first. */
interface StoredPosition extends PollingPosition {
  source: string;
}

/** Reads the triggers of apps: asks for new items, or keeps the subscription by which the vendor sends them. */
export function createAppSource({
  catalogue,
  client,
  useConnection,
  box,
  clock,
  largeValues,
  publicUrl,
}: AppSourceDeps): TriggerSource<"app"> {
  /** The slot of a large answer is kept until its items are mapped. */
  async function withHold<T>(ownerId: string, work: (hold: LargeHold) => Promise<T>): Promise<T> {
    const hold = largeValues.hold(ownerId);
    try {
      return await work(hold);
    } finally {
      hold.release();
    }
  }

  async function open(
    { ownerId, settings, id }: TriggerRecord<"app">,
    signal: AbortSignal,
    hold?: LargeHold,
  ) {
    const found = requireTrigger(await catalogue.find(ownerId, settings.app), settings);
    const use = await useConnection(ownerId, settings.connection);
    const call: AppCall = { ownerId, taskId: "", idempotencyKey: id, answeredFailures: 0, stop: signal };
    if (hold !== undefined) call.holdLargeValue = (given) => hold.take(given);
    return {
      ...found,
      session: client.open({ app: found.app, use, call, timeoutMs: CHECK_TIMEOUT_MS }),
      input: readInput(inputFieldsOf(found.trigger), settings.input as JsonValue),
      redactor: createRedactor(use.secrets()),
    };
  }

  /** Opens the connection and the input that a subscription was made with. */
  async function openOld(
    record: TriggerRecord<"app">,
    { connection, input }: Subscription,
    signal: AbortSignal,
  ) {
    const opened = await open({ ...record, settings: { ...record.settings, connection, input } }, signal);
    if (!("webhook" in opened.trigger)) throw notFound("trigger");
    return { webhook: opened.trigger.webhook, session: opened.session, input: opened.input };
  }

  function keepSubscription(
    record: TriggerRecord<"app">,
    webhook: AppWebhook,
    { session, input }: Pick<Subscriber, "session" | "input">,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const { settings } = record;
    return reconcile(
      client,
      { webhook, session, input, url: deliveryUrl(publicUrl, record.id), connection: settings.connection },
      {
        position: readSubscription(record.position),
        secret: openTriggerSecret(box, record) ?? null,
        now: clock.now(),
        createSecret,
        seal: (secret) => box.seal(JSON.stringify({ secret }), triggerContext(record)),
        openOld: (old) => openOld(record, old, signal),
      },
    );
  }

  return {
    async release(record, signal) {
      const position = readSubscription(record.position);
      if (position === undefined || !("subscription" in position)) return;
      try {
        const { subscription } = position;
        if (subscription !== null) {
          await unsubscribe(client, await openOld(record, subscription, signal), subscription.id);
          return;
        }
        const { settings } = record;
        const opened = await openOld(
          record,
          { id: "", expiresAt: null, ...settings } as unknown as Subscription,
          signal,
        );
        await endLeftOvers(client, {
          ...opened,
          url: deliveryUrl(publicUrl, record.id),
          connection: settings.connection,
        });
      } catch (error) {
        // Without its connection or app nobody can end it.
        if (!(error instanceof AppError) || !UNREACHABLE.has(error.code)) throw error;
      }
    },

    check: (record, { signal, knownKeys }) =>
      withHold(record.ownerId, async (hold) => {
        const { trigger, session, input, redactor } = await open(record, signal, hold);
        if ("webhook" in trigger)
          return keepSubscription(record, trigger.webhook, { session, input }, signal);
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
        return {
          items: await redactor.valueInTurns(items),
          position: JSON.stringify({ source, ...position }),
          hasMore,
        };
      }),

    sample: (record, signal) =>
      withHold(record.ownerId, async (hold) => {
        const { trigger, session, input, redactor } = await open(record, signal, hold);
        if ("polling" in trigger)
          return redactor.valueInTurns(
            await newestItem(client, { polling: trigger.polling, session, input }),
          );
        const sample = isRecord(trigger.sample) ? trigger.sample : { item: trigger.sample };
        return { key: "sample", title: trigger.title, input: sample as Record<string, JsonValue> };
      }),
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
