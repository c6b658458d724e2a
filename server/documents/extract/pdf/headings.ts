import { bodyStyle, type LineStyle, styleOf } from "./line-style.ts";
import type { OutlineEntry } from "./outline.ts";
import type { PageLines } from "./page-furniture.ts";
import type { Line } from "./reading-order.ts";
import { textOf } from "./segment.ts";

/** The levels of the lines that are headings; 1 is the highest. */
export type HeadingLines = ReadonlyMap<Line, number>;

const LARGER = 1.12;
const MAX_LENGTH = 150;
// More lines in a row with one style are a paragraph in another font, not a heading.
const MAX_LINES = 3;
// Where more of a page's lines than this are in another font than its text or in capitals, they are not headings.
const MAX_SHARE = 0.25;
const MAX_SIZES = 5;
const SHORT_PAGES = 12;
// An outline of one or two entries ("Cover"), or of one chapter only, says nothing about the rest of the document.
const MIN_LISTED = 3;

/**
 * Finds headings by their looks (a larger size, another font than the text, capitals) and by the outline. The
 * outline knows the levels best, so headings that it does not list rank below those that it does.
 */
export function findHeadings(pages: readonly PageLines[], outline: readonly OutlineEntry[]): HeadingLines {
  const levels = listedLines(pages, outline);
  const depth = Math.max(0, ...levels.values());
  const body = bodyStyle(segmentsOf(pages)).size;
  const styled = pages.flatMap((page) => styledLines(page, body));
  const larger = styled.filter(({ style }) => style.size >= body * LARGER);
  const ranks = rankSizes(larger, pages.length);
  for (const { line, style } of styled)
    if (!levels.has(line)) levels.set(line, depth + (ranks.get(style.size) ?? MAX_SIZES));
  return levels;
}

/**
 * 1 for the largest size; sizes that differ by less than a twelfth are one. A size that does not recur throughout a long
 * document gets no rank: its heading would be above everything that follows.
 */
function rankSizes(lines: readonly StyledLine[], pages: number): Map<number, number> {
  const ranks = new Map<number, number>();
  const sizes = [...new Set(lines.map(({ style }) => style.size))].sort((a, b) => b - a);
  let rank = 0;
  while (sizes[0] !== undefined && rank < MAX_SIZES - 1) {
    const largest = sizes[0];
    const alike = sizes.filter((size) => size > largest * 0.92);
    sizes.splice(0, alike.length);
    const places = lines.filter(({ style }) => alike.includes(style.size)).map(({ page }) => page);
    if (!recurs(places, pages)) continue;
    rank += 1;
    for (const size of alike) ranks.set(size, rank);
  }
  return ranks;
}

/** No third of the document is without one of these places. */
function recurs(places: readonly number[], pages: number): boolean {
  if (pages <= SHORT_PAGES) return true;
  return [...places, pages + 1].every((page, i) => page - (places[i - 1] ?? 0) <= pages / 3);
}

function* segmentsOf(pages: readonly PageLines[]) {
  for (const { lines } of pages) for (const { segments } of lines) yield* segments;
}

/** Lines that repeat the title of an outline entry on the page that it leads to. */
function listedLines(pages: readonly PageLines[], outline: readonly OutlineEntry[]): Map<Line, number> {
  const found = new Map<Line, number>();
  const places: number[] = [];
  const titles = new Map(outline.map(({ page, title, level }) => [`${page} ${lettersOf(title)}`, level]));
  for (const { page, lines } of pages)
    for (const line of lines) {
      const key = `${page} ${lettersOf(line.segments.map(textOf).join(" "))}`;
      const level = titles.get(key);
      if (level === undefined) continue;
      found.set(line, level);
      places.push(page);
      titles.delete(key);
    }
  return found.size >= MIN_LISTED && recurs(places, pages.length) ? found : new Map();
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

interface StyledLine {
  page: number;
  line: Line;
  style: LineStyle;
}

function styledLines(page: PageLines, body: number): StyledLine[] {
  const { font } = bodyStyle(segmentsOf([page]));
  const lines = page.lines.map((line) => ({ page: page.page, line, style: styleOf(line) }));
  const isLarger = ({ style }: StyledLine): boolean => style.size >= body * LARGER;
  const stands = ({ line, style }: StyledLine): boolean =>
    style.size > body * 0.9 && ((style.font !== "" && style.font !== font) || isUpperCase(line));
  const standsOut = lines.filter(stands).length <= lines.length * MAX_SHARE;
  const found: StyledLine[] = [];
  let run: StyledLine[] = [];
  const close = (): void => {
    if (run.length <= MAX_LINES && run.every(({ line }) => isTitle(line))) found.push(...run);
    run = [];
  };
  for (const entry of lines) {
    const last = run.at(-1)?.style;
    if (last && (last.size !== entry.style.size || last.font !== entry.style.font)) close();
    if (isLarger(entry) || (standsOut && stands(entry))) run.push(entry);
    else close();
  }
  close();
  return found;
}

function isUpperCase({ segments }: Line): boolean {
  const text = segments.map(textOf).join(" ");
  return /\p{Lu}{4}/u.test(text) && !/\p{Ll}/u.test(text);
}

/** One segment, or a number and a title after a gap: "Item 7." and "Management's Discussion". */
function isTitle({ segments }: Line): boolean {
  const [first, second] = segments;
  if (!first?.upright || segments.length > 2) return false;
  if (second && !NUMBER.test(textOf(first).trim())) return false;
  const text = textOf(second ?? first).trim();
  if (text.length > MAX_LENGTH || !/\p{L}{2}/u.test(text) || /[,;]$/.test(text)) return false;
  return !/[.!?]$/.test(text) || text.split(" ").length < 7;
}

const NUMBER =
  /^(?:(?:item|part|chapter|section|note|article|kapitel|teil|abschnitt)\s*)?(?:\d|[IVXLC]|[A-Z]\b)[\dIVXLCA-Z.]*[):]?$/iu;
