import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { wordVectors } from "../../server/documents/testing/word-vectors.ts";
import type { ContentStore } from "../../server/documents/store/content-store.ts";
import { createDocumentFiles } from "../../server/documents/store/document-files.ts";
import type { DocumentStore } from "../../server/documents/store/document-record.ts";
import { createCollectionStore } from "../../server/documents/collections/collection.sql.ts";
import { createDocuments, type Documents } from "../../server/documents/documents.ts";
import { INGESTION_LANES } from "../../server/documents/ingest/document-task.ts";
import { systemClock } from "../../server/lib/clock.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { createAccountStore } from "../../server/accounts/account.sql.ts";
import type { Db, Row } from "../../server/storage/db.ts";
import { createFullTextIndex } from "../../server/documents/store/create-full-text-index.sql.ts";
import { createContentStore } from "../../server/documents/store/content.sql.ts";
import { createDocumentStore } from "../../server/documents/store/document.sql.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import { openDatabase } from "../../server/storage/open-database.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { releaseDatabase, acquireDatabase } from "../support/postgres.ts";
import { useTemporaryFolder } from "../support/test-app.ts";
import { startIngestionEngine } from "./ingestion-engine.ts";

export const OWNER = "user_several";

/** Forty pages, whose chunks go to the embedding model in three slices. */
export const longPdf = (): Promise<Uint8Array> =>
  (madePdf ??= pdfOf(Array.from({ length: 40 }, (_, i) => pageOf(i))));
let madePdf: Promise<Uint8Array> | undefined;

const pageOf = (page: number) =>
  lines(Array.from({ length: 30 }, (_, i) => `Line ${i} of page ${page} tells of valve ${page * 30 + i}.`));

/** A database and a folder that processes share, with one account. */
export interface SharedPlace {
  url: string;
  folder: string;
  sql(text: string): Promise<Row[]>;
  /** Row counts of every table of documents and of tasks, and the number of files. */
  leftovers(): Promise<Record<string, number>>;
}

export async function useSharedPlace(): Promise<SharedPlace> {
  const url = await acquireDatabase();
  const folder = await useTemporaryFolder();
  onTestFinished(() => releaseDatabase(url));
  const { db } = await openDatabase({ url, directUrl: url, poolSize: 3, folder, onProblem: () => undefined });
  onTestFinished(() => db.close());
  const account = { id: OWNER, email: "several@example.com", name: "", passwordHash: "", createdAt: 0 };
  await createAccountStore(db).insert(account);
  const tables = ["", "_tag", "_page", "_chunk", "_term", "_word", "_vectors", "_sentence"].map(
    (end) => `document${end}`,
  );
  return {
    url,
    folder,
    sql: (text) => db.query(text),
    async leftovers() {
      const counts: Record<string, number> = {};
      for (const table of tables) {
        const [row] = await db.query(`select count(*) as n from ${table}`);
        counts[table] = Number(row?.["n"]);
      }
      const [tasks] = await db.query("select count(*) as n from task");
      counts["task"] = Number(tasks?.["n"]);
      const names = await readdir(join(folder, "documents"));
      return { ...counts, files: names.filter((name) => name.endsWith(".pdf")).length };
    },
  };
}

export interface ProcessOptions {
  embedding?: EmbeddingModel;
  leaseMs?: number;
  /** Off by default: nothing may depend on hints. */
  hints?: boolean;
  /** Runs before the file of an upload is stored. */
  beforeKeep?: () => Promise<void>;
  /** How long a document may hold a slot of the lane of small documents. */
  smallDocumentMs?: number;
  /** How many documents it ingests at once in each lane. With 0 it leaves them to other processes. */
  slots?: number;
}

export interface DocumentProcess {
  documents: Documents;
  records: DocumentStore;
  store: ContentStore;
  upload(bytes: Uint8Array, wait?: boolean): ReturnType<Documents["upload"]>;
  /** Ids of the documents that the answer cites. */
  ask(query: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** The documents of one process: its own connections, stores, index and engine. */
export async function startProcess(
  { url, folder }: SharedPlace,
  {
    embedding = wordVectors,
    leaseMs = 60_000,
    hints = false,
    beforeKeep,
    slots,
    smallDocumentMs,
  }: ProcessOptions = {},
): Promise<DocumentProcess> {
  const opened = await openDatabase({ url, directUrl: url, poolSize: 4, folder, onProblem: () => undefined });
  const db: Db = opened.db;
  const records = createDocumentStore(db);
  const store = createContentStore(db, createFullTextIndex(db));
  const files = createDocumentFiles({
    files: createFolderStores(folder).area("documents"),
    incomingFolder: join(folder, "documents", "incoming"),
  });
  const documents = createDocuments({
    collections: createCollectionStore(db),
    records,
    store,
    files: {
      ...files,
      async keep(file, documentId) {
        await beforeKeep?.();
        await files.keep(file, documentId);
      },
    },
    embedding,
    isAlone: false,
    ...(smallDocumentMs !== undefined && { smallDocumentMs }),
    tokenizerFile: LOCAL_TOKENIZER_FILE,
    clock: systemClock,
    notify: (id) => hints && db.notify("document", id),
    nudge: (id) => INGESTION_LANES.forEach((lane) => engine.nudge(id, lane)),
    onError: () => undefined,
  });
  await documents.resume();
  const engine = await startIngestionEngine({
    db,
    folder,
    documents,
    leaseMs,
    hints,
    ...(slots !== undefined && { slots }),
  });
  if (hints) await db.listen("document", () => documents.onChange());
  let stopped: Promise<void> | undefined;
  async function close(): Promise<void> {
    await Promise.all([documents.stopIngesting(), engine.close()]);
    await documents.close();
    await db.close();
  }
  const stop = () => (stopped ??= close());
  onTestFinished(stop);
  return {
    documents,
    records,
    store,
    async upload(bytes, wait = true) {
      const file = await files.receive(Readable.from([Buffer.from(bytes)]));
      return documents.upload(OWNER, { file, fileName: "manual.pdf", metadata: { tags: ["tagged"] }, wait });
    },
    async ask(query) {
      const { sources } = await documents.query(OWNER, { query });
      return [...new Set(sources.map(({ documentId }) => documentId))];
    },
    stop,
  };
}

/** An embedding model that waits for the test: one slice at a time, or all that remain. */
export function holdVectors(): EmbeddingModel & { waiting(): number; letOne(): void; letAll(): void } {
  const held: (() => void)[] = [];
  let open = false;
  return {
    ...wordVectors,
    async embed(texts, signal) {
      if (!open)
        await new Promise<void>((resolve, reject) => {
          held.push(resolve);
          signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        });
      return wordVectors.embed(texts, signal);
    },
    waiting: () => held.length,
    letOne: () => held.shift()?.(),
    letAll() {
      open = true;
      for (const go of held.splice(0)) go();
    },
  };
}
