import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { coverage, type LexicalStore, termWeights } from "./lexical.ts";
import { namesIn } from "./names.ts";
import { readQuestion } from "./question-content.ts";
import { searchQuestionTerms } from "./question-terms.ts";
import { latinLanguage, termsOf } from "./terms.ts";
import { decodeVectors, dot } from "./vector-encoding.ts";
import type { ChunkKey, SearchScope, VectorIndex } from "./vector-index.ts";

/** The stored index of a chunk. */
export interface StoredEvidence extends ChunkKey {
  /** Separated by blanks. */
  terms: string;
  /** One vector per sentence, in order; null while its index is older or of another model. */
  sentences: Uint8Array | null;
}

export interface EvidenceStore {
  /** In any order; keys outside the scope are left out. */
  evidence(scope: SearchScope, modelId: string, keys: readonly ChunkKey[]): Promise<StoredEvidence[]>;
}

/** A question with its embedding and term weights, computed once. */
export interface AnalysedQuestion {
  text: string;
  vector: Float32Array;
  weights: ReadonlyMap<string, number>;
  /** How far cosines count, 0–1, by how well the model knows the script and language: words replace the rest. */
  vectorTrust: number;
  /** Names whose terms no document in scope contains. */
  unknownNames: readonly string[];
}

/** A chunk that any of the searches found, with what each of them says about it. */
export interface Candidate extends ChunkKey {
  cosine: number;
  /** The cosine of each sentence of the chunk, in the order of `sentencesOf`. Empty while its index is older. */
  sentenceCosines: readonly number[];
  /** The best of them; the chunk's cosine if there are none. */
  sentenceCosine: number;
  /** The weighted share of the question's terms that the chunk contains. */
  coverage: number;
  /** The chunk is part of a financial statement that the question is about. */
  isOfStatement: boolean;
}

export interface CandidateDependencies {
  embedding: EmbeddingModel;
  index: VectorIndex;
  store: LexicalStore & EvidenceStore;
}

// Each search alone misses: words a paraphrase, the chunk's vector one sentence about something else, a sentence's
// vector a fact that takes two sentences.
const BY_TERMS = 100;
const BY_CHUNK = 50;
// Twice as many: signs alone order them less exactly.
const BY_SENTENCE = 100;

/** The chunks that share words with the question or are near to it, as a whole or with one sentence. */
export async function findCandidates(
  { query, scope, signal }: { query: string; scope: SearchScope; signal?: AbortSignal | undefined },
  { embedding, index, store }: CandidateDependencies,
): Promise<{ question: AnalysedQuestion; candidates: Candidate[]; chunksInScope: number }> {
  const asked = readQuestion(query);
  const [[vector = new Float32Array()], byTerms] = await Promise.all([
    embedding.embed([asked.content], signal),
    searchQuestionTerms(asked, scope, BY_TERMS, store),
  ]);
  const vectorTrust = trustInVectors(query, embedding);
  const byChunk = await index.search(vector, scope, BY_CHUNK);
  const bySentence = await index.searchSentences(vector, scope, BY_SENTENCE);
  const weights = termWeights(byTerms.terms, byTerms.statistics);
  const keys = new Map(
    [...byTerms.keys, ...byChunk, ...bySentence].map(({ documentId, ordinal }) => [
      `${documentId}:${ordinal}`,
      { documentId, ordinal },
    ]),
  );
  const evidence = await store.evidence(scope, embedding.id, [...keys.values()]);
  const candidates = evidence.map(({ documentId, ordinal, terms: own, sentences }): Candidate => {
    const found = termsAmong(weights, own);
    const covered = coverage(weights, found);
    const isOfStatement = byTerms.statements.some((term) => found.includes(term));
    const trusted = (value: number): number => vectorTrust * value + (1 - vectorTrust) * covered;
    const cosine = trusted(index.cosine(vector, scope, { documentId, ordinal }) ?? 0);
    const sentenceCosines = sentences ? cosinesOf(vector, sentences).map(trusted) : [];
    const sentenceCosine = sentenceCosines.length > 0 ? Math.max(...sentenceCosines) : cosine;
    return { documentId, ordinal, cosine, sentenceCosines, sentenceCosine, coverage: covered, isOfStatement };
  });
  const chunksInScope = byTerms.statistics.chunks;
  const unknownNames = namesIn(asked.content).filter((name) =>
    termsOf(name).some((term) => !byTerms.statistics.containing.get(term)),
  );
  const question = { text: query, vector, weights, vectorTrust, unknownNames };
  return { question, candidates, chunksInScope };
}

// A model of one language knows names, loanwords and spellings of others that use its letters.
const TRUST_IN_OTHER_LANGUAGE = 0.5;

/**
 * How far the cosines with a question count, 0–1; words replace the rest in every score. A model's vectors of a script
 * that it does not know are near to each other whatever the text says.
 */
function trustInVectors(query: string, { knownScriptShare, language }: EmbeddingModel): number {
  const ofScript = knownScriptShare?.(query) ?? 1;
  const asked = latinLanguage(query);
  const isForeign = language !== undefined && asked !== undefined && asked !== language;
  return isForeign ? ofScript * TRUST_IN_OTHER_LANGUAGE : ofScript;
}

/** The terms of the question that a chunk contains. Splitting hundreds of chunks into terms took longer than reading them. */
function termsAmong(weights: ReadonlyMap<string, number>, stored: string): string[] {
  const text = ` ${stored} `;
  return [...weights.keys()].filter((term) => text.includes(` ${term} `));
}

function cosinesOf(query: Float32Array, vectors: Uint8Array): number[] {
  const block = decodeVectors(vectors, query.length);
  return Array.from({ length: block.count }, (_, row) => dot(query, block, row));
}
