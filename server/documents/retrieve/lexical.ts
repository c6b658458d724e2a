import type { ChunkKey, SearchScope } from "./vector-index.ts";

/** Term statistics of the chunks in a scope. */
export interface TermStatistics {
  chunks: number;
  /** The number of chunks that contain each term of the question; absent where none does. */
  containing: ReadonlyMap<string, number>;
}

export interface LexicalResult {
  statistics: TermStatistics;
  /** Chunks that contain any of the terms, those with the greatest total weight first. */
  keys: ChunkKey[];
}

/** The full-text index of the database. */
export interface LexicalStore {
  /**
   * Searches and counts inside the scope: what else the owner has uploaded must not change the answer to a question
   * about these documents.
   */
  searchTerms(scope: SearchScope, terms: readonly string[], limit: number): Promise<LexicalResult>;
}

// In a scope of three chunks no term is measurably rare, and a missing term may be a synonym of a present one. A
// background of 1,000 chunks, of which 3 contain any term, keeps a missing term from weighing five times as much as a
// found one.
const BACKGROUND_CHUNKS = 1000;
const BACKGROUND_CONTAINING = 3;

/** The weight of each term of a question: its inverse document frequency. */
export function termWeights(terms: readonly string[], statistics: TermStatistics): Map<string, number> {
  const chunks = statistics.chunks + BACKGROUND_CHUNKS;
  return new Map(
    terms.map((term) => {
      const containing = (statistics.containing.get(term) ?? 0) + BACKGROUND_CONTAINING;
      return [term, Math.log(1 + (Math.max(chunks, containing) - containing + 0.5) / (containing + 0.5))];
    }),
  );
}

/** The weighted share of the question's terms that a text contains, 0–1. */
export function coverage(weights: ReadonlyMap<string, number>, textTerms: Iterable<string>): number {
  const present = new Set<string>();
  for (const term of textTerms) if (weights.has(term)) present.add(term);
  let found = 0;
  let total = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (present.has(term)) found += weight;
  }
  return total > 0 ? found / total : 0;
}
