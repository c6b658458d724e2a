import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { Passage, Question, Retrieval } from "../retrieve/retrieve.ts";
import { highlightsOf } from "./answer-kind.ts";
import { canAnswer } from "./asked-subject.ts";
import { HIGH_PAGE_LEAD, PASSAGES_GRADED } from "./confidence.ts";
import { type Answer, type CitedPassage, type PageStore, placeOf, toSources } from "./quote.ts";
import { rankQuotes, type RankedQuote } from "./rank-quotes.ts";

const QUOTES_SHOWN = 3;
/** In a small library the fifth best passage is about something else: it stays a source and is not quoted. */
const SHARE_OF_BEST = 0.5;
/** What the relevance of another page of the passage loses for each point by which its best quote scores lower. */
const OTHER_PAGE = 0.6;

const INTRODUCTIONS = {
  high: "The most relevant passages say:",
  low: "No passage clearly answers this. Closest:",
};

/**
 * The best quotes of the best passages, shown as passages and not as a verdict: terms and vectors measure what a
 * sentence is about, not whether it answers the question. `passages` are more than `topK`: the confidence is high only if
 * one page is ahead of all others.
 */
export async function extractiveAnswer(
  { passages, question }: Retrieval,
  { scope, topK, signal }: Question,
  {
    confidence,
    embedding,
    store,
  }: { confidence: "high" | "low"; embedding: EmbeddingModel; store: PageStore },
): Promise<Answer> {
  const searched = passages.slice(0, Math.max(topK, PASSAGES_GRADED));
  const all = await rankQuotes(searched, question, embedding, signal);
  const used = searched.slice(0, topK);
  const ranked = all.filter(({ passage }) => used.includes(passage));
  const cited = citedPages(used, ranked)
    .slice(0, topK)
    .map((page) => ({ ...page, highlights: highlightsOf(question.text, page.quote.text) }));
  const sources = await toSources(cited, scope, store);
  const isClear = pageLead(citedPages(searched.slice(0, PASSAGES_GRADED), all)) >= HIGH_PAGE_LEAD;
  const floor = SHARE_OF_BEST * Math.max(...used.map(({ relevance }) => relevance));
  const shown = withoutRepeats(ranked.filter(({ passage }) => passage.relevance >= floor)).slice(
    0,
    QUOTES_SHOWN,
  );
  const isHigh = confidence === "high" && isClear && answersFrom(cited[0], shown, question.text);
  const grade = isHigh ? "high" : "low";
  // With a small `topK` a quote may be on a page that is not a source.
  const places = [...sources, ...(await toSources(shown, scope, store))];
  const lines = shown.map(({ passage: { chunk }, quote }) => {
    const key = { documentId: chunk.documentId, page: quote.page };
    return `“${quote.text}” (${chunk.title}, ${placeOf(key, places)})`;
  });
  return {
    answer: `${INTRODUCTIONS[grade]}\n\n${lines.join("\n\n")}`,
    confidence: grade,
    sources,
    answeredBy: "extractive",
  };
}

/** Whether the passage of the first source, with its quotes that are shown, can answer the question. */
function answersFrom(
  first: CitedPassage | undefined,
  shown: readonly CitedPassage[],
  question: string,
): boolean {
  if (first === undefined) return false;
  const { chunk } = first.passage;
  const quotes = shown.filter(({ passage }) => passage.chunk.chunkId === chunk.chunkId);
  return canAnswer(
    question,
    chunk,
    [first, ...quotes].map(({ quote }) => quote.text),
  );
}

/** How far the first page is ahead of the next one. */
function pageLead([first, next]: readonly CitedPassage[]): number {
  return (first?.passage.relevance ?? 0) - (next?.passage.relevance ?? 0);
}

/**
 * The best quote of each page of each passage, the most relevant first. Short pages, sections and slides share a passage:
 * the page with its best quote has the relevance of the passage, and the others rank below it.
 */
function citedPages(passages: readonly Passage[], ranked: readonly RankedQuote[]): CitedPassage[] {
  const pages = passages.flatMap((passage) => {
    const own = ranked.filter((candidate) => candidate.passage === passage);
    const best = own.filter(
      ({ quote }, i) => own.findIndex((other) => other.quote.page === quote.page) === i,
    );
    return best.map((next) => {
      const relevance = passage.relevance - OTHER_PAGE * (own[0]!.score - next.score);
      return { ...next, passage: { ...passage, relevance: Math.max(0, relevance) } };
    });
  });
  return eachPageFirst(withoutRepeats(pages.sort((a, b) => b.passage.relevance - a.passage.relevance)));
}

/** The best quote of every page, then further quotes of the same pages: passages overlap, and one page filled the list. */
function eachPageFirst(quotes: readonly RankedQuote[]): RankedQuote[] {
  const isFirst = (next: RankedQuote, i: number): boolean =>
    quotes.findIndex((other) => isSamePage(next, other)) === i;
  const first = quotes.filter(isFirst);
  const lowest = first.at(-1)?.passage.relevance ?? 0;
  const further = quotes
    .filter((next, i) => !isFirst(next, i))
    .map((next) => {
      const relevance = Math.min(lowest, next.passage.relevance);
      return { ...next, passage: { ...next.passage, relevance } };
    });
  return [...first, ...further];
}

/** Adjacent chunks overlap, and editions of a document repeat each other: a place and a text count once. */
function withoutRepeats(ranked: readonly RankedQuote[]): RankedQuote[] {
  const kept: RankedQuote[] = [];
  for (const next of ranked) if (!kept.some((other) => repeats(next, other))) kept.push(next);
  return kept;
}

function repeats(next: RankedQuote, other: RankedQuote): boolean {
  if (next.quote.text === other.quote.text) return true;
  const overlaps = next.quote.start < other.quote.end && other.quote.start < next.quote.end;
  return isSamePage(next, other) && overlaps;
}

function isSamePage({ passage, quote }: RankedQuote, other: RankedQuote): boolean {
  return passage.chunk.documentId === other.passage.chunk.documentId && quote.page === other.quote.page;
}
