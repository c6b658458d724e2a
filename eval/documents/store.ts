import { join } from "node:path";
import { createCollectionStore } from "../../server/documents/collections/collection.sql.ts";
import { createDocuments, type Documents } from "../../server/documents/documents.ts";
import { createDocumentFiles } from "../../server/documents/store/document-files.ts";
import { systemClock } from "../../server/lib/clock.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import type { DocumentLease } from "../../server/documents/ingest/document-task.ts";
import type { ContentStore } from "../../server/documents/store/content-store.ts";
import {
  type DocumentRecord,
  type DocumentStore,
  newDocument,
} from "../../server/documents/store/document-record.ts";
import { createAccountStore } from "../../server/accounts/account.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { createContentStore } from "../../server/documents/store/content.sql.ts";
import { createDocumentStore } from "../../server/documents/store/document.sql.ts";
import { createSqliteFullTextIndex } from "../../server/documents/store/full-text-sqlite.sql.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";

export interface OpenStore {
  db: Db;
  records: DocumentStore;
  store: ContentStore;
}

/** Opens the stores of the service in a folder, with one account. */
export async function openStore(folder: string, ownerId: string): Promise<OpenStore> {
  const db = openSqlite({ folder });
  await migrate(db, migrations, 0);
  const fullText = createSqliteFullTextIndex(db);
  await fullText.prepare();
  const email = `${ownerId}@example.com`;
  await createAccountStore(db).insert({ id: ownerId, email, name: "", passwordHash: "", createdAt: 0 });
  return { db, records: createDocumentStore(db), store: createContentStore(db, fullText) };
}

/** The documents of the service over these stores, for questions: nothing is ingested. */
export function openDocuments(
  { db, records, store }: OpenStore,
  folder: string,
  embedding: EmbeddingModel,
): Documents {
  return createDocuments({
    records,
    store,
    collections: createCollectionStore(db),
    embedding,
    files: createDocumentFiles({
      files: createFolderStores(folder).area("documents"),
      incomingFolder: join(folder, "documents", "incoming"),
    }),
    tokenizerFile: LOCAL_TOKENIZER_FILE,
    clock: systemClock,
    isAlone: true,
    notify: () => undefined,
    nudge: () => undefined,
    onError: console.error,
  });
}

/** A document without pages and chunks. Its title takes precedence over that of its file, as in an upload. */
export function createBareDocument(id: string, ownerId: string, title: string): DocumentRecord {
  const mediaType = "application/pdf";
  const metadata = { title };
  return newDocument({ id, ownerId, sha256: id, title, mediaType, metadata, bytes: 0, createdAt: 0 });
}

/** The lease on a document whose task no process has claimed. */
export function leaseOf({ id, ownerId }: DocumentRecord): DocumentLease {
  return { documentId: id, ownerId, epoch: 0 };
}
