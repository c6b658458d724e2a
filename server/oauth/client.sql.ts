import type { ClientAuthMethod } from "../../contract/oauth.ts";
import type { Db, Row } from "../storage/db.ts";
import type { ClientMetadata } from "./client-metadata.ts";

/** A client that registered itself. */
export interface ClientRecord extends ClientMetadata {
  id: string;
  /** Null for a public client. */
  secretHash: string | null;
  createdAt: number;
  /** A client without a connected app is removed after this time. */
  expiresAt: number;
}

export type ClientStore = ReturnType<typeof createClientStore>;

const HAS_GRANT = "exists (select 1 from oauth_grant where oauth_grant.client_id = oauth_client.id)";
const PRUNE_ROWS = 100;

export function createClientStore(db: Db) {
  return {
    /** Makes room first: clients that nobody connected are removed when they expire, or when there are too many. */
    async insert(client: ClientRecord, maxUnused: number): Promise<void> {
      await db.batch([
        {
          sql: `insert into oauth_client (id, name, redirect_uris, auth_method, secret_hash, created_at, expires_at)
                values ($id, $name, $redirectUris, $authMethod, $secretHash, $createdAt, $expiresAt)`,
          params: { ...client, redirectUris: JSON.stringify(client.redirectUris) },
        },
        {
          sql: `delete from oauth_client where id in (select id from oauth_client where expires_at <= $now and not ${HAS_GRANT}
                order by expires_at limit ${PRUNE_ROWS})`,
          params: { now: client.createdAt },
        },
        {
          sql: `delete from oauth_client where id in (select id from oauth_client where not ${HAS_GRANT}
                order by id desc limit ${PRUNE_ROWS} offset $maxUnused)`,
          params: { maxUnused },
        },
      ]);
    },

    async find(id: string, now: number): Promise<ClientRecord | undefined> {
      const [row] = await db.query(
        `select * from oauth_client where id = $id and (expires_at > $now or ${HAS_GRANT})`,
        { id, now },
      );
      return row === undefined ? undefined : toClient(row);
    },

    async keepUntil(id: string, expiresAt: number): Promise<void> {
      await db.batch([
        {
          sql: "update oauth_client set expires_at = $expiresAt where id = $id and expires_at < $expiresAt",
          params: { id, expiresAt },
        },
      ]);
    },
  };
}

function toClient(row: Row): ClientRecord {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    redirectUris: JSON.parse(row["redirect_uris"] as string) as string[],
    authMethod: row["auth_method"] as ClientAuthMethod,
    secretHash: row["secret_hash"] as string | null,
    createdAt: Number(row["created_at"]),
    expiresAt: Number(row["expires_at"]),
  };
}
