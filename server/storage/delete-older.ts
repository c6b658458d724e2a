import { firstIdAt, type IdPrefix } from "../lib/ids.ts";
import type { Db } from "./db.ts";

/** A table whose ids begin with this prefix and the time of their row. */
export interface TableByAge {
  table: string;
  idPrefix: IdPrefix;
}

/** Deletes up to `limit` rows that were created before this time, the oldest first; returns how many. */
export async function deleteOlder(
  db: Db,
  { table, idPrefix }: TableByAge,
  before: number,
  limit: number,
): Promise<number> {
  const [deleted = []] = await db.batch([
    {
      sql: `delete from ${table} where id in
              (select id from ${table} where id < $before order by id limit $limit) returning 1 as one`,
      params: { before: firstIdAt(idPrefix, before), limit },
    },
  ]);
  return deleted.length;
}
