import type { ChunkSpan } from "../ingest/chunk.ts";
import {
  type AnalysedQuestion,
  type Candidate,
  type CandidateDependencies,
  findCandidates,
} from "./candidates.ts";
import { rankCandidates } from "./fuse.ts";
import { mentions } from "./names.ts";
import type { ChunkKey, SearchScope } from "./vector-index.ts";

/** A stored chunk with the fields that a citation needs. */
export interface StoredChunk extends ChunkKey {
  chunkId: string;
  title: string;
  text: string;
  spans: ChunkSpan[];
  /** The headings above the text. */
  heading?: string;
}

export interface ChunkStore {
  /** In any order; keys outside the scope are left out. */
  chunks(scope: SearchScope, keys: readonly ChunkKey[]): Promise<StoredChunk[]>;
}

/** A chunk with its relevance to the question, and what that is made of. */
export interface Passage extends Pick<Candidate, "cosine" | "sentenceCosines" | "sentenceCosine"> {
  chunk: StoredChunk;
  /** 0–1, comparable between questions. */
  relevance: number;
  /** The vector of the chunk, to recognize passages that say the same. */
  vector?: Float32Array | undefined;
}

export interface Retrieval {
  /** Best first. */
  passages: Passage[];
  question: AnalysedQuestion;
  /** Number of chunks that were searched. */
  chunksInScope: number;
}

export interface RetrieverDependencies extends CandidateDependencies {
  store: CandidateDependencies["store"] & ChunkStore;
}

export interface Question {
  query: string;
  scope: SearchScope;
  topK: number;
  signal?: AbortSignal;
}

export type Retriever = (question: Question) => Promise<Retrieval>;

export function createRetriever(deps: RetrieverDependencies): Retriever {
  return async ({ query, scope, topK, signal }) => {
    const { question, candidates, chunksInScope } = await findCandidates({ query, scope, signal }, deps);
    const best = rankCandidates(candidates).slice(0, topK);
    const chunks = await deps.store.chunks(scope, best);
    const passages = best.flatMap((candidate): Passage[] => {
      const { documentId, ordinal, relevance, cosine, sentenceCosines, sentenceCosine } = candidate;
      const chunk = chunks.find((one) => one.documentId === documentId && one.ordinal === ordinal);
      const vector = deps.index.vector(scope, candidate);
      return chunk ? [{ chunk, relevance, cosine, sentenceCosines, sentenceCosine, vector }] : [];
    });
    // Terms of another language differ from those of the question, and names are often misspelled.
    const unknownNames = question.unknownNames.filter(
      (name) => !passages.some(({ chunk }) => mentions(chunk.text, name)),
    );
    return { passages, question: { ...question, unknownNames }, chunksInScope };
  };
}

/** The results of several searches for one question as one. At least one is needed. */
export function mergeRetrievals(found: readonly Retrieval[]): Retrieval {
  const passages = found.flatMap((retrieval) => retrieval.passages).sort((a, b) => b.relevance - a.relevance);
  const chunksInScope = found.reduce((sum, retrieval) => sum + retrieval.chunksInScope, 0);
  const { question } = found[0]!;
  const unknownNames = question.unknownNames.filter((name) =>
    found.every((retrieval) => retrieval.question.unknownNames.includes(name)),
  );
  return { passages, chunksInScope, question: { ...question, unknownNames } };
}
