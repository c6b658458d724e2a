import { createMeasure } from "../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { valueTooLarge } from "./read-text.ts";
import { unreadableFile } from "./unreadable-file.ts";
import { createListPieces } from "./value-pieces.ts";

/** As many as a sheet of Excel has. An object of half a million columns takes seconds to build. */
export const MAX_COLUMNS = 16_384;

function checkColumns(cells: readonly unknown[]): void {
  if (cells.length > MAX_COLUMNS)
    throw unreadableFile(`a row has ${cells.length} columns; at most ${MAX_COLUMNS} are allowed`);
}

/** Collects rows as pieces of a list, and ends with the first row that a value cannot hold. */
export function createRowList(maxBytes: number) {
  const measure = createMeasure();
  const rows = createListPieces(measure);
  let size = 0;
  return {
    add(row: JsonValue): void {
      const rowSize = measure(row, maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY);
      size += rowSize;
      if (maxBytes > 0 && size > maxBytes) throw valueTooLarge(maxBytes);
      rows.add(row, rowSize);
    },
    pieces: rows.end,
  };
}

/** Names of columns: every one is set, none occurs twice. */
export function columnNames(cells: readonly string[]): string[] {
  checkColumns(cells);
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const name = cell.trim() === "" || cell === "__proto__" ? `column_${index + 1}` : cell.trim();
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}_${times}`;
  });
}

/** Cells beyond the names get the number of their column; missing ones are left out. */
export function rowOf<T extends JsonValue>(names: readonly string[], cells: readonly T[]): Record<string, T> {
  checkColumns(cells);
  const row: Record<string, T> = {};
  for (const [index, cell] of cells.entries()) row[names[index] ?? `column_${index + 1}`] = cell;
  return row;
}
