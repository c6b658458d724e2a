import type { Heading, PageText } from "../extract/page-text.ts";
import { createHeadingPath } from "./heading-path.ts";
import { splitSentences } from "./sentences.ts";

/** A range of one page's text. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
}

/** The part of a chunk on one page. */
export interface ChunkSpan extends PageSpan {
  /** Offsets on the page of the lines that are headings in the file. Absent where there is none. */
  headings?: number[];
}

/** The unit of embedding and retrieval: consecutive sentences, about 200 word pieces. */
export interface Chunk {
  ordinal: number;
  text: string;
  /** The position of the text, one span per page, in order; `text` is these pieces joined by line breaks. */
  spans: ChunkSpan[];
  wordPieces: number;
  /** The headings above the text, from the highest level down: "Warranty > Repairs". */
  heading?: string;
}

interface ChunkOptions {
  maxWordPieces: number;
  overlapWordPieces: number;
}

// Measured: 128–256 word pieces retrieve equally well, 400 and more worse. The overlap keeps facts that span two
// sentences together.
const defaultChunkOptions: ChunkOptions = { maxWordPieces: 200, overlapWordPieces: 40 };

interface Unit extends PageSpan {
  wordPieces: number;
}

type ChunkedPage = Pick<PageText, "page" | "text" | "headings">;

/** Packs the sentences of all pages into chunks. `count` measures a text in word pieces. */
export function chunkPages(
  pages: readonly ChunkedPage[],
  count: (text: string) => number,
  options: ChunkOptions = defaultChunkOptions,
): Chunk[] {
  const pageOf = new Map(pages.map((page) => [page.page, page]));
  const units = pages.flatMap((page) => unitsOf(page, count, options.maxWordPieces));
  const hasLongPages = sum(units) >= LONG_PAGE * options.maxWordPieces * pages.length;
  const headingAbove = createHeadingPath(pages);
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  let fresh = 0;
  let size = 0;
  const close = (): void => {
    if (fresh === 0) return;
    const chunk = toChunk(chunks.length, open, size, pageOf);
    const heading = headingAbove(open.at(-fresh) ?? open[0]!);
    chunks.push(heading === "" ? chunk : { ...chunk, heading });
    open = tail(open, options.overlapWordPieces);
    size = sum(open);
    fresh = 0;
  };
  for (const unit of units) {
    const isNextPage = open.at(-1) !== undefined && open.at(-1)?.page !== unit.page;
    if (hasLongPages && isNextPage && beginsWithHeading(pageOf.get(unit.page))) {
      close();
      [open, size] = [[], 0];
    }
    if (size + unit.wordPieces > options.maxWordPieces) close();
    // A long sentence takes the place of the overlap.
    while (open.length > 0 && size + unit.wordPieces > options.maxWordPieces)
      size -= open.shift()?.wordPieces ?? 0;
    open.push(unit);
    size += unit.wordPieces;
    fresh += 1;
  }
  close();
  return chunks;
}

/** In chunks, on average. Slides, letters and sections are shorter, and one that is cut off says too little alone. */
const LONG_PAGE = 2;

/** The name of the company may come before the heading. */
const TOP_OF_PAGE = 120;

/**
 * A page with a heading at its top is about something else than the page before. A chunk of both would be found by the
 * heading and cited with the end of the page before.
 */
function beginsWithHeading(page: ChunkedPage | undefined): boolean {
  return page?.headings?.some(({ start }) => start <= TOP_OF_PAGE) ?? false;
}

/** Sentences. Those longer than a chunk (tables, lists without full stops) are split. */
function unitsOf(page: ChunkedPage, count: (text: string) => number, maxWordPieces: number): Unit[] {
  return splitSentences(page.text).flatMap(({ start, end }) => {
    const wordPieces = count(page.text.slice(start, end));
    if (wordPieces <= maxWordPieces) return [{ page: page.page, start, end, wordPieces }];
    return splitLong(page, start, end, count, maxWordPieces);
  });
}

function splitLong(
  page: ChunkedPage,
  start: number,
  end: number,
  count: (text: string) => number,
  maxWordPieces: number,
): Unit[] {
  const units: Unit[] = [];
  let open: Unit | undefined;
  // Broken files contain words of thousands of letters; 100 characters are at most 100 word pieces.
  for (const match of page.text.slice(start, end).matchAll(/\S{1,100}/gu)) {
    const from = start + match.index;
    const to = from + match[0].length;
    const wordPieces = count(match[0]);
    if (open && open.wordPieces + wordPieces <= maxWordPieces) {
      open.end = to;
      open.wordPieces += wordPieces;
    } else {
      open = { page: page.page, start: from, end: to, wordPieces };
      units.push(open);
    }
  }
  return units;
}

function toChunk(
  ordinal: number,
  units: readonly Unit[],
  wordPieces: number,
  pageOf: ReadonlyMap<number, ChunkedPage>,
): Chunk {
  const spans: ChunkSpan[] = [];
  for (const { page, start, end } of units) {
    const last = spans.at(-1);
    if (last && last.page === page) last.end = end;
    else spans.push({ page, start, end });
  }
  const text = spans
    .map((span) => (pageOf.get(span.page)?.text ?? "").slice(span.start, span.end))
    .join("\n");
  return { ordinal, text, spans: spans.map((span) => withHeadings(span, pageOf.get(span.page))), wordPieces };
}

/** A span may begin inside of a heading: the rest of the line is a heading too. */
function withHeadings(span: PageSpan, page: ChunkedPage | undefined): ChunkSpan {
  if (!page?.headings) return span;
  const headings = page.headings.flatMap((heading) => {
    const end = endOfHeading(page.text, heading);
    return end > span.start && heading.start < span.end ? [Math.max(heading.start, span.start)] : [];
  });
  return headings.length > 0 ? { ...span, headings } : span;
}

/** The end of a heading's line. The name of a sheet is a heading that the page does not contain: 0. */
function endOfHeading(text: string, heading: Heading): number {
  const lineEnd = text.indexOf("\n", heading.start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  return letters(text.slice(heading.start, end)) === letters(heading.text) ? end : 0;
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

function tail(units: readonly Unit[], budget: number): Unit[] {
  const kept: Unit[] = [];
  let left = budget;
  for (const unit of units.toReversed()) {
    left -= unit.wordPieces;
    if (left < 0) break;
    kept.unshift(unit);
  }
  return kept;
}

const sum = (units: readonly Unit[]): number => units.reduce((total, unit) => total + unit.wordPieces, 0);
