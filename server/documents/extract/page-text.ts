import { hasRightToLeft } from "./text-direction.ts";

/** A rectangle on a page in points, measured from the page's upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A range of a page's text and its position on the page. */
export interface TextRun {
  start: number;
  end: number;
  box: Box;
}

/** A heading on a page. It holds until the next one of the same or a higher level; an empty text only ends others. */
export interface Heading {
  /** Offset of its first character in the page's text. */
  start: number;
  text: string;
  /** 1 is the highest. */
  level: number;
}

/**
 * The result of extraction for one page. `text` is the cleaned text in reading order: quotes are verbatim pieces of it,
 * and all character offsets refer to it. Paragraphs and table rows end with "\n".
 */
export interface PageText {
  /** The page's number in the file, counted from 1, whatever number is printed on it. */
  page: number;
  width: number;
  height: number;
  text: string;
  runs: TextRun[];
  /** In the order of the text. */
  headings?: Heading[];
  /** What the page is, in words, in a file without printed pages: "slide 3", "sheet Budget", "section Refunds". */
  location?: string;
}

/** The boxes that cover `text.slice(start, end)`, one for each line it touches. */
export function boxesOf(page: Pick<PageText, "runs" | "text">, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (const run of page.runs) {
    if (run.end <= start || run.start >= end) continue;
    const box = clip(run, start, end, hasRightToLeft(page.text.slice(run.start, run.end)));
    const last = boxes.at(-1);
    if (last && sameLine(last, box)) boxes[boxes.length - 1] = union(last, box);
    else boxes.push(box);
  }
  return boxes.map(rounded);
}

// Glyph widths are not stored. Interpolating by characters is accurate to a few points.
function clip(run: TextRun, start: number, end: number, toTheLeft: boolean): Box {
  const length = run.end - run.start;
  const from = Math.max(start - run.start, 0) / length;
  const to = Math.min(end - run.start, length) / length;
  const before = toTheLeft ? 1 - to : from;
  return { ...run.box, x: run.box.x + run.box.width * before, width: run.box.width * (to - from) };
}

function sameLine(a: Box, b: Box): boolean {
  const gap = Math.max(b.x - (a.x + a.width), a.x - (b.x + b.width));
  return Math.abs(a.y - b.y) < Math.max(a.height, b.height) / 2 && gap > -a.height && gap < a.height * 2;
}

function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

export function rounded(box: Box): Box {
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  return { x: tenth(box.x), y: tenth(box.y), width: tenth(box.width), height: tenth(box.height) };
}
