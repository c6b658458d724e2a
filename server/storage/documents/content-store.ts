import type { ContentStore } from "../../documents/document-content.ts";
import type { Db } from "../db.ts";
import { createDocumentChanges } from "./changes.ts";
import { createContentReads } from "./content-reads.ts";
import { createContentWrites } from "./content-writes.ts";
import { createLexicalStore } from "./terms.ts";
import type { DocumentWords } from "./words.ts";

/** What stands in the documents: pages, chunks, words, vectors. */
export function createContentStore(db: Db, words: DocumentWords): ContentStore {
  return {
    ...createLexicalStore(db, words),
    ...createDocumentChanges(db),
    ...createContentWrites(db, words),
    ...createContentReads(db),
  };
}
