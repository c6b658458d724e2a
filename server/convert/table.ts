import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { cannotWrite } from "./unreadable-file.ts";

export type Cell = string | number | boolean | null;

export interface Table {
  /** Undefined for a table without a first row of names. */
  names: string[] | undefined;
  rows: Cell[][];
}

/** A list of objects or of lists as a table. Columns are in the order in which they first occur. */
export function toTable(value: JsonValue, header: boolean): Table {
  if (!Array.isArray(value)) throw cannotWrite(`must be a list of rows, not ${nameOf(value)}`);
  if (value.every((row) => Array.isArray(row)))
    return { names: undefined, rows: value.map((row) => (row as JsonValue[]).map(toCell)) };
  const names = new Set<string>();
  for (const row of value) {
    if (!isRecord(row)) throw cannotWrite("must be a list whose rows are all objects or all lists");
    for (const name of Object.keys(row)) names.add(name);
  }
  const columns = [...names];
  const rows = value.map((row) =>
    columns.map((name) => toCell((row as Record<string, JsonValue>)[name] ?? null)),
  );
  return { names: header ? columns : undefined, rows };
}

function nameOf(value: JsonValue): string {
  if (value === null) return "nothing";
  if (typeof value === "string") return "text: read it into a list first";
  return typeof value === "object" ? "an object" : String(value);
}

function toCell(value: JsonValue): Cell {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
