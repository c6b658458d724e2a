import type { ResourceNoun } from "../../contract/errors.ts";
import { forbidden, notFound } from "../lib/errors.ts";
import type { Db } from "./db.ts";

/** Stores query by id and owner at once; only when no row matches does this decide between 404 and 403. */
export async function throwNotFoundOrForbidden(
  db: Db,
  table: string,
  noun: ResourceNoun,
  id: string,
): Promise<never> {
  const [row] = await db.query(`select 1 as found from ${table} where id = $id`, { id });
  throw row === undefined ? notFound(noun, id) : forbidden(noun);
}
