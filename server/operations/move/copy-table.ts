import { AppError, messageOf } from "../../lib/errors.ts";
import type { Db } from "../../storage/db.ts";
import { recordLastRow } from "../../storage/move-state.ts";
import { quoted, type Source, type SourceRow, type SourceTable } from "./source.ts";

const BATCH_BYTES = 2 * 1024 * 1024;
const MAX_ROWS = 2000;

/** Copies the remaining rows of a table. Each batch and its progress record are one transaction. */
export async function copyTable(
  source: Source,
  target: Db,
  table: SourceTable,
  afterRowId: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const name = quoted(table.name);
  const columns = table.columns.map(quoted).join(", ");
  // One statement text and one parameter for any number of rows. `on conflict do nothing` makes a resend harmless.
  const sql = `insert into ${name} (${columns}) select ${columns}
    from json_populate_recordset(null::${name}, cast($rows as json)) on conflict do nothing`;
  for (const batch of batchesOf(source, table, afterRowId)) {
    const last = batch.at(-1)?.rowId ?? 0;
    const rows = JSON.stringify(batch.map(({ row }) => toJson(row)));
    const statements = [{ sql, params: { rows } }, recordLastRow(table.name, last)];
    await target.batch(statements, { repeatable: true }).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError(
        "row_refused",
        `PostgreSQL refused a row of the table ${table.name} (row ids up to ${last}): ${messageOf(cause)}.`,
        { cause },
      );
    });
    onRows(batch.length);
  }
}

/** Rows in order, in batches of bounded size. */
export function* batchesOf(
  source: Source,
  table: SourceTable,
  afterRowId = 0,
): Generator<{ rowId: number; row: SourceRow }[]> {
  let limit = 8;
  for (let after = afterRowId; ;) {
    const rows = source.rows(table, after, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.rowId;
    const averageBytes = rows.reduce((sum, { row }) => sum + sizeOf(row), 0) / rows.length;
    limit = Math.max(1, Math.min(MAX_ROWS, limit * 4, Math.floor(BATCH_BYTES / averageBytes)));
  }
}

/** Binary values in PostgreSQL's hex format; U+0000 as U+FFFD, as the driver stores it. */
function toJson(row: SourceRow): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value instanceof Uint8Array) return [column, `\\x${Buffer.from(value).toString("hex")}`];
      return [column, typeof value === "string" ? withoutNull(value) : value];
    }),
  );
}

export function withoutNull(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

function sizeOf(row: SourceRow): number {
  let bytes = 1;
  for (const value of Object.values(row))
    bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  return bytes;
}
