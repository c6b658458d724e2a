import type { PageText } from "../extract/page-text.ts";
import { indexTerms } from "../ingest/index-text.ts";
import type { LexicalStore } from "../retrieve/lexical.ts";
import type { PageStore } from "../answer/quote.ts";
import type { EvidenceStore } from "../retrieve/candidates.ts";
import type { ChunkStore, StoredChunk } from "../retrieve/retrieve.ts";
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
  EvidenceStore &
  PageStore & { add(document: MemoryDocument): void } {
  const documents = new Map<string, MemoryDocument>();
  const postings = new Map<string, { ownerId: string; chunk: StoredChunk; terms: string[] }[]>();
  const inScope = (scope: SearchScope, ownerId: string, documentId: string): boolean =>
    ownerId === scope.ownerId && (!scope.documentIds || scope.documentIds.includes(documentId));

  return {
    add(document) {
      documents.set(document.documentId, document);
      for (const chunk of document.chunks) {
        const terms = indexTerms(chunk.title, chunk);
        for (const term of new Set(terms)) {
          const entries = postings.get(term) ?? [];
          postings.set(term, entries);
          entries.push({ ownerId: document.ownerId, chunk, terms });
        }
      }
    },
    searchTerms(scope, terms, limit) {
      const chunks = new Set<StoredChunk>();
      const containing = new Map<string, number>();
      const scores = new Map<StoredChunk, number>();
      for (const [, entries] of postings)
        for (const { ownerId, chunk } of entries)
          if (inScope(scope, ownerId, chunk.documentId)) chunks.add(chunk);
      for (const term of terms) {
        const entries = (postings.get(term) ?? []).filter(({ ownerId, chunk }) =>
          inScope(scope, ownerId, chunk.documentId),
        );
        if (entries.length > 0) containing.set(term, entries.length);
        for (const { chunk } of entries) scores.set(chunk, (scores.get(chunk) ?? 0) + 1 / entries.length);
      }
      const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
      return Promise.resolve({
        statistics: { chunks: chunks.size, containing },
        keys: best.map(([{ documentId, ordinal }]) => ({ documentId, ordinal })),
      });
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
    evidence(scope, _modelId, keys) {
      return Promise.resolve(
        keys.flatMap(({ documentId, ordinal }) => {
          const document = documents.get(documentId);
          const chunk = document?.chunks[ordinal];
          if (!document || !chunk || !inScope(scope, document.ownerId, documentId)) return [];
          const sentences = document.sentences?.[ordinal] ?? null;
          return [{ documentId, ordinal, terms: indexTerms(chunk.title, chunk).join(" "), sentences }];
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
