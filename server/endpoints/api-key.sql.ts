import type { PageQuery } from "../../contract/api.ts";
import { type AccessScope, ACCESS_SCOPES } from "../../contract/keys.ts";
import { type Page, toPage } from "../lib/page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { recordUses } from "../storage/record-uses.ts";

export interface ApiKeyRecord {
  id: string;
  ownerId: string;
  name: string;
  prefix: string;
  scopes: readonly AccessScope[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export type ActiveKey = Pick<ApiKeyRecord, "id" | "ownerId" | "name" | "scopes">;

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

const COLUMNS = "id, owner_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at";

export function createApiKeyStore(db: Db) {
  /** A key of an account that is being deleted is not active. */
  async function findActiveBy(
    column: "hash" | "api_key.id",
    value: string,
    now: number,
  ): Promise<ActiveKey | undefined> {
    const [row] = await db.query(
      `select api_key.id, owner_id, api_key.name, scopes from api_key join account on account.id = owner_id
       where ${column} = $value and revoked_at is null and (expires_at is null or expires_at > $now) and password_hash <> ''`,
      { value, now },
    );
    return row === undefined
      ? undefined
      : {
          id: row["id"] as string,
          ownerId: row["owner_id"] as string,
          name: row["name"] as string,
          scopes: toScopes(row["scopes"]),
        };
  }

  return {
    async insert(key: ApiKeyRecord, hash: string): Promise<void> {
      await db.batch([
        {
          sql: `insert into api_key (id, owner_id, name, prefix, scopes, created_at, expires_at, hash)
                values ($id, $ownerId, $name, $prefix, $scopes, $createdAt, $expiresAt, $hash)`,
          params: { ...key, scopes: JSON.stringify(key.scopes), hash },
        },
      ]);
    },

    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<Page<ApiKeyRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from api_key where owner_id = $ownerId and id < $cursor order by id desc limit $limit`,
        { ownerId, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toPage(rows.map(toKey), limit, (key) => key.id);
    },

    /** Throws `api_key_not_found` or `forbidden`. Revoking again keeps the first time. */
    async revoke(id: string, ownerId: string, now: number): Promise<ApiKeyRecord> {
      const [revoked] = await db.batch([
        {
          sql: `update api_key set revoked_at = coalesce(revoked_at, $now)
                where id = $id and owner_id = $ownerId returning ${COLUMNS}`,
          params: { id, ownerId, now },
        },
      ]);
      const row = revoked?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "api_key", "api_key", id) : toKey(row);
    },

    findActive: (hash: string, now: number) => findActiveBy("hash", hash, now),
    findActiveById: (id: string, now: number) => findActiveBy("api_key.id", id, now),

    recordUses: (lastUsedAt: ReadonlyMap<string, number>) => recordUses(db, "api_key", lastUsedAt),
  };
}

function toKey(row: Row): ApiKeyRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    prefix: row["prefix"] as string,
    scopes: toScopes(row["scopes"]),
    createdAt: Number(row["created_at"]),
    lastUsedAt: numberOrNull(row["last_used_at"]),
    expiresAt: numberOrNull(row["expires_at"]),
    revokedAt: numberOrNull(row["revoked_at"]),
  };
}

/** A scope that a newer version stored opens nothing here. */
export function toScopes(stored: unknown): AccessScope[] {
  const scopes = JSON.parse(stored as string) as readonly unknown[];
  return ACCESS_SCOPES.filter((scope) => scopes.includes(scope));
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
