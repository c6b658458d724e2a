import type { ContentStore } from "../document-content.ts";
import type { Db } from "../../storage/db.ts";
import { createDocumentChanges } from "./changes.sql.ts";
import { createContentReads } from "./content-reads.sql.ts";
import { createContentWrites } from "./content-writes.sql.ts";
import { createLexicalStore } from "./terms.sql.ts";
import type { DocumentWords } from "./full-text.sql.ts";

/** What stands in the documents: pages, chunks, words, vectors. */
export function createContentStore(db: Db, words: DocumentWords): ContentStore {
  return {
    ...createLexicalStore(db, words),
    ...createDocumentChanges(db),
    ...createContentWrites(db, words),
    ...createContentReads(db),
  };
}
