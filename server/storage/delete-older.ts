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
      // The last id is read once; see delete-first.ts for what a list of ids costs.
      sql: `delete from ${table} where id <=
              (select max(id) from (select id from ${table} where id < $before order by id limit $limit) as first)
            returning 1 as one`,
      params: { before: firstIdAt(idPrefix, before), limit },
    },
  ]);
  return deleted.length;
}
