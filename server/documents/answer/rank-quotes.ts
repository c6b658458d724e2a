import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { indexTerms } from "../ingest/index-text.ts";
import type { AnalysedQuestion } from "../retrieve/candidates.ts";
import type { Passage } from "../retrieve/retrieve.ts";
import { answerKindOf, likelyAnswers } from "./answer-kind.ts";
import { sentencesOf } from "./quote.ts";
import { type QuoteCandidate, quoteCandidates } from "./quote-candidates.ts";
import { weightsInside } from "./weights-inside.ts";

export interface RankedQuote {
  passage: Passage;
  quote: QuoteCandidate;
  score: number;
}

// Measured with the evaluation set; the table is in docs/reference/document-search.md.
const WORDS = 0.5;
const MEANING = 0.5;
/** Half of a word that only the heading or the introduction contains. */
const CONTEXT = 0.5;
/** The quote contains what the question asks for: a date, a number, a name. */
const KIND = 0.15;

/** Every quote of the passages, best first. */
export async function rankQuotes(
  passages: readonly Passage[],
  question: AnalysedQuestion,
  embedding: EmbeddingModel,
  signal?: AbortSignal,
): Promise<RankedQuote[]> {
  const kind = answerKindOf(question.text);
  const cosines = await sentenceCosines(passages, question, embedding, signal);
  return passages
    .flatMap((passage, i) => {
      const weights = weightsInside(passage, question);
      return quoteCandidates(passage.chunk).map((quote): RankedQuote => {
        const isOfKind = kind !== undefined && likelyAnswers(kind, quote.text, question.text).length > 0;
        const score =
          passage.relevance +
          WORDS * coverageOf(quote, weights) +
          MEANING * (cosines[i]?.[quote.sentence] ?? 0) +
          (isOfKind ? KIND : 0);
        return { passage, quote, score };
      });
    })
    .sort((a, b) => b.score - a.score);
}

function coverageOf({ text, context }: QuoteCandidate, weights: ReadonlyMap<string, number>): number {
  const own = new Set(indexTerms("", { text }));
  const above = new Set(indexTerms("", { text: "", heading: context }));
  let found = 0;
  let total = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (own.has(term)) found += weight;
    else if (above.has(term)) found += CONTEXT * weight;
  }
  return total > 0 ? found / total : 0;
}

/** The cosines of the index. Those of an older index do not fit the sentences, which are then embedded now. */
async function sentenceCosines(
  passages: readonly Passage[],
  { vector }: AnalysedQuestion,
  embedding: EmbeddingModel,
  signal?: AbortSignal,
): Promise<(readonly number[])[]> {
  const texts = passages.map(({ chunk }) => sentencesOf(chunk).map(({ text }) => text));
  const missing = passages.flatMap(({ sentenceCosines: known }, i) =>
    known.length === texts[i]?.length ? [] : (texts[i] ?? []),
  );
  const distinct = [...new Set(missing)];
  const vectors = distinct.length > 0 ? await embedding.embed(distinct, signal) : [];
  const cosineOf = new Map(distinct.map((text, i) => [text, dot(vector, vectors[i]!)]));
  return passages.map(({ sentenceCosines: known }, i) =>
    known.length === texts[i]?.length ? known : (texts[i] ?? []).map((text) => cosineOf.get(text) ?? 0),
  );
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
