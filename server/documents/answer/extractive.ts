import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { coverage } from "../retrieve/lexical.ts";
import {
  type Answer,
  type CitedPassage,
  type PageStore,
  type Quote,
  sentencesOf,
  toSources,
} from "./quote.ts";
import type { AnalysedQuestion, Passage, Question, Retrieval } from "../retrieve/retrieve.ts";
import { termsOf } from "../retrieve/terms.ts";

const SENTENCES_EMBEDDED = 8;
const SENTENCES_SHOWN = 3;

const INTRODUCTIONS = {
  high: "The most relevant passages say:",
  low: "No passage clearly answers this. Closest:",
};

interface Candidate {
  passage: Passage;
  quote: Quote;
  score: number;
}

/**
 * The best sentences of the best passages, shown as passages and not as a verdict: terms and vectors measure what a
 * sentence is about, not whether it answers the question.
 */
export async function extractiveAnswer(
  { passages, question }: Retrieval,
  { scope, signal }: Question,
  {
    confidence,
    embedding,
    store,
  }: { confidence: "high" | "low"; embedding: EmbeddingModel; store: PageStore },
): Promise<Answer> {
  const candidates = await scoreSentences(passages, question, embedding, signal);
  const cited = passages.flatMap((passage): CitedPassage[] => {
    const best = candidates.find((candidate) => candidate.passage === passage);
    return best ? [{ passage, quote: best.quote }] : [];
  });
  const sources = await toSources(cited, scope, store);
  const shown = withoutRepeats(candidates).slice(0, SENTENCES_SHOWN);
  const lines = shown.map(
    ({ passage, quote }) => `“${quote.text}” (${passage.chunk.title}, page ${quote.page})`,
  );
  return {
    answer: `${INTRODUCTIONS[confidence]}\n\n${lines.join("\n\n")}`,
    confidence,
    sources,
    answeredBy: "extractive",
  };
}

/**
 * Every sentence of the passages, best first: scored by terms and the relevance of its passage; the best eight also by
 * cosine, at about 3 ms each.
 */
async function scoreSentences(
  passages: readonly Passage[],
  question: AnalysedQuestion,
  embedding: EmbeddingModel,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const candidates = passages.flatMap(scoreByWords(question)).sort((a, b) => b.score - a.score);
  const finalists = withoutRepeats(candidates).slice(0, SENTENCES_EMBEDDED);
  const vectors = await embedding.embed(
    finalists.map(({ quote }) => quote.text),
    signal,
  );
  for (const [i, finalist] of finalists.entries())
    finalist.score += 0.5 * Math.max(0, dot(question.vector, vectors[i] ?? new Float32Array()));
  return candidates.sort((a, b) => b.score - a.score);
}

// Every chunk is indexed with its title: title terms select the passage and say little about a sentence.
const TITLE_SHARE = 0.1;
const HEADING_PENALTY = 0.15;

function scoreByWords({ weights }: AnalysedQuestion): (passage: Passage) => Candidate[] {
  return (passage) => {
    const inTitle = new Set(termsOf(passage.chunk.title));
    const own = new Map(
      [...weights].map(([term, weight]) => [term, inTitle.has(term) ? weight * TITLE_SHARE : weight]),
    );
    return sentencesOf(passage.chunk).map((quote) => {
      const penalty = quote.text.split(" ").length < 5 ? HEADING_PENALTY : 0;
      const words = 0.5 * coverage(own, termsOf(quote.text));
      return { passage, quote, score: words + 0.5 * passage.relevance - penalty };
    });
  };
}

/** Adjacent chunks overlap: the same sentence of the same page counts once. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ passage, quote }) => {
    const place = `${passage.chunk.documentId}:${quote.page}:${quote.start}`;
    return !seen.has(place) && seen.add(place);
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
