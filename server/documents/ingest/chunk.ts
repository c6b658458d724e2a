import type { PageText } from "../extract/page-text.ts";
import { splitSentences } from "./sentences.ts";

/** A stretch of one page's text. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
}

/** What is embedded and retrieved: neighbouring sentences, about 200 word pieces of them. */
export interface Chunk {
  ordinal: number;
  text: string;
  /** Where the text stands, one span a page, in order; `text` is these pieces joined by line breaks. */
  spans: PageSpan[];
  wordPieces: number;
}

interface ChunkOptions {
  maxWordPieces: number;
  overlapWordPieces: number;
}

// 128–256 word pieces retrieve equally well, 400 and more worse; the overlap saves facts told in two sentences.
const defaultChunkOptions: ChunkOptions = { maxWordPieces: 200, overlapWordPieces: 40 };

interface Unit extends PageSpan {
  wordPieces: number;
}

/** Packs the sentences of all pages into chunks. `count` measures a text in word pieces. */
export function chunkPages(
  pages: readonly Pick<PageText, "page" | "text">[],
  count: (text: string) => number,
  options: ChunkOptions = defaultChunkOptions,
): Chunk[] {
  const textOf = new Map(pages.map((page) => [page.page, page.text]));
  const units = pages.flatMap((page) => unitsOf(page, count, options.maxWordPieces));
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  let fresh = 0;
  let size = 0;
  const close = (): void => {
    if (fresh === 0) return;
    chunks.push(toChunk(chunks.length, open, size, textOf));
    open = tail(open, options.overlapWordPieces);
    size = sum(open);
    fresh = 0;
  };
  for (const unit of units) {
    if (size + unit.wordPieces > options.maxWordPieces) close();
    // The overlap gives way to a sentence that needs the room.
    while (open.length > 0 && size + unit.wordPieces > options.maxWordPieces)
      size -= open.shift()?.wordPieces ?? 0;
    open.push(unit);
    size += unit.wordPieces;
    fresh += 1;
  }
  close();
  return chunks;
}

/** Sentences, and the pieces of those that are longer than a chunk may be (tables, lists without stops). */
function unitsOf(
  page: Pick<PageText, "page" | "text">,
  count: (text: string) => number,
  maxWordPieces: number,
): Unit[] {
  return splitSentences(page.text).flatMap(({ start, end }) => {
    const wordPieces = count(page.text.slice(start, end));
    if (wordPieces <= maxWordPieces) return [{ page: page.page, start, end, wordPieces }];
    return splitLong(page, start, end, count, maxWordPieces);
  });
}

function splitLong(
  page: Pick<PageText, "page" | "text">,
  start: number,
  end: number,
  count: (text: string) => number,
  maxWordPieces: number,
): Unit[] {
  const units: Unit[] = [];
  let open: Unit | undefined;
  // Words of thousands of letters exist in broken files; 100 characters are at most 100 word pieces.
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
  textOf: Map<number, string>,
): Chunk {
  const spans: PageSpan[] = [];
  for (const { page, start, end } of units) {
    const last = spans.at(-1);
    if (last && last.page === page) last.end = end;
    else spans.push({ page, start, end });
  }
  const text = spans.map((span) => (textOf.get(span.page) ?? "").slice(span.start, span.end)).join("\n");
  return { ordinal, text, spans, wordPieces };
}

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
