import type { ColumnType, SqlValue, Statement } from "../db.ts";
import { inPowersOfTwo, ROWS_AT_ONCE } from "./rows-at-once.ts";

/** The statements that add rows to a table. A row that exists already is kept: it was added by the same write before. */
export interface NewRows {
  columns: readonly ColumnType[];
  copy: string;
  /** By the number of rows. */
  inserts: readonly string[];
}

export function newRowsOf(
  table: string,
  columns: readonly (readonly [name: string, type: ColumnType])[],
): NewRows {
  const names = columns.map(([name]) => name).join(", ");
  const inserts = Array.from({ length: ROWS_AT_ONCE + 1 }, (_, count) => {
    const rows = Array.from({ length: count }, (_row, row) => {
      const values = columns.map((_column, index) => `$${row * columns.length + index + 1}`);
      return `(${values.join(", ")})`;
    });
    return `insert into ${table} (${names}) values ${rows.join(", ")} on conflict do nothing`;
  });
  return {
    columns: columns.map(([, type]) => type),
    copy: `copy ${table} (${names}) from stdin (format binary)`,
    inserts,
  };
}

/** `values` are those of all rows, row after row. */
export function pushNewRows(
  statements: Statement[],
  values: readonly SqlValue[],
  { columns, copy, inserts }: NewRows,
  copiesRows: boolean,
): void {
  if (values.length === 0) return;
  const inserting = (): Statement[] =>
    inPowersOfTwo(values, columns.length).map((params) => ({
      sql: inserts[params.length / columns.length]!,
      params,
    }));
  if (copiesRows) statements.push({ sql: copy, copy: { columns, values, otherwise: inserting } });
  else statements.push(...inserting());
}
