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

/** Parameters as rows of values, from `$<first>`. PostgreSQL takes the types of all rows from the first. */
export function valueRows(
  columns: readonly (readonly [name: string, type: string])[],
  count: number,
  first = 1,
): string {
  const rows = Array.from({ length: count }, (_, row) => {
    const values = columns.map(([, type], index) => {
      const parameter = `$${first + row * columns.length + index}`;
      return row === 0 ? `cast(${parameter} as ${type})` : parameter;
    });
    return `(${values.join(", ")})`;
  });
  return rows.join(", ");
}
