import { type Answerer, createAnswerer } from "../../server/documents/answer/answer.ts";
import type { Answer } from "../../server/documents/answer/quote.ts";
import { createRetriever } from "../../server/documents/retrieve/retrieve.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import type { EvalQuestion } from "./corpus/corpus-types.ts";
import { cpuMs, documentIdOf, type Library, OWNER } from "./library.ts";

export interface Scores {
  questions: number;
  pageHitAt1: number;
  pageHitAt5: number;
  ndcgAt10: number;
  /** The first quote contains the answer. */
  firstQuoteHit: number;
  /** One of the three sentences of the answer contains it. */
  answerHit: number;
  wronglyRefused: number;
  cpuMsPerQuestion: number;
}

export interface Miss {
  question: string;
  expected: string;
  got: string;
}

const DEPTH = 10;

export function answererOf(library: Library, embedding: EmbeddingModel): Answerer {
  const { index, store } = library;
  return createAnswerer({ retrieve: createRetriever({ embedding, index, store }), embedding, store });
}

/** Asks every question over the whole library or, with `inside`, only over its own document. */
export async function scoreQuestions(
  library: Library,
  answer: Answerer,
  questions: readonly EvalQuestion[],
  { inside = false, onMiss }: { inside?: boolean; onMiss?: (miss: Miss) => void } = {},
): Promise<Scores> {
  const sums = { at1: 0, at5: 0, ndcg: 0, quote: 0, answered: 0, refused: 0 };
  const start = cpuMs();
  for (const { document, question, answer: expected } of questions) {
    const right = pagesOf(library, document, expected);
    const documentId = documentIdOf(document);
    const scope = { ownerId: OWNER, ...(inside && { documentIds: [documentId] }) };
    const result = await answer({ query: question, scope, topK: DEPTH });
    const hits = result.sources.map((source) => source.documentId === documentId && right.has(source.page));
    const rank = hits.indexOf(true);
    if (rank === 0) sums.at1 += 1;
    if (rank >= 0 && rank < 5) sums.at5 += 1;
    sums.ndcg += ndcg(hits);
    const first = result.sources[0];
    if (first?.documentId === documentId && containsText(first.quote, expected)) sums.quote += 1;
    if (containsText(result.answer, expected)) sums.answered += 1;
    if (result.sources.length === 0) sums.refused += 1;
    if (rank !== 0)
      onMiss?.({ question, expected: `${document}:${[...right].join()} ${expected}`, got: describe(result) });
  }
  const share = (sum: number): number => sum / questions.length;
  return {
    questions: questions.length,
    pageHitAt1: share(sums.at1),
    pageHitAt5: share(sums.at5),
    ndcgAt10: share(sums.ndcg),
    firstQuoteHit: share(sums.quote),
    answerHit: share(sums.answered),
    wronglyRefused: share(sums.refused),
    cpuMsPerQuestion: (cpuMs() - start) / questions.length,
  };
}

export async function refusalRate(
  answer: Answerer,
  questions: readonly string[],
  onAnswered?: (miss: Miss) => void,
): Promise<number> {
  let refused = 0;
  for (const question of questions) {
    const result = await answer({ query: question, scope: { ownerId: OWNER }, topK: 5 });
    if (result.sources.length === 0) refused += 1;
    else onAnswered?.({ question, expected: "a refusal", got: describe(result) });
  }
  return refused / questions.length;
}

function pagesOf({ truth }: Library, document: string, expected: string): Set<number> {
  const pages = new Set<number>();
  const texts = truth.get(document) ?? [];
  for (const [index, text] of texts.entries()) if (containsText(text, expected)) pages.add(index + 1);
  // An answer may cross a page break; then both pages count as correct.
  if (pages.size === 0)
    for (let i = 0; i + 1 < texts.length; i++)
      if (containsText(`${texts[i]} ${texts[i + 1]}`, expected)) pages.add(i + 1).add(i + 2);
  if (pages.size === 0) throw new Error(`${document} does not contain "${expected}"`);
  return pages;
}

/** Repeated hits on a page count once. There is one correct page, so the ideal is a hit at rank one. */
function ndcg(hits: readonly boolean[]): number {
  const rank = hits.indexOf(true);
  return rank < 0 ? 0 : 1 / Math.log2(rank + 2);
}

function containsText(text: string, piece: string): boolean {
  const plain = (value: string): string => value.replace(/\s+/g, " ").toLowerCase();
  return plain(text).includes(plain(piece));
}

function describe({ sources }: Answer): string {
  return (
    sources
      .slice(0, 3)
      .map(
        (source) => `${source.documentId}:${source.page} ${source.relevance} "${source.quote.slice(0, 60)}"`,
      )
      .join(" | ") || "refused"
  );
}
