import type { Edge, Step } from "../../../contract/graph.ts";

const COLUMN_WIDTH = 280;
const ROW_HEIGHT = 140;

/** Top to bottom: a step is below all its predecessors; the steps of a row are centred side by side. */
export function layOut(steps: readonly Step[], edges: readonly Edge[]): Step[] {
  const rows = rowsOf(steps, edges);
  const widths = new Map<number, number>();
  for (const row of rows.values()) widths.set(row, (widths.get(row) ?? 0) + 1);
  const placed = new Map<number, number>();
  return steps.map((step) => {
    const row = rows.get(step.stepId) ?? 0;
    const column = placed.get(row) ?? 0;
    placed.set(row, column + 1);
    const x = (column - ((widths.get(row) ?? 1) - 1) / 2) * COLUMN_WIDTH;
    return { ...step, position: { x, y: row * ROW_HEIGHT } };
  });
}

/** The longest path from a start, in steps. A cycle is cut off here and reported by the validator. */
function rowsOf(steps: readonly Step[], edges: readonly Edge[]): Map<string, number> {
  const rows = new Map(steps.map(({ stepId }) => [stepId, 0]));
  for (let pass = 0; pass < steps.length; pass++) {
    let hasMoved = false;
    for (const { source, target } of edges) {
      const below = (rows.get(source) ?? 0) + 1;
      if (!rows.has(source) || !rows.has(target) || (rows.get(target) ?? 0) >= below || below >= steps.length)
        continue;
      rows.set(target, below);
      hasMoved = true;
    }
    if (!hasMoved) break;
  }
  return rows;
}
