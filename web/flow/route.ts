import type { Point } from "./draft.ts";
import { groupBy } from "./group-by.ts";

export interface Box extends Point {
  id: string;
  width: number;
  height: number;
}

/** A line from the bottom of one box to the top of another. */
export interface Line {
  id: string;
  source: string;
  target: string;
  /** Where it starts, in pixels right of the middle of its source. */
  startOffset?: number;
}

/** Distance between parallel lines, and between a line and a box beside it. */
const SPACING = 12;
const CLEARANCE = 16;
/** How many parallel places are tried next to a box before a wider detour. */
const MAX_PARALLEL = 6;
/** A line that enters the first or leaves the last band has this much room. */
const OUTER_ROOM = 40;

/** Boxes that share a height. No box is between two bands, so a horizontal line there hits nothing. */
interface Band {
  top: number;
  bottom: number;
  boxes: Box[];
  /** The vertical lines that pass through it. */
  passing: { x: number; line: Line }[];
}

/** A horizontal part of a line, in the channel above the band with that number. */
interface Run {
  line: Line;
  channel: number;
  from: number;
  to: number;
  y: number;
}

interface Plan {
  line: Line;
  start: Point;
  end: Point;
  runs: Run[];
}

/**
 * Routes lines at right angles around the boxes. A line leaves its source downwards, crosses the bands between source and
 * target where no box is, and enters its target from above. Boxes in rows, as the layout places them, are never crossed;
 * of boxes placed by hand that overlap in height, some may be.
 */
export function routeLines(boxes: readonly Box[], lines: readonly Line[]): Map<string, Point[]> {
  const bands = bandsOf(boxes);
  const bandOf = new Map(bands.flatMap((band, index) => band.boxes.map((box) => [box.id, index] as const)));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const plans: Plan[] = [];
  for (const line of lines) {
    const [source, target] = [byId.get(line.source), byId.get(line.target)];
    if (source === undefined || target === undefined || source === target) continue;
    plans.push(planLine(line, source, target, bands, bandOf));
  }
  assignTracks(
    bands,
    plans.flatMap(({ runs }) => runs),
  );
  return new Map(plans.map((plan) => [plan.line.id, pointsOf(plan)]));
}

function bandsOf(boxes: readonly Box[]): Band[] {
  const bands: Band[] = [];
  for (const box of boxes.toSorted((a, b) => a.y - b.y)) {
    const last = bands.at(-1);
    if (last !== undefined && box.y < last.bottom) {
      last.boxes.push(box);
      last.bottom = Math.max(last.bottom, box.y + box.height);
    } else bands.push({ top: box.y, bottom: box.y + box.height, boxes: [box], passing: [] });
  }
  return bands;
}

function planLine(
  line: Line,
  source: Box,
  target: Box,
  bands: readonly Band[],
  bandOf: ReadonlyMap<string, number>,
): Plan {
  const start = { x: source.x + source.width / 2 + (line.startOffset ?? 0), y: source.y + source.height };
  const end = { x: target.x + target.width / 2, y: target.y };
  const [from, to] = [bandOf.get(source.id) ?? 0, bandOf.get(target.id) ?? 0];
  const run = (channel: number, left: number, right: number): Run => ({
    line,
    channel,
    from: left,
    to: right,
    y: 0,
  });
  // The channel below band n is the one above band n + 1.
  const first = from + 1;
  if (first === to) return { line, start, end, runs: [run(first, start.x, end.x)] };
  const crossed = bands.slice(Math.min(first, to), Math.max(from + 1, to));
  const x = freeX(crossed, start.x, end.x, line);
  for (const band of crossed) band.passing.push({ x, line });
  return { line, start, end, runs: [run(first, start.x, x), run(to, x, end.x)] };
}

/** The nearest x at which a vertical line crosses all these bands without touching a box or another line. */
function freeX(bands: readonly Band[], startX: number, endX: number, line: Line): number {
  const isFree = (x: number): boolean =>
    bands.every(
      ({ boxes, passing }) =>
        boxes.every((box) => x <= box.x - CLEARANCE || x >= box.x + box.width + CLEARANCE) &&
        passing.every(
          (other) =>
            Math.abs(other.x - x) >= SPACING ||
            other.line.source === line.source ||
            other.line.target === line.target,
        ),
    );
  for (const x of [endX, startX]) if (isFree(x)) return x;
  const beside = bands.flatMap(({ boxes }) =>
    boxes.flatMap((box) => [box.x - CLEARANCE, box.x + box.width + CLEARANCE]),
  );
  const detour = (x: number): number => Math.abs(x - startX) + Math.abs(x - endX);
  const candidates = beside.flatMap((x) =>
    Array.from({ length: MAX_PARALLEL }, (_, index) => [x - index * SPACING, x + index * SPACING]).flat(),
  );
  candidates.sort((a, b) => detour(a) - detour(b));
  for (const x of candidates) if (isFree(x)) return x;
  // So many lines pass that none of the places is free: outside of all boxes, sharing a line at worst.
  return Math.min(...beside);
}

/** Horizontal parts of unrelated lines in one channel get different heights; lines of one source or target share one. */
function assignTracks(bands: readonly Band[], runs: readonly Run[]): void {
  const channels = groupBy(runs, (run) => run.channel);
  for (const [channel, inChannel] of channels) {
    const tracks: Run[][] = [];
    for (const run of inChannel.toSorted((a, b) => leftOf(a) - leftOf(b))) {
      const free = tracks.find((track) => track.every((other) => !conflict(run, other)));
      if (free === undefined) tracks.push([run]);
      else free.push(run);
    }
    const top = bands[channel - 1]?.bottom ?? (bands[0]?.top ?? 0) - OUTER_ROOM;
    const bottom = bands[channel]?.top ?? top + OUTER_ROOM;
    const spacing = Math.min(SPACING, (bottom - top) / (tracks.length + 1));
    const middle = (top + bottom) / 2;
    for (const [index, track] of tracks.entries())
      for (const run of track) run.y = middle + (index - (tracks.length - 1) / 2) * spacing;
  }
}

const leftOf = ({ from, to }: Run): number => Math.min(from, to);
const rightOf = ({ from, to }: Run): number => Math.max(from, to);

function conflict(a: Run, b: Run): boolean {
  if (a.line.source === b.line.source || a.line.target === b.line.target) return false;
  return leftOf(a) < rightOf(b) + SPACING && leftOf(b) < rightOf(a) + SPACING;
}

function pointsOf({ start, end, runs }: Plan): Point[] {
  const points = [start];
  for (const { from, to, y } of runs) points.push({ x: from, y }, { x: to, y });
  points.push(end);
  return points.filter(
    (point, index) => index === 0 || index === points.length - 1 || !isOnTheWay(points, index, point),
  );
}

/** A point in the middle of a straight line is not a corner. */
function isOnTheWay(points: readonly Point[], index: number, { x, y }: Point): boolean {
  const [before, after] = [points[index - 1]!, points[index + 1]!];
  return (before.x === x && after.x === x) || (before.y === y && after.y === y);
}
