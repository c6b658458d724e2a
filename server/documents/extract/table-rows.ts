/**
 * The rows of a table as lines. A passage may begin in the middle of a table, so every value carries its column:
 * "Island: Inchmore; Departure: 09.40". `hasHeader`: the first row names the columns.
 */
export function tableLines(rows: readonly (readonly string[])[], hasHeader: boolean): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  const [header, ...body] = filled;
  if (header === undefined) return [];
  if (!hasHeader || body.length === 0) return filled.map(plainRow);
  return body.map((row) => rowWithHeader(header, row));
}

export function rowWithHeader(header: readonly string[], row: readonly string[]): string {
  return row
    .flatMap((cell, i) => {
      const name = header[i] ?? "";
      return cell === "" ? [] : [name === "" || name === cell ? cell : `${name}: ${cell}`];
    })
    .join("; ");
}

/** Two columns without names are a name and its value. */
function plainRow(row: readonly string[]): string {
  const cells = row.filter((cell) => cell !== "");
  return row.length === 2 ? cells.join(": ") : cells.join("; ");
}
