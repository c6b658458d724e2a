import type { PageText } from "../extract/page-text.ts";
import { indexTerms } from "../ingest/index-text.ts";
import type { LexicalStore } from "../retrieve/lexical.ts";
import type { PageStore } from "../answer/quote.ts";
import type { ChunkStore, SentenceStore, StoredChunk } from "../retrieve/retrieve.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";

export interface MemoryDocument {
  ownerId: string;
  documentId: string;
  pages: PageText[];
  chunks: StoredChunk[];
  /** The sentence vectors of each chunk. Unset: an index of an older version. */
  sentences?: Uint8Array[];
}

/** Documents in memory, for tests of retrieval and answers. */
export function createMemoryStore(): LexicalStore &
  ChunkStore &
  SentenceStore &
  PageStore & { add(document: MemoryDocument): void } {
  const documents = new Map<string, MemoryDocument>();
  const postings = new Map<string, { ownerId: string; chunk: StoredChunk; terms: string[] }[]>();
  const totals = new Map<string, { chunks: number; terms: number }>();
  const inScope = (scope: SearchScope, ownerId: string, documentId: string): boolean =>
    ownerId === scope.ownerId && (!scope.documentIds || scope.documentIds.includes(documentId));

  return {
    add(document) {
      documents.set(document.documentId, document);
      const total = totals.get(document.ownerId) ?? { chunks: 0, terms: 0 };
      totals.set(document.ownerId, total);
      for (const chunk of document.chunks) {
        const terms = indexTerms(chunk.title, chunk);
        total.chunks += 1;
        total.terms += terms.length;
        for (const term of new Set(terms)) {
          const entries = postings.get(term) ?? [];
          postings.set(term, entries);
          entries.push({ ownerId: document.ownerId, chunk, terms });
        }
      }
    },
    statistics(ownerId, terms) {
      const total = totals.get(ownerId) ?? { chunks: 0, terms: 0 };
      const count = (term: string): number =>
        (postings.get(term) ?? []).filter((entry) => entry.ownerId === ownerId).length;
      return Promise.resolve({
        chunks: total.chunks,
        averageLength: total.terms / (total.chunks || 1),
        containing: new Map(terms.map((term) => [term, count(term)])),
      });
    },
    candidates(scope, terms, limit) {
      const shared = new Map<StoredChunk, { terms: string[]; score: number }>();
      for (const term of terms) {
        const entries = postings.get(term) ?? [];
        for (const { ownerId, chunk, terms: own } of entries) {
          if (!inScope(scope, ownerId, chunk.documentId)) continue;
          const known = shared.get(chunk) ?? { terms: own, score: 0 };
          known.score += 1 / entries.length;
          shared.set(chunk, known);
        }
      }
      const best = [...shared].sort((a, b) => b[1].score - a[1].score).slice(0, limit);
      return Promise.resolve(
        best.map(([{ documentId, ordinal }, { terms: own }]) => ({ documentId, ordinal, terms: own })),
      );
    },
    chunks(scope, keys) {
      return Promise.resolve(
        keys.flatMap(({ documentId, ordinal }) => {
          const document = documents.get(documentId);
          if (!document || !inScope(scope, document.ownerId, documentId)) return [];
          return document.chunks[ordinal] ?? [];
        }),
      );
    },
    sentenceVectors(scope, _modelId, keys) {
      return Promise.resolve(
        keys.flatMap(({ documentId, ordinal }) => {
          const document = documents.get(documentId);
          const vectors = document?.sentences?.[ordinal];
          if (!document || !vectors || !inScope(scope, document.ownerId, documentId)) return [];
          return [{ documentId, ordinal, vectors }];
        }),
      );
    },
    pages(scope, keys) {
      return Promise.resolve(
        keys.flatMap(({ documentId, page }) => {
          const document = documents.get(documentId);
          if (!document || !inScope(scope, document.ownerId, documentId)) return [];
          const found = document.pages.find((candidate) => candidate.page === page);
          return found ? [{ documentId, ...found }] : [];
        }),
      );
    },
  };
}
