import type { Db } from "./db.ts";

/** Writes the column `last_used_at` of these rows. */
export async function recordUses(
  db: Db,
  table: string,
  lastUsedAt: ReadonlyMap<string, number>,
): Promise<void> {
  const uses = [...lastUsedAt].map(([id, at]) => ({ id, at }));
  await db.batch([
    {
      // Processes flush in any order: an older time never overwrites a newer one.
      sql: `update ${table} set last_used_at = cast(e.value->>'at' as bigint)
            from json_each(cast($uses as text)) as e where ${table}.id = e.value->>'id'
              and (${table}.last_used_at is null or ${table}.last_used_at < cast(e.value->>'at' as bigint))`,
      params: { uses: JSON.stringify(uses) },
    },
  ]);
}
