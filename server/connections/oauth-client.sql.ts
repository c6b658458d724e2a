import type { Db, Row } from "../storage/db.ts";

/** The client of this instance at the authorization server of an app. */
export interface OauthClientRecord {
  app: string;
  clientId: string;
  /** Sealed. */
  clientSecret: string;
  updatedAt: number;
}

export type OauthClientStore = ReturnType<typeof createOauthClientStore>;

const COLUMNS = "app, client_id, client_secret, updated_at";

export function createOauthClientStore(db: Db) {
  return {
    async find(app: string): Promise<OauthClientRecord | undefined> {
      const [row] = await db.query(`select ${COLUMNS} from app_oauth_client where app = $app`, { app });
      return row === undefined ? undefined : toRecord(row);
    },

    async list(): Promise<OauthClientRecord[]> {
      return (await db.query(`select ${COLUMNS} from app_oauth_client order by app`, {})).map(toRecord);
    },

    async put(client: OauthClientRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into app_oauth_client (${COLUMNS}) values ($app, $clientId, $clientSecret, $updatedAt)
                on conflict (app) do update set client_id = excluded.client_id, client_secret = excluded.client_secret,
                  updated_at = excluded.updated_at`,
          params: { ...client },
        },
      ]);
    },

    async remove(app: string): Promise<void> {
      await db.batch([{ sql: "delete from app_oauth_client where app = $app", params: { app } }]);
    },
  };
}

function toRecord(row: Row): OauthClientRecord {
  return {
    app: row["app"] as string,
    clientId: row["client_id"] as string,
    clientSecret: row["client_secret"] as string,
    updatedAt: Number(row["updated_at"]),
  };
}
