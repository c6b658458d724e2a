import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { PageSpan } from "../ingest/chunk.ts";
import { indexTerms } from "../ingest/index-text.ts";
import { fuse, type Scores } from "./fuse.ts";
import { bm25, coverage, type LexicalStore, termWeights } from "./lexical.ts";
import { termsOf } from "./terms.ts";
import { decodeVectors, dot } from "./vector-encoding.ts";
import type { ChunkKey, SearchScope, VectorIndex } from "./vector-index.ts";

/** A stored chunk with the fields that a citation needs. */
export interface StoredChunk extends ChunkKey {
  chunkId: string;
  title: string;
  text: string;
  spans: PageSpan[];
  /** The headings above the text. */
  heading?: string;
}

export interface ChunkStore {
  /** In any order; keys outside the scope are left out. */
  chunks(scope: SearchScope, keys: readonly ChunkKey[]): Promise<StoredChunk[]>;
}

export interface SentenceStore {
  /** In any order; without keys outside the scope, and without chunks whose sentences have no vectors of this model. */
  sentenceVectors(scope: SearchScope, modelId: string, keys: readonly ChunkKey[]): Promise<StoredSentences[]>;
}

export interface StoredSentences extends ChunkKey {
  /** One vector per sentence of the chunk, in order: the output of `encodeVectors`. */
  vectors: Uint8Array;
}

export interface Passage {
  chunk: StoredChunk;
  /** Comparable between questions: half cosine, half weighted term coverage. */
  relevance: number;
  cosine: number;
  /** The cosine of each sentence of the chunk, in the order of `sentencesOf`. Empty while its index is older. */
  sentenceCosines: readonly number[];
  /** The best of them; the chunk's cosine if there are none. */
  sentenceCosine: number;
}

export interface Retrieval {
  /** Best first. */
  passages: Passage[];
  question: AnalysedQuestion;
}

/** A question with its embedding and term weights, computed once. */
export interface AnalysedQuestion {
  text: string;
  vector: Float32Array;
  weights: ReadonlyMap<string, number>;
}

export interface RetrieverDependencies {
  embedding: EmbeddingModel;
  index: VectorIndex;
  store: LexicalStore & ChunkStore & SentenceStore;
}

export interface Question {
  query: string;
  scope: SearchScope;
  topK: number;
  signal?: AbortSignal;
}

export type Retriever = (question: Question) => Promise<Retrieval>;

const BEST_OF_EACH = 100;
const LEXICAL_CANDIDATES = 200;
// Relevance reorders the best fused hits. It needs some to choose from, also for a request of one passage.
const MIN_REORDERED = 10;

export function createRetriever({ embedding, index, store }: RetrieverDependencies): Retriever {
  return async ({ query, scope, topK, signal }) => {
    const terms = [...new Set(termsOf(query))];
    const [vectors, statistics, candidates] = await Promise.all([
      embedding.embed([query], signal),
      store.statistics(scope.ownerId, terms),
      terms.length > 0 ? store.candidates(scope, terms, LEXICAL_CANDIDATES) : [],
    ]);
    const vector = vectors[0] ?? new Float32Array();
    const weights = termWeights(terms, statistics);
    const found = new Map<string, Scores & { key: ChunkKey }>();
    for (const hit of index.search(vector, scope, BEST_OF_EACH))
      found.set(nameOf(hit), { key: hit, cosine: hit.cosine, bm25: undefined });
    const scored = bm25(candidates, terms, statistics)
      .map((score, i) => ({ score, key: candidates[i] }))
      .sort((a, b) => b.score - a.score)
      .slice(0, BEST_OF_EACH);
    for (const { score, key } of scored) {
      if (!key) continue;
      const known = found.get(nameOf(key));
      found.set(nameOf(key), { key, cosine: known?.cosine ?? index.cosine(vector, scope, key), bm25: score });
    }
    const all = [...found.values()];
    const ranks = fuse(all);
    const best = all
      .map((entry, i) => ({ ...entry, rank: ranks[i] ?? 0 }))
      .sort((a, b) => b.rank - a.rank)
      .slice(0, Math.max(topK, MIN_REORDERED));
    const keys = best.map((entry) => entry.key);
    const [stored, sentences] = await Promise.all([
      store.chunks(scope, keys),
      store.sentenceVectors(scope, embedding.id, keys),
    ]);
    const chunks = new Map(stored.map((chunk) => [nameOf(chunk), chunk]));
    const cosinesOf = new Map(sentences.map((entry) => [nameOf(entry), cosines(vector, entry.vectors)]));
    const passages = best.flatMap(({ key, cosine = 0 }): Passage[] => {
      const chunk = chunks.get(nameOf(key));
      if (!chunk) return [];
      const covered = coverage(weights, indexTerms(chunk.title, chunk));
      const sentenceCosines = cosinesOf.get(nameOf(key)) ?? [];
      const sentenceCosine = sentenceCosines.length > 0 ? Math.max(...sentenceCosines) : cosine;
      return [{ chunk, relevance: relevanceOf(cosine, covered), cosine, sentenceCosines, sentenceCosine }];
    });
    passages.sort((a, b) => b.relevance - a.relevance);
    return { passages: passages.slice(0, topK), question: { text: query, vector, weights } };
  };
}

const nameOf = ({ documentId, ordinal }: ChunkKey): string => `${documentId}:${ordinal}`;

function cosines(query: Float32Array, vectors: Uint8Array): number[] {
  const block = decodeVectors(vectors, query.length);
  return Array.from({ length: block.count }, (_, row) => dot(query, block, row));
}

function relevanceOf(cosine: number, covered: number): number {
  return Math.min(1, Math.max(0, 0.5 * cosine + 0.5 * covered));
}
