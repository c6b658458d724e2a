import type { Db } from "./db.ts";

/** The administrator is the oldest account. */
export async function isAdministrator(db: Db, ownerId: string): Promise<boolean> {
  const [row] = await db.query("select id from account order by created_at, id limit 1", {});
  return row?.["id"] === ownerId;
}
