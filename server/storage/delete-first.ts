import type { Db, Statement } from "./db.ts";

/** Rows with `value` in the column `group`, in the order of the column `key`, which is unique among them. */
export interface GroupOfRows {
  table: string;
  group: string;
  key: string;
  value: string;
}

/** Deletes up to `limit` of the rows, the first ones; returns how many. */
export async function deleteFirst(db: Db, rows: GroupOfRows, limit: number): Promise<number> {
  const [deleted = []] = await db.batch([deletionOfFirst(rows, limit)]);
  return deleted.length;
}

/**
 * The key of the last row to delete is read once. With `key in (select …)`, PostgreSQL reads that list again for every row
 * when its statistics say that a group has one row: 1,000 of 5,000 rows then take 2 s instead of 5 ms.
 */
export function deletionOfFirst({ table, group, key, value }: GroupOfRows, limit: number): Statement {
  return {
    sql: `delete from ${table} where ${group} = $value and ${key} <=
            (select max(${key}) from (select ${key} from ${table} where ${group} = $value order by ${key} limit $limit) as first)
          returning 1 as one`,
    params: { value, limit },
  };
}
