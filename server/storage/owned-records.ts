import type { PageQuery } from "../../contract/api.ts";
import type { ResourceNoun } from "../../contract/errors.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "./db.ts";
import { throwNotFoundOrForbidden } from "./ownership.ts";
import { AFTER_EVERY_ID } from "./paging.ts";

/** Tables that are named after their records and have the columns `id` and `owner_id`. */
type RecordTable = Extract<ResourceNoun, "agent" | "schedule" | "team" | "template">;

/** Throws `…_not_found` or `forbidden`. */
export async function getRecord(db: Db, table: RecordTable, id: string, ownerId: string): Promise<Row> {
  const [row] = await db.query(`select * from ${table} where id = $id and owner_id = $ownerId`, {
    id,
    ownerId,
  });
  return row ?? throwNotFoundOrForbidden(db, table, table, id);
}

/** Newest first. */
export async function listRecords<T extends { id: string }>(
  db: Db,
  table: RecordTable,
  ownerId: string,
  { limit, cursor }: PageQuery,
  toItem: (row: Row) => T,
): Promise<ResultPage<T>> {
  const rows = await db.query(
    `select * from ${table} where owner_id = $ownerId and id < $before order by id desc limit $limit`,
    { ownerId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
  );
  return toResultPage(rows.map(toItem), limit, ({ id }) => id);
}

/** Throws `…_not_found` or `forbidden`. */
export async function removeRecord(db: Db, table: RecordTable, id: string, ownerId: string): Promise<void> {
  const [removed] = await db.batch([
    {
      sql: `delete from ${table} where id = $id and owner_id = $ownerId returning id`,
      params: { id, ownerId },
    },
  ]);
  if (removed?.length !== 1) await throwNotFoundOrForbidden(db, table, table, id);
}
