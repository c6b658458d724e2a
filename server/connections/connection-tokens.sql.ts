import type { Db, Statement } from "../storage/db.ts";
import { RUN_EVENT_CHANNEL } from "../storage/engine/run-events.ts";
import {
  COLUMNS,
  connectionFailure,
  type ConnectionRecord,
  type StatedConnection,
  toConnectionRecord,
} from "./connection.sql.ts";

type Version = Pick<ConnectionRecord, "id" | "tokensVersion">;

export type ConnectionTokenStore = ReturnType<typeof createConnectionTokenStore>;

/** The OAuth tokens of connections. Every write names the version it replaces: a slow writer never replaces newer tokens. */
export function createConnectionTokenStore(db: Db) {
  async function change(
    sql: string,
    params: Record<string, string | number | null>,
    ...before: Statement[]
  ): Promise<boolean> {
    const results = await db.batch([...before, { sql: `${sql} returning id`, params }]);
    return results.at(-1)?.length === 1;
  }

  return {
    /** False when the tokens have changed since they were read. */
    saveTokens(
      { id, tokensVersion }: Version,
      given: { tokens: string; expiresAt: number | null; account: string | undefined },
    ): Promise<boolean> {
      const { account, ...rest } = given;
      return change(
        `update connection set tokens = $tokens, expires_at = $expiresAt, tokens_version = tokens_version + 1,
           refresh_until = 0, status = 'connected', problem = null, problem_at = null
           ${account === undefined ? "" : ", account = $account"}
         where id = $id and tokens_version = $tokensVersion`,
        { id, tokensVersion, ...rest, ...(account !== undefined && { account }) },
      );
    },

    /** The authorization server refused them. */
    async dropTokens(
      connection: Omit<StatedConnection, "updatedAt">,
      given: { problem: string; status: ConnectionRecord["status"]; at: number },
    ): Promise<boolean> {
      const { id, tokensVersion } = connection;
      const isDropped = await change(
        `update connection set tokens = null, expires_at = null, tokens_version = tokens_version + 1, refresh_until = 0,
           status = $status, problem = $problem, problem_at = $at
         where id = $id and tokens_version = $tokensVersion`,
        { id, tokensVersion, ...given },
        connectionFailure(connection, given),
      );
      db.notify(RUN_EVENT_CHANNEL, "");
      return isDropped;
    },

    /** True for one process until the lease ends: a refresh token can often be used only once. */
    claimRefresh({ id, tokensVersion }: Version, { now, until }: { now: number; until: number }) {
      return change(
        `update connection set refresh_until = $until
         where id = $id and tokens_version = $tokensVersion and refresh_until <= $now`,
        { id, tokensVersion, now, until },
      );
    },

    releaseRefresh({ id, tokensVersion }: Version): Promise<boolean> {
      return change(
        "update connection set refresh_until = 0 where id = $id and tokens_version = $tokensVersion",
        { id, tokensVersion },
      );
    },

    async savePending(
      { id, ownerId }: Pick<ConnectionRecord, "id" | "ownerId">,
      { sealed, stateHash }: { sealed: string; stateHash: string },
    ): Promise<void> {
      await change(
        "update connection set pending = $sealed, pending_state_hash = $stateHash where id = $id and owner_id = $ownerId",
        { id, ownerId, sealed, stateHash },
      );
    },

    /** The authorization with this state, once: a repeated callback finds none. */
    async takePending(
      stateHash: string,
      ownerId: string,
    ): Promise<{ record: ConnectionRecord; sealed: string } | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS}, pending from connection where pending_state_hash = $stateHash and owner_id = $ownerId`,
        { stateHash, ownerId },
      );
      if (row === undefined) return undefined;
      const isTaken = await change(
        `update connection set pending = null, pending_state_hash = null
         where pending_state_hash = $stateHash and owner_id = $ownerId`,
        { stateHash, ownerId },
      );
      return isTaken ? { record: toConnectionRecord(row), sealed: row["pending"] as string } : undefined;
    },
  };
}
