/** Rows of different tasks in one statement. */
export const ROWS_AT_ONCE = 16;

/** Parts of 16, 8, 4, 2 and 1: every length is a statement that each connection keeps a plan for. */
export function inPowersOfTwo<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  let size = ROWS_AT_ONCE;
  for (let from = 0; from < rows.length; from += size) {
    while (size > rows.length - from) size /= 2;
    parts.push(rows.slice(from, from + size));
  }
  return parts;
}
