import type { Line } from "./reading-order.ts";
import { textOf } from "./segment.ts";

/** The lines of one page before they become text. */
export interface PageLines {
  page: number;
  width: number;
  height: number;
  lines: Line[];
}

// Headers and footers are in the outer eighth of the page.
const MARGIN_SHARE = 0.125;
const SHARE_OF_PAGES = 0.25;
const PAGE_NUMBER = /^\W*(page|seite|p\.?)?\W*\d{1,5}(\s*(of|von|\/)\s*\d{1,5})?\W*$/i;

/**
 * Drops running headers, footers and page numbers: they would split sentences at every page break and make all chunks of
 * a document similar. The first copy of a header stays, because often only the header names the document, its number or
 * its revision.
 */
export function dropFurniture(pages: readonly PageLines[]): PageLines[] {
  const pageCounts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(page.lines.map((line) => furnitureKey(line, page)))) {
      if (key !== undefined) pageCounts.set(key, (pageCounts.get(key) ?? 0) + 1);
    }
  const needed = Math.max(2, Math.ceil(pages.length * SHARE_OF_PAGES));
  const numbered = numberedFooters(pages);
  const kept = new Set<string>();
  return pages.map((page) => {
    const keys = page.lines.map((line) => {
      const key = furnitureKey(line, page);
      return key !== undefined && (pageCounts.get(key) ?? 0) >= needed ? key : numbered.get(line);
    });
    // A scanned page with a printed header counts as a page without text.
    if (!keys.includes(undefined)) return { ...page, lines: [] };
    return {
      ...page,
      lines: page.lines.filter((_, i) => {
        const key = keys[i];
        if (key === undefined) return true;
        if (key.startsWith("number@") || kept.has(key)) return false;
        kept.add(key);
        return true;
      }),
    };
  });
}

const MAX_FOOTER = 100;
const NUMBER_AT_END = /(?:^|[\s|–—-])(\d{1,4})\W*$/;

/**
 * The last line of each page that ends with the number of the page, with its key. A report that was printed from a
 * browser has its footers right below the text, at any height, and the words of a footer may differ by section. Its
 * number goes up with the pages.
 */
function numberedFooters(pages: readonly PageLines[]): Map<Line, string> {
  const last = pages.flatMap(({ page, lines }) => {
    const line = lowest(lines);
    const text = line ? printed(line) : "";
    const number = text.length <= MAX_FOOTER ? NUMBER_AT_END.exec(text)?.[1] : undefined;
    return line && number !== undefined ? [{ line, text, offset: Number(number) - page }] : [];
  });
  const counts = new Map<number, number>();
  for (const { offset } of last) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  const needed = Math.max(3, Math.ceil(pages.length * SHARE_OF_PAGES));
  return new Map(
    last
      .filter(({ offset }) => (counts.get(offset) ?? 0) >= needed)
      .map(({ line, text }) => [
        line,
        PAGE_NUMBER.test(text) ? "number@last" : `${withoutNumbers(text)}@last`,
      ]),
  );
}

function lowest(lines: readonly Line[]): Line | undefined {
  return lines
    .filter(({ segments: [first] }) => first?.upright)
    .reduce<Line | undefined>((low, line) => (low && bottomOf(low) > bottomOf(line) ? low : line), undefined);
}

function bottomOf({ segments: [first] }: Line): number {
  return first ? first.box.y + first.box.height : 0;
}

/** The page has no text but that of a stamp or in its margins. If it also has an image, the image is the page. */
export function isScan(page: PageLines): boolean {
  return page.lines.every(({ segments: [first] }) => {
    if (!first?.upright) return true;
    const middle = (first.box.y + first.box.height / 2) / page.height;
    return middle <= MARGIN_SHARE || middle >= 1 - MARGIN_SHARE;
  });
}

/** Equal for every copy of one header or footer: its words without numbers, and its vertical position. */
function furnitureKey(line: Line, page: PageLines): string | undefined {
  const first = line.segments[0];
  if (!first) return undefined;
  const middle = (first.box.y + first.box.height / 2) / page.height;
  if (middle > MARGIN_SHARE && middle < 1 - MARGIN_SHARE) return undefined;
  const text = printed(line);
  const height = Math.round(middle * 100);
  // Where text ends early, some programs print the number right below it.
  if (PAGE_NUMBER.test(text)) return `number@${middle < 0.5 ? "top" : "bottom"}`;
  // A row of figures at the top of every page is data, not a header.
  if (!/\p{L}{2}/u.test(text)) return undefined;
  return `${withoutNumbers(text)}@${height}`;
}

function printed(line: Line): string {
  return line.segments.map(textOf).join(" ").normalize("NFKC").replace(/\s+/g, " ").trim();
}

function withoutNumbers(text: string): string {
  return text.toLowerCase().replace(/\d+/g, "#");
}
