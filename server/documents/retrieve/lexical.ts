import type { ChunkKey, SearchScope } from "./vector-index.ts";

/** Term statistics of an owner's chunks. */
export interface TermStatistics {
  chunks: number;
  /** Mean number of terms in a chunk. */
  averageLength: number;
  /** The number of chunks that contain each term of the question. */
  containing: ReadonlyMap<string, number>;
}

/** A chunk that shares terms with the question, and its indexed terms in order. */
export interface LexicalCandidate extends ChunkKey {
  terms: readonly string[];
}

/** The full-text index of the database. */
export interface LexicalStore {
  /** Over all documents of the owner, not only the scope: relevance stays comparable between questions. */
  statistics(ownerId: string, terms: readonly string[]): Promise<TermStatistics>;
  /** Chunks inside the scope that contain any of the terms, the database's best guess first. */
  candidates(scope: SearchScope, terms: readonly string[], limit: number): Promise<LexicalCandidate[]>;
}

const K1 = 1.2;
const B = 0.75;

/** BM25 of each candidate. */
export function bm25(
  candidates: readonly LexicalCandidate[],
  terms: readonly string[],
  statistics: TermStatistics,
): number[] {
  const weights = new Map(
    terms.map((term) => [term, idf(statistics.containing.get(term) ?? 0, statistics.chunks)]),
  );
  return candidates.map((candidate) => {
    const counts = new Map<string, number>();
    for (const term of candidate.terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const length = candidate.terms.length / (statistics.averageLength || 1);
    let score = 0;
    for (const [term, count] of counts)
      score += ((weights.get(term) ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    return score;
  });
}

function idf(containing: number, chunks: number): number {
  return Math.log(1 + (Math.max(chunks, containing) - containing + 0.5) / (containing + 0.5));
}

// In a library of three chunks no term is measurably rare, and a missing term may be a synonym of a present one. A
// background of 1,000 chunks, of which 3 contain any term, keeps a missing term from weighing five times as much as a
// found one.
const BACKGROUND_CHUNKS = 1000;
const BACKGROUND_CONTAINING = 3;

/** The weight of each term of a question in `coverage`. */
export function termWeights(terms: readonly string[], statistics: TermStatistics): Map<string, number> {
  const chunks = statistics.chunks + BACKGROUND_CHUNKS;
  return new Map(
    terms.map((term) => [term, idf((statistics.containing.get(term) ?? 0) + BACKGROUND_CONTAINING, chunks)]),
  );
}

/** The weighted share of the question's terms that a text contains, 0–1. */
export function coverage(weights: ReadonlyMap<string, number>, textTerms: Iterable<string>): number {
  const present = new Set(textTerms);
  let found = 0;
  let total = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (present.has(term)) found += weight;
  }
  return total > 0 ? found / total : 0;
}
