import type { Db, Row, SqlParams } from "../storage/db.ts";

/** A table whose records users authorize with OAuth, and the column that counts the changes of their tokens. */
export interface AuthorizedTable<T> {
  table: "connection" | "mcp_server";
  version: "tokens_version" | "oauth_version";
  columns: string;
  toRecord(row: Row): T;
}

export type AuthorizationStore<T> = ReturnType<typeof createAuthorizationStore<T>>;

/** The authorization that a user has begun, and the lease of the process that refreshes the tokens. */
export function createAuthorizationStore<T>(db: Db, authorized: AuthorizedTable<T>) {
  const { table, version, columns, toRecord } = authorized;

  async function change(sql: string, params: SqlParams): Promise<boolean> {
    const [changed] = await db.batch([{ sql: `update ${table} set ${sql} returning id`, params }]);
    return changed?.length === 1;
  }

  return {
    savePending: (pending: { id: string; ownerId: string; sealed: string; stateHash: string }) =>
      change(
        "pending = $sealed, pending_state_hash = $stateHash where id = $id and owner_id = $ownerId",
        pending,
      ),

    /** The authorization with this state, once: a repeated callback finds none. */
    async takePending(stateHash: string, ownerId: string) {
      const where = "where pending_state_hash = $stateHash and owner_id = $ownerId";
      const params = { stateHash, ownerId };
      const [row] = await db.query(`select ${columns}, pending from ${table} ${where}`, params);
      if (row === undefined) return undefined;
      const isTaken = await change(`pending = null, pending_state_hash = null ${where}`, params);
      return isTaken ? { record: toRecord(row), sealed: row["pending"] as string } : undefined;
    },

    /** True for one process until the lease ends: a refresh token can often be used only once. */
    claimRefresh: (id: string, fromVersion: number, lease: { now: number; until: number }) =>
      change(
        `refresh_until = $until where id = $id and ${version} = $fromVersion and refresh_until <= $now`,
        { id, fromVersion, ...lease },
      ),

    releaseRefresh: (id: string, fromVersion: number) =>
      change(`refresh_until = 0 where id = $id and ${version} = $fromVersion`, { id, fromVersion }),
  };
}
