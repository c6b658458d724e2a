import type { Point } from "./draft.ts";

const CORNER_RADIUS = 10;

/** The SVG path of a line at right angles, with rounded corners. */
export function linePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  for (const [index, corner] of rest.entries()) {
    const [before, after] = [points[index]!, rest[index + 1]];
    if (after === undefined) {
      path += `L${corner.x} ${corner.y}`;
      break;
    }
    const radius = Math.min(CORNER_RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
    const from = towards(corner, before, radius);
    const to = towards(corner, after, radius);
    path += `L${from.x} ${from.y}Q${corner.x} ${corner.y} ${to.x} ${to.y}`;
  }
  return path;
}

/** Half of what a label or a button needs along the line. */
const ROOM = 14;
const MIN_ACROSS = 40;

/** Where the label of a line is: near its start, so that the branches of one step can be distinguished. */
export function labelPoint(points: readonly Point[]): Point {
  const [start, next, after] = points;
  if (start === undefined || next === undefined) return { x: 0, y: 0 };
  if (after === undefined || next.y - start.y >= 2 * ROOM) return { x: start.x, y: start.y + ROOM + 2 };
  return { x: (next.x + after.x) / 2, y: next.y };
}

/** Where the button that inserts a step is. Lines to one step share their last part, so it is before that if possible. */
export function insertPoint(points: readonly Point[]): Point {
  const [end, before, start] = [points.at(-1), points.at(-2), points[0]];
  if (end === undefined || before === undefined || start === undefined) return { x: 0, y: 0 };
  if (points.length === 2) return { x: end.x, y: end.y - (end.y - start.y) / 3 };
  const corner = points.at(-3) ?? start;
  if (Math.abs(corner.x - before.x) >= MIN_ACROSS)
    return { x: before.x + (corner.x - before.x) / 3, y: before.y };
  return { x: end.x, y: end.y - Math.min(20, (end.y - before.y) / 2) };
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, length: number): Point {
  return {
    x: from.x + Math.sign(to.x - from.x) * length,
    y: from.y + Math.sign(to.y - from.y) * length,
  };
}
