import type { Use } from "../lib/use-recorder.ts";
import type { Db } from "./db.ts";

/** Writes the column `last_used_at` of these rows, and `last_used_from` where the table has it. */
export async function recordUses(
  db: Db,
  table: "api_key" | "oauth_grant",
  lastUses: ReadonlyMap<string, Use>,
): Promise<void> {
  const uses = [...lastUses].map(([id, { at, address }]) => ({ id, at, address: address ?? null }));
  const from = table === "api_key" ? ", last_used_from = e.value->>'address'" : "";
  await db.batch([
    {
      // Processes flush in any order: an older time never overwrites a newer one.
      sql: `update ${table} set last_used_at = cast(e.value->>'at' as bigint)${from}
            from json_each(cast($uses as text)) as e where ${table}.id = e.value->>'id'
              and (${table}.last_used_at is null or ${table}.last_used_at < cast(e.value->>'at' as bigint))`,
      params: { uses: JSON.stringify(uses) },
    },
  ]);
}
