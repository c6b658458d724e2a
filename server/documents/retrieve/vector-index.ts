import { packSignBits, scanNearestSigns } from "./binary-prefilter.ts";
import { createHamming } from "./hamming.ts";
import { chunkOf, decodeSentenceSigns, type SentenceSigns } from "./sentence-signs.ts";
import { decodeVector, decodeVectors, dot, mismatch, type VectorBlock } from "./vector-encoding.ts";

/** The owner and documents of a search. Applied inside every search, never as a filter after it. */
export interface SearchScope {
  ownerId: string;
  /** Unset: all documents of the owner. */
  documentIds?: readonly string[];
}

export interface ChunkKey {
  documentId: string;
  ordinal: number;
}

export interface VectorHit extends ChunkKey {
  cosine: number;
}

export interface IndexedDocument {
  documentId: string;
  ownerId: string;
  modelId: string;
  /** The output of `encodeVectors`, in the order of the chunks. */
  vectors: Uint8Array;
  /** The output of `createSignEncoder`; null in an older index. */
  sentences: Uint8Array | null;
}

/** All chunk vectors and the signs of all sentence vectors in memory: 0.44 kB per chunk and 48 bytes per sentence. */
export interface VectorIndex {
  readonly chunks: number;
  add(document: IndexedDocument): void;
  /** Removes it for the owner that it was added for. */
  remove(documentId: string): void;
  /** The nearest chunks, best first. */
  search(query: Float32Array, scope: SearchScope, limit: number): Promise<VectorHit[]>;
  /** The chunks of the nearest sentences, by the signs of their vectors, best first. */
  searchSentences(query: Float32Array, scope: SearchScope, limit: number): Promise<ChunkKey[]>;
  /** The exact cosine of one chunk, undefined outside the scope. */
  cosine(query: Float32Array, scope: SearchScope, key: ChunkKey): number | undefined;
  /** The vector of one chunk, undefined outside the scope. */
  vector(scope: SearchScope, key: ChunkKey): Float32Array | undefined;
}

interface Segment extends VectorBlock {
  documentId: string;
  signs: Uint32Array;
  sentences: SentenceSigns & { documentId: string };
}

// Up to 8,000 chunks every cosine is computed (about 5 ms). Beyond that the binary prefilter selects 1,000 of them.
const EXACT_LIMIT = 8000;
const RESCORED = 1000;
// Overlapping chunks share sentences, and the sentences next to a near one are often near, too.
const SENTENCES_PER_CHUNK = 4;

export function createVectorIndex(model: { id: string; dimensions: number }): VectorIndex {
  const owners = new Map<string, Map<string, Segment>>();
  /** A document that was moved is listed for its former owner until it is added again. */
  const ownerOf = new Map<string, string>();
  const measureRows = createHamming();
  let chunks = 0;

  function segmentsIn({ ownerId, documentIds }: SearchScope): Segment[] {
    const owned = owners.get(ownerId);
    if (!owned) return [];
    if (!documentIds) return [...owned.values()];
    return [...new Set(documentIds)].flatMap((id) => owned.get(id) ?? []);
  }

  function segmentOf(scope: SearchScope, { documentId, ordinal }: ChunkKey): Segment | undefined {
    const allowed = !scope.documentIds || scope.documentIds.includes(documentId);
    const segment = allowed ? owners.get(scope.ownerId)?.get(documentId) : undefined;
    return segment && ordinal < segment.count ? segment : undefined;
  }

  function assertComparable(query: Float32Array): void {
    if (query.length !== model.dimensions) throw mismatch(`a question of ${query.length} dimensions`);
  }

  function remove(documentId: string): void {
    const ownerId = ownerOf.get(documentId) ?? "";
    const owned = owners.get(ownerId);
    chunks -= owned?.get(documentId)?.count ?? 0;
    owned?.delete(documentId);
    if (owned?.size === 0) owners.delete(ownerId);
    ownerOf.delete(documentId);
  }

  return {
    get chunks() {
      return chunks;
    },
    add({ documentId, ownerId, modelId, vectors, sentences: bytes }) {
      if (modelId !== model.id) throw mismatch(modelId);
      const block = decodeVectors(vectors, model.dimensions);
      const sentences = { documentId, ...decodeSentenceSigns(bytes, block.count, model.dimensions) };
      remove(documentId);
      ownerOf.set(documentId, ownerId);
      const owned = owners.get(ownerId) ?? new Map<string, Segment>();
      owners.set(ownerId, owned);
      owned.set(documentId, { documentId, ...block, signs: packSignBits(block), sentences });
      chunks += block.count;
    },
    remove,
    async search(query, scope, limit) {
      assertComparable(query);
      const segments = segmentsIn(scope);
      const hits =
        rowsOf(segments) > EXACT_LIMIT
          ? await scanNearestSigns(segments, query, Math.max(RESCORED, limit), measureRows)
          : segments.flatMap((block) => Array.from({ length: block.count }, (_, row) => ({ block, row })));
      return hits
        .map(({ block, row }) => ({
          documentId: block.documentId,
          ordinal: row,
          cosine: dot(query, block, row),
        }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, limit);
    },
    async searchSentences(query, scope, limit) {
      assertComparable(query);
      const blocks = segmentsIn(scope).map((segment) => segment.sentences);
      const found = new Map<string, ChunkKey>();
      const hits = await scanNearestSigns(blocks, query, limit * SENTENCES_PER_CHUNK, measureRows);
      for (const { block, row } of hits) {
        const ordinal = chunkOf(block, row);
        found.set(`${block.documentId}:${ordinal}`, { documentId: block.documentId, ordinal });
        if (found.size === limit) break;
      }
      return [...found.values()];
    },
    cosine(query, scope, key) {
      const segment = segmentOf(scope, key);
      return segment && dot(query, segment, key.ordinal);
    },
    vector(scope, key) {
      const segment = segmentOf(scope, key);
      return segment && decodeVector(segment, key.ordinal);
    },
  };
}

const rowsOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => sum + segment.count, 0);
