import type { DocumentLease } from "../ingest/document-task.ts";
import type { ChunkKey, SearchScope } from "../retrieve/vector-index.ts";
import type { Row, Statement } from "../../storage/db.ts";

/** A stretch of a document's chunks, both ends included. */
export interface ChunkRange {
  first: number;
  last: number;
}

/**
 * The full-text index: which chunks of a scope contain any of the terms. The only store without portable SQL, so each
 * database has its own implementation.
 */
export interface FullTextIndex {
  /** Creates the index if it does not exist. */
  prepare(): Promise<void>;
  /** Part of a leased write, after the chunks' rows are inserted. */
  add(lease: DocumentLease, range: ChunkRange): Statement;
  /** Part of a leased write, before the chunks' rows are deleted. Of a moved document: the entries of its former owner. */
  remove(lease: DocumentLease, range: ChunkRange): Statement;
  /** The number of chunks in these documents that contain each term. */
  count(scope: DocumentScope, terms: readonly string[]): Promise<Map<string, number>>;
  /** Chunks with the greatest total weight of matching terms, best first. */
  search(scope: SearchScope, weights: ReadonlyMap<string, number>, limit: number): Promise<ChunkKey[]>;
}

export type DocumentScope = SearchScope & Required<Pick<SearchScope, "documentIds">>;

/** A row with `document_id` and `ordinal`. */
export function toKey(row: Row): ChunkKey {
  return { documentId: row["document_id"] as string, ordinal: Number(row["ordinal"]) };
}
