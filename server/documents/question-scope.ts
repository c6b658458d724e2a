import { notFound } from "../lib/errors.ts";
import type { PageStore } from "./answer/quote.ts";
import { type ChunkStore, mergeRetrievals, type Retriever } from "./retrieve/retrieve.ts";
import type { SearchScope } from "./retrieve/vector-index.ts";
import type { DocumentReads, OwnedId } from "./store/document-record.ts";

/** What a question searches. */
export interface QuestionScope {
  documentIds?: readonly string[];
  /** In addition to `documentIds`: the documents of these collections. */
  collectionIds?: readonly string[];
  /** Only documents that carry one of these. */
  tags?: readonly string[];
}

/** Ids of documents and collections that a record names, such as an agent. */
export type NamedSources = Required<Pick<QuestionScope, "documentIds" | "collectionIds">>;

type Records = Pick<DocumentReads, "readableAmong" | "inCollections" | "tagged">;

/**
 * The documents that a question searches, by owner: all of the user's own, or the named documents and those of the
 * named collections. At least one scope, which may be empty.
 */
export async function scopesOf(
  records: Records,
  readerId: string,
  { documentIds = [], collectionIds = [], tags = [] }: QuestionScope,
): Promise<SearchScope[]> {
  const isLimited = documentIds.length > 0 || collectionIds.length > 0;
  if (!isLimited && tags.length === 0) return [{ ownerId: readerId }];
  if (!isLimited) return [{ ownerId: readerId, documentIds: await records.tagged(readerId, tags) }];
  const ids = [...new Set(documentIds)];
  const named = ids.length > 0 ? await records.readableAmong(readerId, ids) : [];
  // The same error for an unknown id and for another user's, so the response reveals neither.
  const readable = new Set(named.map(({ id }) => id));
  const missing = ids.find((id) => !readable.has(id));
  if (missing !== undefined) throw notFound("document", missing);
  const collected =
    collectionIds.length > 0 ? await records.inCollections(readerId, [...new Set(collectionIds)]) : [];
  const scopes = await Promise.all(
    [...byOwner([...named, ...collected])].map(async ([ownerId, own]): Promise<SearchScope> => {
      if (tags.length === 0) return { ownerId, documentIds: own };
      const tagged = new Set(await records.tagged(ownerId, tags));
      return { ownerId, documentIds: own.filter((id) => tagged.has(id)) };
    }),
  );
  return scopes.length > 0 ? scopes : [{ ownerId: readerId, documentIds: [] }];
}

/** Those that the reader may query, without those that were deleted. */
export async function readableAmong(
  records: Pick<DocumentReads, "readableAmong" | "readableCollections">,
  readerId: string,
  { documentIds, collectionIds }: NamedSources,
): Promise<NamedSources> {
  const [documents, collections] = await Promise.all([
    documentIds.length > 0 ? records.readableAmong(readerId, documentIds) : [],
    collectionIds.length > 0 ? records.readableCollections(readerId, collectionIds) : [],
  ]);
  return { documentIds: documents.map(({ id }) => id), collectionIds: collections };
}

function byOwner(documents: readonly OwnedId[]): Map<string, string[]> {
  const owners = new Map<string, Set<string>>();
  for (const { id, ownerId } of documents) owners.set(ownerId, (owners.get(ownerId) ?? new Set()).add(id));
  return new Map([...owners].map(([ownerId, ids]) => [ownerId, [...ids]]));
}

interface Search {
  retrieve: Retriever;
  store: PageStore & ChunkStore;
}

/** Searches every scope by itself, since an index belongs to one owner, and keeps the best passages of all. */
export function searchAcross(scopes: readonly SearchScope[], { retrieve, store }: Search): Search {
  const inEach = async <T>(search: (scope: SearchScope) => Promise<T[]>): Promise<T[]> =>
    (await Promise.all(scopes.map(search))).flat();
  return {
    async retrieve(question) {
      const found = await Promise.all(scopes.map((scope) => retrieve({ ...question, scope })));
      const merged = mergeRetrievals(found);
      return { ...merged, passages: merged.passages.slice(0, question.topK) };
    },
    store: {
      pages: (_scope, keys) => inEach((scope) => store.pages(scope, keys)),
      chunks: (_scope, keys) => inEach((scope) => store.chunks(scope, keys)),
    },
  };
}
