import { ACCESS_SCOPES, type AccessScope } from "../../contract/keys.ts";
import { toScopes } from "../endpoints/api-key.sql.ts";
import type { Db } from "../storage/db.ts";

/** An authorization code: what the user allowed, until the client exchanges it for tokens. */
export interface CodeRecord {
  /** The workspace in which the app acts. */
  ownerId: string;
  /** The person who allowed it. */
  userId: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  codeChallenge: string;
  scopes: readonly AccessScope[];
  resource: string;
  expiresAt: number;
  /** Set once the code was used. */
  grantId: string | null;
}

export type CodeStore = ReturnType<typeof createCodeStore>;

const PRUNE_ROWS = 100;
/** A used code is kept a while, so that a second use is recognized. */
const KEPT_MS = 3600 * 1000;

export function createCodeStore(db: Db) {
  return {
    async insert(hash: string, code: CodeRecord, now: number): Promise<void> {
      await db.batch([
        {
          // An account that is being deleted gets no new rows.
          sql: `insert into oauth_code (hash, owner_id, user_id, client_id, client_name, redirect_uri, code_challenge, scopes, resource, expires_at)
                select cast($hash as text), id, cast($userId as text), cast($clientId as text), cast($clientName as text), cast($redirectUri as text),
                  cast($codeChallenge as text), cast($scopes as text), cast($resource as text), cast($expiresAt as bigint)
                from workspace where id = $ownerId and deleted_at is null`,
          params: { ...code, hash, scopes: JSON.stringify(code.scopes) },
        },
        {
          sql: `delete from oauth_code where hash in
                  (select hash from oauth_code where expires_at <= $now order by expires_at limit ${PRUNE_ROWS})`,
          params: { now: now - KEPT_MS },
        },
      ]);
    },

    async find(hash: string): Promise<CodeRecord | undefined> {
      const [row] = await db.query("select * from oauth_code where hash = $hash", { hash });
      return row === undefined
        ? undefined
        : {
            ownerId: row["owner_id"] as string,
            userId: row["user_id"] as string,
            clientId: row["client_id"] as string,
            clientName: row["client_name"] as string,
            redirectUri: row["redirect_uri"] as string,
            codeChallenge: row["code_challenge"] as string,
            scopes: toScopes(row["scopes"], ACCESS_SCOPES),
            resource: row["resource"] as string,
            expiresAt: Number(row["expires_at"]),
            grantId: row["grant_id"] as string | null,
          };
    },

    /** Deletes up to `limit` codes of this owner; returns how many. */
    async deleteOwned(ownerId: string, limit: number): Promise<number> {
      const [deleted = []] = await db.batch([
        {
          sql: `delete from oauth_code where hash in
                  (select hash from oauth_code where owner_id = $ownerId order by hash limit $limit) returning 1 as one`,
          params: { ownerId, limit },
        },
      ]);
      return deleted.length;
    },
  };
}
