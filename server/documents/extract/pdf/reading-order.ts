import type { Segment } from "./segment.ts";
import { isRightToLeft } from "../text-direction.ts";

/** A line in reading order: one segment of a column, or the cells of a table row in the direction of the page's script. */
export interface Line {
  segments: Segment[];
  /** Number of the column or band on the page. A change of block ends a paragraph. */
  block: number;
}

const MAX_COLUMN_DEPTH = 3;
const MIN_COLUMN_LINES = 4;
const MIN_PROSE_LINES = 6;

/**
 * Sorts the segments of a page into reading order. Files draw two columns one after the other or row by row; the gap
 * between them identifies the columns in both cases. Text that crosses the gap (a title, a wide table) divides the page
 * into bands, and each band is read column by column.
 */
export function readingOrder(segments: readonly Segment[], pageWidth: number): Line[] {
  const lines: Line[] = [];
  const toTheLeft = isRightToLeft(segments.flatMap(({ pieces }) => pieces));
  let block = 0;

  function emitRows(group: readonly Segment[]): void {
    for (const row of toRows(group)) lines.push({ segments: toTheLeft ? row.toReversed() : row, block });
    block += 1;
  }

  function read(group: readonly Segment[], depth: number): void {
    const gutter = depth < MAX_COLUMN_DEPTH ? findGutter(group, pageWidth) : undefined;
    if (gutter === undefined) return emitRows(group);
    for (const band of toBands(group, gutter)) {
      if (band.crossing) emitRows(band.segments);
      else {
        const columns = [
          band.segments.filter((segment) => rightOf(segment) <= gutter),
          band.segments.filter((segment) => rightOf(segment) > gutter),
        ];
        for (const column of toTheLeft ? columns.toReversed() : columns) read(column, depth + 1);
      }
    }
  }

  read(
    segments.filter((segment) => segment.upright),
    0,
  );
  emitRows(segments.filter((segment) => !segment.upright));
  return lines;
}

const rightOf = (segment: Segment): number => segment.box.x + segment.box.width;
const middleOf = (segment: Segment): number => segment.box.y + segment.box.height / 2;

/** Segments with the same vertical centre form a row. Rows run down the page, cells to the right. */
export function toRows(segments: readonly Segment[]): Segment[][] {
  const rows: { middle: number; height: number; cells: Segment[] }[] = [];
  for (const segment of segments.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const reach = row ? Math.min(row.height, segment.box.height) * 0.45 : 0;
    if (row && middleOf(segment) - row.middle < reach) row.cells.push(segment);
    else rows.push({ middle: middleOf(segment), height: segment.box.height, cells: [segment] });
  }
  return rows.map((row) => row.cells.toSorted((a, b) => a.box.x - b.box.x));
}

/** The x of the white strip between two columns of prose, if the group has one. */
function findGutter(segments: readonly Segment[], pageWidth: number): number | undefined {
  if (segments.length < MIN_COLUMN_LINES * 2) return undefined;
  let best: { x: number; score: number } | undefined;
  // A right column starts at a left edge of text, so no other x is tried.
  for (const start of new Set(segments.map((segment) => Math.floor(segment.box.x)))) {
    const x = start - 1;
    const left = segments.filter((segment) => rightOf(segment) <= x);
    const right = segments.filter((segment) => segment.box.x >= x);
    const crossing = segments.length - left.length - right.length;
    const rest = crossing === 0 && isRest(left, right);
    if (!rest && Math.min(left.length, right.length) <= crossing) continue;
    if (rest && isColumn(left, pageWidth) && sideBySide(left, right) && !best) best = { x, score: 0.5 };
    if (!isColumn(left, pageWidth) || !isColumn(right, pageWidth) || !sideBySide(left, right)) continue;
    const score = Math.min(left.length, right.length) - crossing;
    if (score > 0 && (!best || score > best.score)) best = { x, score };
  }
  return best?.x;
}

/**
 * Lines of prose fill their column and cells of a table do not. A table must be read row by row; a column may contain
 * one, as in the notes of an annual report, if enough of its rows are prose.
 */
function isColumn(segments: readonly Segment[], pageWidth: number): boolean {
  if (segments.length < MIN_COLUMN_LINES) return false;
  const widest = segments.reduce((most, { box }) => Math.max(most, box.width), 0);
  if (widest <= pageWidth * 0.2) return false;
  const full = segments.filter(({ box }) => box.width > widest * 0.6);
  const characters = segments.reduce((sum, segment) => sum + segment.characters, 0) / segments.length;
  if (full.length > segments.length / 2 && characters > 16) return true;
  const prose = full.filter((segment) => segment.characters > 25).length;
  return prose >= MIN_PROSE_LINES && prose >= toRows(segments).length * 0.3;
}

/** The last lines of an article, alone at the top of the last column. */
function isRest(left: readonly Segment[], right: readonly Segment[]): boolean {
  const [first] = right;
  if (!first || right.length >= MIN_COLUMN_LINES || left.length < MIN_PROSE_LINES) return false;
  if (right.some(({ box }) => Math.abs(box.x - first.box.x) > first.box.height / 2)) return false;
  const [top] = heightRange(left);
  return (
    right.every(({ characters }) => characters > 16) &&
    Math.abs(heightRange(right)[0] - top) < first.box.height * 2
  );
}

function sideBySide(left: readonly Segment[], right: readonly Segment[]): boolean {
  const [leftTop, leftBottom] = heightRange(left);
  const [rightTop, rightBottom] = heightRange(right);
  return Math.min(leftBottom, rightBottom) > Math.max(leftTop, rightTop);
}

function heightRange(segments: readonly Segment[]): [top: number, bottom: number] {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { box } of segments) {
    top = Math.min(top, box.y);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return [top, bottom];
}

interface Band {
  crossing: boolean;
  segments: Segment[];
}

function toBands(segments: readonly Segment[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const segment of segments.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const crossing = segment.box.x < gutter && rightOf(segment) > gutter;
    const band = bands.at(-1);
    if (band && band.crossing === crossing) band.segments.push(segment);
    else bands.push({ crossing, segments: [segment] });
  }
  return bands;
}
