import type { Confidence } from "../../../contract/documents.ts";
import { type Box, boxesOf, type PageText } from "../extract/page-text.ts";
import type { Passage, StoredChunk } from "../retrieve/retrieve.ts";
import { type Span, splitSentences } from "../ingest/sentences.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";

export interface PageKey {
  documentId: string;
  page: number;
}

export interface Answer {
  answer: string;
  /** How well the passages answer the question; "none" has no sources. */
  confidence: Confidence;
  /** Best first. */
  sources: Source[];
  /** The model's id, "extractive", or "none" when nothing relevant was found. */
  answeredBy: string;
}

export interface PageStore {
  /** In any order; pages outside the scope are left out. */
  pages(scope: SearchScope, keys: readonly PageKey[]): Promise<(PageText & PageKey)[]>;
}

/** A sentence of a passage and its position on its page. */
export interface Quote {
  page: number;
  start: number;
  end: number;
  text: string;
}

/** A source of an answer: a verbatim piece of a page with its position. */
export interface Source {
  chunkId: string;
  documentId: string;
  title: string;
  page: number;
  /** The page in words, in a file without printed pages. */
  location?: string;
  relevance: number;
  quote: string;
  start: number;
  end: number;
  boxes: Box[];
  /** Ranges of the quote that are probably the answer. */
  highlights: Span[];
}

/** The sentences of a chunk, each on its own page. */
export function sentencesOf(chunk: Pick<StoredChunk, "text" | "spans">): Quote[] {
  const quotes: Quote[] = [];
  let offset = 0;
  for (const span of chunk.spans) {
    const text = chunk.text.slice(offset, offset + span.end - span.start);
    for (const { start, end } of splitSentences(text))
      quotes.push({
        page: span.page,
        start: span.start + start,
        end: span.start + end,
        text: text.slice(start, end),
      });
    offset += text.length + 1;
  }
  return quotes;
}

export interface CitedPassage {
  passage: Passage;
  quote: Quote;
  /** Ranges of the quote that are probably the answer. */
  highlights?: Span[];
}

/** A page in words, if one of the sources is on it: "section Refunds", else "page 3". */
export function placeOf(key: PageKey, sources: readonly Source[]): string {
  const source = sources.find(({ documentId, page }) => documentId === key.documentId && page === key.page);
  return source?.location ?? `page ${key.page}`;
}

/** Checks every quote against its page. A quote that the page does not contain verbatim is not a source. */
export async function toSources(
  cited: readonly CitedPassage[],
  scope: SearchScope,
  store: PageStore,
): Promise<Source[]> {
  const keys = cited.map(({ passage, quote }) => ({
    documentId: passage.chunk.documentId,
    page: quote.page,
  }));
  const pages = await store.pages(scope, keys);
  return cited.flatMap(({ passage, quote, highlights = [] }) => {
    const { documentId, chunkId, title } = passage.chunk;
    const page = pages.find((found) => found.documentId === documentId && found.page === quote.page);
    if (page?.text.slice(quote.start, quote.end) !== quote.text) return [];
    const { start, end, text } = quote;
    const relevance = Math.round(passage.relevance * 1000) / 1000;
    const boxes = boxesOf(page, start, end);
    const location = page.location === undefined ? {} : { location: page.location };
    return [
      {
        chunkId,
        documentId,
        title,
        page: quote.page,
        ...location,
        relevance,
        quote: text,
        start,
        end,
        boxes,
        highlights,
      },
    ];
  });
}
