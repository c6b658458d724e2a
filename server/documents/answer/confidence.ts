import type { Confidence } from "../../../contract/documents.ts";
import { indexTerms } from "../ingest/index-text.ts";
import { coverage } from "../retrieve/lexical.ts";
import type { Passage, Retrieval, StoredChunk } from "../retrieve/retrieve.ts";
import { weightsInside } from "./weights-inside.ts";

/** The confidence must not depend on how many sources are requested. */
export const PASSAGES_GRADED = 5;

/** A floor at 10 passages, and what it rises by for every tenfold of that. */
const HIGH = { atTen: 0.36, perTenfold: 0.03 };
/** What the best passage is ahead of every passage on other pages. Where several are as near, the first is often wrong. */
export const HIGH_MARGIN = 0.05;
/** What the first page is ahead of every other one, also of the same passage: those differ by their quotes alone. */
export const HIGH_PAGE_LEAD = 0.02;
/**
 * The least share of the question's words beyond the title that the best passage contains. "What does the Norvik S7
 * cost?" is near to every page of the Norvik S7, whether or not one has a price.
 */
export const HIGH_WORDS = 0.2;
/** What the floor rises by for a passage with fewer of the words: the title may be the answer's subject and say enough. */
export const WITHOUT_WORDS = 0.15;
const LOW = { atTen: 0.65, perTenfold: 0.13 };
/** What a name that no document contains takes off. */
const UNKNOWN_NAME = 0.3;

// Where the model does not know the script, words alone decide, and a paraphrase shares few. Without any in common, a few
// passages are shown rather than refused: they are soon read.
const LOW_BY_WORDS = 0.12;
const FEW_PASSAGES = 10;

/**
 * Grades a retrieval: high by the relevance of the best passage, its words and its lead, low by how near any passage
 * comes. A language model judges better and overrules it. The more passages are searched, the nearer the best of them comes to any question, so the
 * floors rise with their number. They were chosen on one half of the evaluation set (`npm run eval:confidence`). `asked-subject.ts` lowers `high` further.
 */
export function confidenceOf(retrieval: Retrieval): Confidence {
  const { passages, chunksInScope, question } = retrieval;
  if (passages.length === 0) return "none";
  const raise = wordShareOf(retrieval) >= HIGH_WORDS ? 0 : WITHOUT_WORDS;
  const isRelevant = bestOf(passages, "relevance") >= highFloor(chunksInScope) + raise;
  if (isRelevant && marginOf(passages) >= HIGH_MARGIN) return "high";
  const { vectorTrust } = question;
  const byWords = chunksInScope > FEW_PASSAGES ? LOW_BY_WORDS : 0;
  const low = vectorTrust * floor(LOW, chunksInScope) + (1 - vectorTrust) * byWords;
  return nearnessOf(retrieval) >= low ? "low" : "none";
}

/** The least relevance of the best of so many passages. */
export function highFloor(chunks: number): number {
  return floor(HIGH, chunks);
}

/** How much more relevant the best passage is than the next one that shares no page with it. */
export function marginOf(passages: readonly Passage[]): number {
  const [best, ...others] = passages.toSorted((a, b) => b.relevance - a.relevance);
  if (!best) return 0;
  const next = others.find(({ chunk }) => !sharesPage(chunk, best.chunk));
  return best.relevance - (next?.relevance ?? 0);
}

/** The weighted share of the question's words beyond the title that the best passage contains; 1 if there are none. */
export function wordShareOf({ passages, question }: Pick<Retrieval, "passages" | "question">): number {
  const [best] = passages.toSorted((a, b) => b.relevance - a.relevance);
  if (!best) return 0;
  const weights = weightsInside(best, question);
  return weights.size === 0 ? 1 : coverage(weights, indexTerms("", best.chunk));
}

function sharesPage(a: StoredChunk, b: StoredChunk): boolean {
  return (
    a.documentId === b.documentId && a.spans.some(({ page }) => b.spans.some((other) => other.page === page))
  );
}

/**
 * A paraphrase may be near by one measure only, and an off-topic question is near by none. A question about a name that
 * no document contains is about something else.
 */
export function nearnessOf({ passages, question }: Pick<Retrieval, "passages" | "question">): number {
  const near =
    bestOf(passages, "relevance") + bestOf(passages, "cosine") + bestOf(passages, "sentenceCosine");
  return question.unknownNames.length > 0 ? near - UNKNOWN_NAME : near;
}

function bestOf(passages: readonly Passage[], score: "relevance" | "cosine" | "sentenceCosine"): number {
  return Math.max(0, ...passages.map((passage) => passage[score]));
}

function floor({ atTen, perTenfold }: typeof HIGH, chunks: number): number {
  return atTen + perTenfold * Math.log10(Math.max(1, chunks) / 10);
}
