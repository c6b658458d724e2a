import type { ResourceNoun } from "../../contract/errors.ts";
import { forbidden, notFound } from "../lib/errors.ts";
import type { Db } from "./db.ts";

/** Stores ask for `id and owner` in one query; only when nothing came do they ask which of the two was wrong. */
export async function notYours(db: Db, table: string, noun: ResourceNoun, id: string): Promise<never> {
  const [row] = await db.query(`select 1 as found from ${table} where id = $id`, { id });
  throw row === undefined ? notFound(noun) : forbidden(noun);
}
