/** Rows of different tasks in one statement. */
export const ROWS_AT_ONCE = 16;

/** Parts of 16, 8, 4, 2 and 1 rows: every length is a statement that each connection keeps a plan for. */
export function inPowersOfTwo<T>(
  values: readonly T[],
  /** Values of a row. */
  width = 1,
): T[][] {
  const parts: T[][] = [];
  let length = ROWS_AT_ONCE * width;
  for (let from = 0; from < values.length; from += length) {
    while (length > values.length - from) length /= 2;
    parts.push(values.slice(from, from + length));
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
