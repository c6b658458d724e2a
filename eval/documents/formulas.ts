import { relevanceOf } from "../../server/documents/retrieve/fuse.ts";
import type { FoundChunk } from "./library.ts";

export interface Found {
  chunks: readonly FoundChunk[];
  weights: ReadonlyMap<string, number>;
}

/** A score for each chunk; only its order counts. */
export type Formula = (found: Found) => number[];

const meaningOf = ({ cosine, sentenceCosine }: FoundChunk): number => (cosine + sentenceCosine) / 2;
const each =
  (score: (chunk: FoundChunk) => number): Formula =>
  ({ chunks }) =>
    chunks.map(score);

/** The formulas that were tried, from the first to the one in use. */
export const formulas: Record<string, Formula> = {
  "½ min-max(chunk cosine) + ½ min-max(BM25)": (found) => blend(found, 0.5, ({ cosine }) => cosine),
  "reciprocal ranks of chunk, sentence and BM25": (found) => {
    const ranks = [
      found.chunks.map(({ cosine }) => cosine),
      found.chunks.map(({ sentenceCosine }) => sentenceCosine),
      bm25(found),
    ].map(ranksOf);
    return found.chunks.map((_, i) => ranks.reduce((sum, rank) => sum + 1 / (60 + (rank[i] ?? 0)), 0));
  },
  "min-max(meaning) and min-max(BM25), weight ½ × best coverage": (found) =>
    blend(found, 0.5 * Math.max(0, ...found.chunks.map(({ coverage }) => coverage)), meaningOf),
  "chunk cosine alone": each(({ cosine }) => cosine),
  "best sentence alone": each(({ sentenceCosine }) => sentenceCosine),
  meaning: each(meaningOf),
  "meaning + 0.35 × BM25 share": (found) => {
    const share = bm25(found, true);
    return found.chunks.map((chunk, i) => meaningOf(chunk) + 0.35 * (share[i] ?? 0));
  },
  "better of both cosines + 0.35 × coverage²": each(
    ({ cosine, sentenceCosine, coverage }) => Math.max(cosine, sentenceCosine) + 0.35 * coverage ** 2,
  ),
  "meaning + 0.35 × coverage": each((chunk) => meaningOf(chunk) + 0.35 * chunk.coverage),
  "meaning + 0.5 × coverage²": each((chunk) => meaningOf(chunk) + 0.5 * chunk.coverage ** 2),
  "in use: meaning + 0.35 × coverage²": each(relevanceOf),
};

function blend(found: Found, wordWeight: number, meaning: (chunk: FoundChunk) => number): number[] {
  const words = stretch(bm25(found));
  return stretch(found.chunks.map(meaning)).map(
    (value, i) => (1 - wordWeight) * value + wordWeight * (words[i] ?? 0),
  );
}

const K1 = 1.2;
const B = 0.75;

/** BM25 of each chunk, or its share of the greatest possible value. */
function bm25({ chunks, weights }: Found, asShare = false): number[] {
  const averageLength = chunks.reduce((sum, { terms }) => sum + terms.length, 0) / (chunks.length || 1);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight * (K1 + 1), 0);
  return chunks.map(({ terms }) => {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    let score = 0;
    for (const [term, weight] of weights) {
      const count = counts.get(term) ?? 0;
      score += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * terms.length) / averageLength));
    }
    return asShare ? score / (total || 1) : score;
  });
}

function stretch(values: readonly number[]): number[] {
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  return values.map((value) => (range > 0 ? (value - lowest) / range : 1));
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const ranks: number[] = [];
  for (const [rank, i] of order.entries()) ranks[i] = rank;
  return ranks;
}
