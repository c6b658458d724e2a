import type { LexicalCandidate } from "../retrieve/lexical.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";
import type { Row, Statement } from "../../storage/db.ts";

/**
 * The word index of the documents' chunks: which chunks of a scope hold any of the terms. The one thing here
 * that has no portable SQL, so each database brings its own.
 */
export interface FullTextIndex {
  /** Makes the index where it is not there yet. */
  prepare(): Promise<void>;
  /** To be run after the chunks' rows are in, and before they go. */
  add(documentId: string, from: number, to: number): Statement;
  remove(documentId: string, from: number, to: number): Statement;
  /** Those whose terms weigh most together, best first. */
  candidates(
    scope: SearchScope,
    weights: ReadonlyMap<string, number>,
    limit: number,
  ): Promise<LexicalCandidate[]>;
}

/** A row with `document_id`, `ordinal` and `terms`. */
export function toCandidate(row: Row): LexicalCandidate {
  return {
    documentId: row["document_id"] as string,
    ordinal: Number(row["ordinal"]),
    terms: (row["terms"] as string).split(" "),
  };
}
