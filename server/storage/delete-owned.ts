import type { Db } from "./db.ts";
import { deleteFirst } from "./delete-first.ts";

/** Deletes up to `limit` rows of this owner; returns how many. */
export function deleteOwned(db: Db, table: string, ownerId: string, limit: number): Promise<number> {
  return deleteFirst(db, { table, group: "owner_id", key: "id", value: ownerId }, limit);
}
