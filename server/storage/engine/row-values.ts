import type { Row } from "../db.ts";

/** A value that no version of this program writes: reading on would restore a run from a wrong state. */
export function invalid(row: Row, column: string): never {
  const name =
    row["seq"] === undefined
      ? `Task ${String(row["id"])}`
      : `Journal entry ${String(row["seq"])} of task ${String(row["task_id"])}`;
  throw new Error(`${name} has an invalid ${column}: ${String(row[column])}.`);
}

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : invalid(row, column);
}

export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}

/** PostgreSQL returns a bigint as text where it may not fit a number. */
export function numberOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return value === null || value === undefined ? null : Number(value);
}

export function oneOf<Value extends string>(row: Row, column: string, values: readonly Value[]): Value {
  const value = row[column];
  return values.find((each) => each === value) ?? invalid(row, column);
}

export function parsed(row: Row, column: string): unknown {
  const json = row[column];
  return typeof json === "string" ? JSON.parse(json) : null;
}
