/** A part of two texts: in both, only in the first, or only in the second. */
export interface DiffPart<T> {
  kind: "same" | "removed" | "added";
  items: T[];
}

/** Cells of the table of common subsequences. Longer texts are shown as replaced, instead of freezing the page. */
const MAX_CELLS = 4_000_000;

/** The shortest way from one sequence to the other; items are compared by their key. */
export function diffSequences<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): DiffPart<T>[] {
  const a = before.map(keyOf);
  const b = after.map(keyOf);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  const parts: DiffPart<T>[] = [];
  const push = (kind: DiffPart<T>["kind"], item: T | undefined): void => {
    if (item === undefined) return;
    const last = parts.at(-1);
    if (last?.kind === kind) last.items.push(item);
    else parts.push({ kind, items: [item] });
  };
  for (let at = 0; at < start; at += 1) push("same", after[at]);
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  const common = commonLengths(a, b, start, rows, columns);
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const isSame = row < rows && column < columns && a[start + row] === b[start + column];
    if (isSame && common !== undefined) push("same", after[start + column]);
    if (isSame && common !== undefined) [row, column] = [row + 1, column + 1];
    else if (
      row < rows &&
      (column >= columns || common === undefined || lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    )
      push("removed", before[start + row++]);
    else push("added", after[start + column++]);
  }
  for (let at = after.length - end; at < after.length; at += 1) push("same", after[at]);
  return parts;

  function lengthAt(x: number, y: number): number {
    return common?.[x * (columns + 1) + y] ?? 0;
  }
}

/** The length of the longest common subsequence of the rest, by position in both. */
function commonLengths(
  a: readonly string[],
  b: readonly string[],
  start: number,
  rows: number,
  columns: number,
): Uint32Array | undefined {
  if ((rows + 1) * (columns + 1) > MAX_CELLS) return undefined;
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let x = rows - 1; x >= 0; x -= 1)
    for (let y = columns - 1; y >= 0; y -= 1)
      lengths[x * width + y] =
        a[start + x] === b[start + y]
          ? (lengths[(x + 1) * width + y + 1] ?? 0) + 1
          : Math.max(lengths[(x + 1) * width + y] ?? 0, lengths[x * width + y + 1] ?? 0);
  return lengths;
}

export interface DiffLine {
  text: string;
  /** From 1. */
  number: number;
}

/** One row of a comparison side by side; `same` rows have both sides. */
export interface DiffRow {
  kind: "same" | "changed";
  left: DiffLine | undefined;
  right: DiffLine | undefined;
}

export function diffLines(before: string, after: string, keyOf: (line: string) => string): DiffRow[] {
  const lines = (text: string): string[] => (text === "" ? [] : text.split("\n"));
  const [left, right] = [lines(before), lines(after)];
  const rows: DiffRow[] = [];
  let [at, to] = [0, 0];
  let removed: DiffLine[] = [];
  const flush = (): void => {
    for (const line of removed) rows.push({ kind: "changed", left: line, right: undefined });
    removed = [];
  };
  for (const { kind, items } of diffSequences(left, right, keyOf)) {
    if (kind === "removed") removed.push(...items.map((text) => ({ text, number: ++at })));
    else if (kind === "added") {
      for (const text of items)
        rows.push({ kind: "changed", left: removed.shift(), right: { text, number: ++to } });
      flush();
    } else {
      flush();
      for (const text of items)
        // Lines that only differ in what is ignored keep their own text on each side.
        rows.push({
          kind: "same",
          left: { text: left[at] ?? text, number: ++at },
          right: { text, number: ++to },
        });
    }
  }
  flush();
  return rows;
}

/** Words with the spaces after them. */
export function diffWords(before: string, after: string): DiffPart<string>[] {
  const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];
  return diffSequences(words(before), words(after), (word) => word.trim());
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;
const ID =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[a-z]{2,8}_[0-9A-Za-z]{12,}\b|\b[0-9a-f]{16,}\b/g;

/** Times and ids differ in every run: they are compared as if they were equal. */
export function withoutTimesAndIds(text: string): string {
  return text.replaceAll(TIME, "<time>").replaceAll(ID, "<id>");
}
