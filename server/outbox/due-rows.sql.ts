import type { Db } from "../storage/db.ts";
import type { DueOwner } from "./share-slots.ts";

/** Tables with `owner_id` and `due_at`, and an index over both where `due_at` is not null. */
export type DueTable = "outbox_delivery" | "remote_task" | "a2a_push_config";

/** The queries of a fair loop over the due rows of a table. */
export function createDueRows(db: Db, table: DueTable) {
  return {
    /** One index seek for each owner with waiting rows, however many these are. */
    async dueOwners(now: number): Promise<DueOwner[]> {
      const rows = await db.query(
        `with recursive owner(id) as (
           select min(owner_id) from ${table} where due_at is not null
           union all
           select (select min(owner_id) from ${table} where due_at is not null and owner_id > owner.id)
           from owner where owner.id is not null
         )
         select owner_id, due from (
           select id as owner_id, (select min(due_at) from ${table} where owner_id = owner.id and due_at is not null) as due
           from owner where id is not null
         ) as pending where due <= $now`,
        { now },
      );
      return rows.map((row) => ({ ownerId: row["owner_id"] as string, dueAt: Number(row["due"]) }));
    },

    async nextDueAt(): Promise<number | null> {
      const [row] = await db.query(`select min(due_at) as due from ${table} where due_at is not null`);
      return row?.["due"] == null ? null : Number(row["due"]);
    },
  };
}
