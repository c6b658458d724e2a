import type { Clock } from "../lib/clock.ts";
import { createUseRecorder } from "../lib/use-recorder.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { ConnectionRecord, ConnectionStore } from "./connection.sql.ts";
import {
  authorizationRequired,
  type ConnectionUse,
  createConnectionUse,
  type UsedConnection,
  type UseOutcomes,
} from "./connection-use.ts";
import { staticCredential } from "./credentials.ts";
import type { OauthTokens } from "./oauth-tokens.ts";
import { openJson } from "./sealed-json.ts";

/** The last use is shown to the hour, so it is written about once an hour. */
const USED_MS = 3_600_000;

export interface ConnectionUsesDeps {
  store: ConnectionStore;
  box: SecretBox;
  clock: Clock;
  tokens: Pick<OauthTokens, "credentialOf">;
  /** It works again: steps that wait for it try again. */
  onRepaired(record: ConnectionRecord): void;
  onError(error: unknown): void;
}

export type ConnectionUses = ReturnType<typeof createConnectionUses>;

/** Opens stored connections for steps, triggers and agents: one read by id, nothing else. */
export function createConnectionUses({ store, box, clock, tokens, onRepaired, onError }: ConnectionUsesDeps) {
  const recorder = createUseRecorder({ write: store.saveUses, clock, onError });

  const outcomes: UseOutcomes = {
    async failed(record, message) {
      const { id, ownerId } = record;
      // The use may have renewed the tokens since it read the record.
      const current = await store.find(id, ownerId);
      if (current === undefined || current.status === "authorization_needed") return;
      const { tokensVersion } = current;
      const state = { status: "failing" as const, problem: message, isTest: false, at: clock.now() };
      await store.saveState({ ...record, tokensVersion }, state);
    },
    async succeeded(record) {
      if (record.status === "connected") return;
      await store.saveState(record, { status: "connected", problem: null, isTest: false, at: clock.now() });
      if (record.status !== "untested") onRepaired(record);
    },
  };

  function open(record: UsedConnection): ConnectionUse {
    if (record.status === "authorization_needed" && record.tokens === null)
      throw authorizationRequired(record, `"${record.name}" is not authorized`);
    const credential =
      record.kind === "oauth2"
        ? tokens.credentialOf(record)
        : staticCredential(record, openJson(box, record, "secrets", record.secrets));
    return createConnectionUse(record, credential, outcomes);
  }

  return {
    open,

    /** Throws `connection_not_found` or `forbidden`. */
    async use(ownerId: string, id: string): Promise<ConnectionUse> {
      const record = await store.get(id, ownerId);
      if ((record.lastUsedAt ?? 0) + USED_MS < clock.now()) recorder.record(id);
      return open(record);
    },

    close: recorder.close,
  };
}
