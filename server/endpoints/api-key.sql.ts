import type { PageQuery } from "../../contract/api.ts";
import { type Page, toPage } from "../lib/page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface ApiKeyRecord {
  id: string;
  ownerId: string;
  name: string;
  prefix: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

const COLUMNS = "id, owner_id, name, prefix, created_at, last_used_at, expires_at, revoked_at";

export function createApiKeyStore(db: Db) {
  return {
    async insert(key: ApiKeyRecord, hash: string): Promise<void> {
      await db.batch([
        {
          sql: `insert into api_key (id, owner_id, name, prefix, created_at, expires_at, hash)
                values ($id, $ownerId, $name, $prefix, $createdAt, $expiresAt, $hash)`,
          params: { ...key, hash },
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

    /** The id of the owner's active key with this hash. */
    async findActiveId(ownerId: string, hash: string, now: number): Promise<string | undefined> {
      const [row] = await db.query<{ id: string }>(
        `select id from api_key where owner_id = $ownerId and hash = $hash and revoked_at is null
           and (expires_at is null or expires_at > $now)`,
        { ownerId, hash, now },
      );
      return row?.id;
    },

    async recordUses(lastUsedAt: ReadonlyMap<string, number>): Promise<void> {
      const uses = [...lastUsedAt].map(([id, at]) => ({ id, at }));
      await db.batch([
        {
          // Processes flush in any order: an older time never overwrites a newer one.
          sql: `update api_key set last_used_at = cast(e.value->>'at' as bigint)
                from json_each(cast($uses as text)) as e where api_key.id = e.value->>'id'
                  and (api_key.last_used_at is null or api_key.last_used_at < cast(e.value->>'at' as bigint))`,
          params: { uses: JSON.stringify(uses) },
        },
      ]);
    },
  };
}

function toKey(row: Row): ApiKeyRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    prefix: row["prefix"] as string,
    createdAt: Number(row["created_at"]),
    lastUsedAt: numberOrNull(row["last_used_at"]),
    expiresAt: numberOrNull(row["expires_at"]),
    revokedAt: numberOrNull(row["revoked_at"]),
  };
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
