import type { TextRun } from "../extract/page-text.ts";

/** Six numbers per run: as objects with names they would take three times the space of the text. */
export function packRuns(runs: readonly TextRun[]): number[] {
  return runs.flatMap(({ start, end, box }) => [start, end, box.x, box.y, box.width, box.height]);
}

export function unpackRuns(packed: readonly number[]): TextRun[] {
  const runs: TextRun[] = [];
  for (let i = 0; i < packed.length; i += 6) {
    const [start = 0, end = 0, x = 0, y = 0, width = 0, height = 0] = packed.slice(i, i + 6);
    runs.push({ start, end, box: { x, y, width, height } });
  }
  return runs;
}
