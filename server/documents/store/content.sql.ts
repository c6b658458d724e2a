import type { ContentStore } from "./content-store.ts";
import type { Db } from "../../storage/db.ts";
import { createDocumentChanges } from "./changes.sql.ts";
import { createContentReads } from "./content-reads.sql.ts";
import { createContentWrites } from "./content-writes.sql.ts";
import { createContentTransfers } from "./content-transfers.sql.ts";
import { createReindexWrites } from "./reindex-writes.sql.ts";
import { createLexicalStore } from "./terms.sql.ts";
import type { FullTextIndex } from "./full-text.sql.ts";

/** The content of documents: pages, chunks, terms, vectors. */
export function createContentStore(db: Db, fullText: FullTextIndex): ContentStore {
  const transfers = createContentTransfers(db, fullText);
  return {
    ...createLexicalStore(db, fullText),
    ...createDocumentChanges(db),
    ...createContentWrites(db, fullText, transfers.moveWords),
    ...transfers,
    ...createReindexWrites(db, fullText),
    ...createContentReads(db),
  };
}
