import type { Db } from "./db.ts";

/** Deletes up to `limit` rows of this owner; returns how many. */
export async function deleteOwned(db: Db, table: string, ownerId: string, limit: number): Promise<number> {
  const [deleted = []] = await db.batch([
    {
      sql: `delete from ${table} where id in
              (select id from ${table} where owner_id = $ownerId order by id limit $limit) returning 1 as one`,
      params: { ownerId, limit },
    },
  ]);
  return deleted.length;
}
