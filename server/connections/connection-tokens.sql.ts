import type { Db, Statement } from "../storage/db.ts";
import { RUN_EVENT_CHANNEL } from "../storage/engine/run-events.ts";
import { createAuthorizationStore } from "./authorization.sql.ts";
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
    ...createAuthorizationStore(db, {
      table: "connection",
      version: "tokens_version",
      columns: COLUMNS,
      toRecord: toConnectionRecord,
    }),

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
  };
}
