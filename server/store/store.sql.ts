import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, Statement } from "../storage/db.ts";

export interface StoredValue {
  scope: string;
  key: string;
  /** JSON text; null in lists when it is large. */
  value: string | null;
  bytes: number;
  expiresAt: number | null;
  /** Changes with every write. */
  version: string;
  updatedAt: number;
}

/** The place of a value. */
export interface StorePlace {
  ownerId: string;
  scope: string;
  key: string;
}

/** Remembers that a step has written, and with which result, as long as its task exists. */
export interface StoreReceipt {
  /** The idempotency key of the step. */
  id: string;
  taskId: string;
  /** JSON text. */
  result: string;
}

export interface StoreChange {
  place: StorePlace;
  /** The version that was read; undefined when there was no row. */
  expected: string | undefined;
  /** The new row; undefined deletes it. */
  next: Pick<StoredValue, "value" | "bytes" | "expiresAt" | "version" | "updatedAt"> | undefined;
  receipt: StoreReceipt | undefined;
  now: number;
}

export interface ListOptions {
  scope: string | undefined;
  prefix: string;
  /** The last place of the previous page. */
  after: { scope: string; key: string };
  limit: number;
  /** Larger values are left out. */
  maxBytes: number;
  now: number;
}

export type StoreValues = ReturnType<typeof createStoreValues>;

const COLUMNS = "scope, key, bytes, expires_at, version, updated_at";
const AT = "owner_id = $ownerId and scope = $scope and key = $key";

export function createStoreValues(db: Db) {
  return {
    /** Also returns an expired value: its row is what the next write replaces. */
    async read({ ownerId, scope, key }: StorePlace): Promise<StoredValue | undefined> {
      const [row] = await db.query(`select ${COLUMNS}, value from store_value where ${AT}`, {
        ownerId,
        scope,
        key,
      });
      return row === undefined ? undefined : toValue(row);
    },

    /** The result that an earlier attempt of the step recorded. */
    async receipt(id: string): Promise<string | undefined> {
      const [row] = await db.query("select result from store_receipt where id = $id", { id });
      return row?.["result"] as string | undefined;
    },

    /** Writes only when the row is as it was read; false when another write came first. Throws when the receipt exists. */
    async write({ place, expected, next, receipt, now }: StoreChange): Promise<boolean> {
      const { ownerId, scope, key } = place;
      const at = { ownerId, scope, key };
      const change: Statement =
        next === undefined
          ? {
              sql: `delete from store_value where ${AT} and version = $expected returning 1 as one`,
              params: { ...at, expected: expected ?? "" },
            }
          : expected === undefined
            ? {
                sql: `insert into store_value (owner_id, scope, key, value, bytes, expires_at, version, updated_at)
                      values ($ownerId, $scope, $key, $value, $bytes, cast($expiresAt as bigint), $version, $updatedAt)
                      on conflict (owner_id, scope, key) do nothing returning 1 as one`,
                params: { ...at, ...next },
              }
            : {
                sql: `update store_value set value = $value, bytes = $bytes, expires_at = cast($expiresAt as bigint),
                        version = $version, updated_at = $updatedAt
                      where ${AT} and version = $expected returning 1 as one`,
                params: { ...at, ...next, expected },
              };
      if (receipt === undefined) return (await db.batch([change]))[0]?.length === 1;
      // The receipt exists only together with the change: of a deletion it is inserted before, of a write after it.
      const insertReceipt: Statement = {
        sql: `insert into store_receipt (id, task_id, result, created_at)
              select cast($id as text), cast($taskId as text), cast($result as text), cast($now as bigint)
              from store_value where ${AT} and version = $version`,
        params: { ...at, ...receipt, now, version: next?.version ?? expected ?? "" },
      };
      const results = await db.batch(next === undefined ? [insertReceipt, change] : [change, insertReceipt]);
      return results[next === undefined ? 1 : 0]?.length === 1;
    },

    /** By scope and key, without expired values. */
    async list(ownerId: string, options: ListOptions): Promise<ResultPage<StoredValue>> {
      const { scope, prefix, after, limit, maxBytes, now } = options;
      const rows = await db.query(
        `select ${COLUMNS}, case when bytes <= $maxBytes then value end as value from store_value
         where owner_id = $ownerId and (cast($scope as text) is null or scope = $scope)
           and substr(key, 1, cast($prefixLength as integer)) = $prefix
           and (scope > $afterScope or (scope = $afterScope and key > $afterKey))
           and (expires_at is null or expires_at > $now)
         order by scope, key limit $limit`,
        {
          ownerId,
          scope: scope ?? null,
          prefix,
          // In characters of the database, which counts an emoji as one.
          prefixLength: [...prefix].length,
          afterScope: after.scope,
          afterKey: after.key,
          maxBytes,
          now,
          limit: limit + 1,
        },
      );
      return toResultPage(rows.map(toValue), limit, ({ scope: at, key }) => `${at} ${key}`);
    },

    /** Expired values count until they are swept. */
    async usage(ownerId: string): Promise<{ count: number; bytes: number }> {
      const [row] = await db.query(
        "select count(*) as count, coalesce(sum(bytes), 0) as bytes from store_value where owner_id = $ownerId",
        { ownerId },
      );
      return { count: Number(row?.["count"]), bytes: Number(row?.["bytes"]) };
    },

    /** Deletes up to `limit` values of this owner, or of one scope; returns how many. */
    async removeSome(ownerId: string, limit: number, scope: string | null = null): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from store_value where owner_id = $ownerId and (scope, key) in
                  (select scope, key from store_value
                   where owner_id = $ownerId and (cast($scope as text) is null or scope = $scope) limit $limit)
                returning 1 as one`,
          params: { ownerId, limit, scope },
        },
      ]);
      return removed.length;
    },

    /** Deletes up to `limit` values that have expired; returns how many. */
    async removeExpired(now: number, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from store_value where (owner_id, scope, key) in
                  (select owner_id, scope, key from store_value where expires_at <= $now order by expires_at limit $limit)
                returning 1 as one`,
          params: { now, limit },
        },
      ]);
      return removed.length;
    },
  };
}

function toValue(row: Row): StoredValue {
  return {
    scope: row["scope"] as string,
    key: row["key"] as string,
    value: row["value"] as string | null,
    bytes: Number(row["bytes"]),
    expiresAt: row["expires_at"] === null ? null : Number(row["expires_at"]),
    version: row["version"] as string,
    updatedAt: Number(row["updated_at"]),
  };
}
