import { claim } from "../../server/engine/testing/store-samples.ts";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBareDocument, leaseOf } from "../../eval/documents/store.ts";
import { type DocumentLease, INGESTION_LANE } from "../../server/documents/ingest/document-task.ts";
import { termsOf } from "../../server/documents/retrieve/terms.ts";
import { encodeVectors } from "../../server/documents/retrieve/vector-encoding.ts";
import { createAccountStore } from "../../server/accounts/account.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { createFullTextIndex } from "../../server/documents/store/create-full-text-index.sql.ts";
import { createContentStore } from "../../server/documents/store/content.sql.ts";
import { createDocumentStore } from "../../server/documents/store/document.sql.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openDatabase } from "../../server/storage/open-database.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";
import { useTemporaryFolder } from "../support/test-app.ts";

const OWNER = "user_a";
const MODEL = "model";
const NO_PROGRESS = { pages: 0, pagesDone: 0, chunks: 0, chunksDone: 0 };
const lost = { code: "document_taken_over" };

async function openStores(url: string | undefined) {
  const folder = await useTemporaryFolder();
  const onProblem = () => undefined;
  const { db } = await openDatabase({ url, directUrl: url, poolSize: 6, folder, onProblem });
  onTestFinished(() => db.close());
  await migrate(db, migrations, 0);
  const fullText = createFullTextIndex(db);
  await fullText.prepare();
  const account = { id: OWNER, email: "a@example.com", name: "", passwordHash: "", createdAt: 0 };
  await createAccountStore(db).insert(account);
  const engine = createEngineStore(db);
  return {
    db,
    engine,
    records: createDocumentStore(db),
    store: createContentStore(db, fullText),
    /** Claims the document's task as an engine does. */
    async claim(now: number): Promise<DocumentLease | undefined> {
      const [task] = await claim(engine, "worker_1", 1, now, INGESTION_LANE);
      return task && { documentId: task.id, ownerId: task.ownerId, epoch: task.epoch };
    },
  };
}

const databases: Record<string, () => Promise<string | undefined>> = {
  SQLite: () => Promise.resolve(undefined),
  PostgreSQL: useDatabase,
};

const pageOf = (number: number) => ({ page: number, width: 595, height: 842, text: "Oil.", runs: [] });
const chunkOf = (ordinal: number) => ({
  id: `chunk_${Math.random()}`,
  ordinal,
  text: "Oil.",
  spans: [{ page: 1, start: 0, end: 4 }],
  terms: ["oil", `word${ordinal}`],
  sentences: encodeVectors([Float32Array.of(1, 0, 0, 0)]),
});
const finished = (documentId: string) => ({
  documentId,
  ownerId: OWNER,
  modelId: MODEL,
  dimensions: 4,
  vectors: new Uint8Array(8),
  sentences: new Uint8Array(8),
  indexVersion: 1,
  title: "Oil",
  pages: 1,
  pagesWithoutText: [],
  chunks: 1,
  terms: 2,
});

async function contentOf(db: Db): Promise<Record<string, unknown>> {
  const rows = async (sql: string) => (await db.query(sql)).map((row) => ({ ...row }));
  return {
    documents: await rows("select id, status, pages, model_id, error from document"),
    tasks: await rows("select id, status, epoch, lives from task"),
    tags: await rows("select count(*) as n from document_tag"),
    pages: await rows("select page from document_page order by page"),
    chunks: await rows("select ordinal from document_chunk order by ordinal"),
    terms: await rows("select term, chunks from document_term order by term"),
    vectors: await rows("select document_id from document_vectors"),
    sentences: await rows("select ordinal, model_id from document_sentence order by ordinal"),
  };
}

describe.each(Object.entries(databases))("on %s", (_name, database) => {
  test("[R21] a document that fails because it crashed three processes is not run again before its task has failed", async () => {
    const { db, engine, records } = await openStores(await database());
    await records.insert(createBareDocument("doc_1", OWNER, "Oil"), 0);
    await db.query("update task set status = 'running', worker_id = 'worker_dead', lives = 2 returning id");
    const [task] = (await engine.recover("all", 3, 0)).poisoned;
    const lease = { documentId: "doc_1", ownerId: OWNER, epoch: task!.epoch };
    await records.fail(lease, { code: "unreadable_document", message: "" });
    // Another process looks for abandoned tasks before this one has failed the task.
    expect(await engine.recover("all", 3, 0)).toMatchObject({ poisoned: [{ id: "doc_1" }], quarantined: [] });
  });

  test("a chunk keeps the headings above it, also for embedding it again", async () => {
    const { records, store } = await openStores(await database());
    const document = createBareDocument("doc_1", OWNER, "Oil");
    await records.insert(document, 0);
    const lease = leaseOf(document);
    const chunks = [{ ...chunkOf(0), heading: "Service > Gearbox" }, chunkOf(1)];
    await store.addChunks(lease, MODEL, chunks);
    await store.finish(lease, finished("doc_1"));
    const keys = [0, 1].map((ordinal) => ({ documentId: "doc_1", ordinal }));
    const stored = await store.chunks({ ownerId: OWNER }, keys);
    expect(stored.map(({ heading }) => heading).sort()).toEqual(["Service > Gearbox", undefined]);
    expect((await store.chunk("doc_1", chunks[0]!.id)).heading).toBe("Service > Gearbox");
    expect(await store.chunksFrom("doc_1", 0, 9)).toMatchObject([
      { title: "Oil", text: "Oil.", heading: "Service > Gearbox" },
      { title: "Oil", text: "Oil." },
    ]);
  });

  test("a document's task is due when its file is stored, one process claims it, and a clean stop is no crash", async () => {
    const { db, engine, records, claim } = await openStores(await database());
    const document = createBareDocument("doc_1", OWNER, "Oil");
    expect(await records.insert(document, 5000)).toBe(true);
    expect(await records.insert({ ...document, id: "doc_2" }, 5000)).toBe(false);
    expect(await claim(4999)).toBeUndefined();
    expect(await records.enqueue("doc_1", 1000)).toBe(true);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(1000)));
    const [lease, ...more] = claims.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    expect(lease).toEqual({ documentId: "doc_1", ownerId: OWNER, epoch: 1 });

    expect(await records.saveProgress(lease!, { ...NO_PROGRESS, pages: 9, pagesDone: 4 })).toBe(true);
    expect(await records.owned("doc_1", OWNER)).toMatchObject({ pages: 9, pagesDone: 4 });
    expect(await records.holds(lease!)).toBe(true);
    await engine.release("worker_1", 2000);
    expect(await records.holds(lease!)).toBe(false);
    expect(await claim(2000)).toMatchObject({ epoch: 3 });
    expect(await db.query("select lives from task")).toEqual([{ lives: 0 }]);
  });

  test("an upload whose process ended before its file was stored becomes due by itself", async () => {
    const { records, claim } = await openStores(await database());
    await records.insert(createBareDocument("doc_1", OWNER, "Oil"), 5000);
    expect(await claim(5000)).toMatchObject({ documentId: "doc_1" });
    await records.insert({ ...createBareDocument("doc_2", OWNER, "Oil"), sha256: "other" }, 5000);
    // After a restart a single process does not wait for it.
    await records.resume(1000, false);
    expect(await claim(1000)).toBeUndefined();
    await records.resume(1000, true);
    expect(await claim(1000)).toMatchObject({ documentId: "doc_2" });
  });

  test("work that crashes the service three times is poisoned, and finished work resets the crash count", async () => {
    const { db, engine, records, store, claim } = await openStores(await database());
    await records.insert(createBareDocument("doc_1", OWNER, "Oil"), 0);
    const crash = async () => {
      const lease = await claim(0);
      return { lease: lease!, ...(await engine.recover("all", 3, 0)) };
    };
    expect((await crash()).poisoned).toEqual([]);
    const lease = (await claim(0))!;
    await store.addPages(lease, [pageOf(1)]);
    // Pages are not progress: the next page may be what crashes it.
    expect(await db.query("select lives from task")).toEqual([{ lives: 1 }]);
    await store.finish(lease, finished("doc_1"));
    expect(await db.query("select lives from task")).toEqual([{ lives: 0 }]);
    await db.batch([{ sql: "update task set lives = 2" }]);
    const { poisoned } = await engine.recover("all", 3, 0);
    expect(poisoned).toMatchObject([{ id: "doc_1", lane: INGESTION_LANE }]);
  });

  test("[R21] a process that has lost its lease writes nothing at all", async () => {
    const { db, engine, records, store, claim } = await openStores(await database());
    const document = { ...createBareDocument("doc_1", OWNER, "Oil"), metadata: { tags: ["oil"] } };
    await records.insert(document, 0);
    const stale = (await claim(0))!;
    await store.addPages(stale, [pageOf(1)]);
    await store.addChunks(stale, MODEL, [chunkOf(0)]);
    await engine.recover("all", 3, 0);
    const current = (await claim(0))!;
    await store.clear(current);
    await store.addPages(current, [pageOf(1)]);
    await store.addChunks(current, MODEL, [chunkOf(0)]);

    async function expectRefused(lease: DocumentLease): Promise<void> {
      const before = await contentOf(db);
      await expect(store.addPages(lease, [pageOf(2)])).rejects.toMatchObject(lost);
      await expect(store.addChunks(lease, MODEL, [chunkOf(1)])).rejects.toMatchObject(lost);
      await expect(store.finish(lease, finished("doc_1"))).rejects.toMatchObject(lost);
      await expect(store.replaceChunks(lease, MODEL, [chunkOf(0)])).rejects.toMatchObject(lost);
      await expect(store.finishReindex(lease, finished("doc_1"))).rejects.toMatchObject(lost);
      await expect(store.clear(lease)).rejects.toMatchObject(lost);
      await expect(records.fail(lease, { code: "x", message: "x" })).rejects.toMatchObject(lost);
      await expect(records.failReindex(lease, { code: "x", message: "x" })).rejects.toMatchObject(lost);
      await expect(records.remove(lease)).rejects.toMatchObject(lost);
      expect(await records.saveProgress(lease, { ...NO_PROGRESS, pages: 99 })).toBe(false);
      expect(await records.holds(lease)).toBe(false);
      expect(await contentOf(db)).toEqual(before);
    }
    await expectRefused(stale);
    await store.finish(current, finished("doc_1"));
    await expectRefused(stale);
    const deleting = (await records.markDeleting("doc_1", 2))!;
    await expect(records.owned("doc_1", OWNER)).rejects.toMatchObject({ code: "document_not_found" });
    await expectRefused(stale);
    await expectRefused(current);
    expect(await records.markDeleting("doc_1", 3)).toBeUndefined();
    expect(await records.enqueue("doc_1", 3)).toBe(false);
    await store.clear(deleting);
    await records.remove(deleting);
    expect(await contentOf(db)).toEqual({
      documents: [],
      tasks: [],
      tags: [{ n: 0 }],
      pages: [],
      chunks: [],
      terms: [],
      vectors: [],
      sentences: [],
    });
    await expectRefused(stale);
    await expectRefused(deleting);
  });

  test("chunks that are indexed again have their new terms and sentences, and count once", async () => {
    const { db, records, store } = await openStores(await database());
    const document = createBareDocument("doc_1", OWNER, "Oil");
    const lease = leaseOf(document);
    await records.insert(document, 0);
    await store.addChunks(lease, MODEL, [chunkOf(0), chunkOf(1)]);
    await store.finish(lease, finished("doc_1"));
    const sentences = encodeVectors([Float32Array.of(0, 1, 0, 0), Float32Array.of(0, 0, 1, 0)]);
    await store.replaceChunks(
      lease,
      "other",
      [0, 1].map((ordinal) => ({ ordinal, terms: ["fuel", `word${ordinal}`], sentences })),
    );
    await store.finishReindex(lease, { ...finished("doc_1"), modelId: "other", indexVersion: 2, terms: 9 });

    const found = async (term: string) =>
      (await store.searchTerms({ ownerId: OWNER }, [term], 9)).keys.map(({ ordinal }) => ordinal).toSorted();
    expect([await found("oil"), await found("fuel"), await found("word1")]).toEqual([[], [0, 1], [1]]);
    expect(await contentOf(db)).toMatchObject({
      documents: [{ model_id: "other" }],
      terms: [
        { term: "fuel", chunks: 2 },
        { term: "word0", chunks: 1 },
        { term: "word1", chunks: 1 },
      ],
    });
    const keys = [{ documentId: "doc_1", ordinal: 1 }];
    const scope = { ownerId: OWNER };
    const evidence = { documentId: "doc_1", ordinal: 1, terms: "fuel word1" };
    expect(await store.evidence(scope, "other", keys)).toEqual([
      { ...evidence, sentences: new Uint8Array(sentences) },
    ]);
    // Vectors of two models are never compared, and the chunks of another owner never read.
    expect(await store.evidence(scope, MODEL, keys)).toEqual([{ ...evidence, sentences: null }]);
    expect(await store.evidence({ ownerId: "user_b" }, "other", keys)).toEqual([]);
    expect(await store.evidence({ ...scope, documentIds: ["doc_2"] }, "other", keys)).toEqual([]);
    expect(await records.find("doc_1")).toMatchObject({ indexVersion: 2 });
  });

  test("words are counted and searched in the documents of the question only", async () => {
    const { records, store } = await openStores(await database());
    for (const id of ["doc_1", "doc_2"]) {
      const document = createBareDocument(id, OWNER, id);
      await records.insert(document, 0);
      await store.addChunks(leaseOf(document), MODEL, [chunkOf(0), chunkOf(1)]);
      await store.finish(leaseOf(document), { ...finished(id), chunks: 2 });
    }
    const terms = ["word1", "oil", "absent"];
    const one = await store.searchTerms({ ownerId: OWNER, documentIds: ["doc_2"] }, terms, 9);
    expect(one).toEqual({
      statistics: {
        chunks: 2,
        containing: new Map([
          ["word1", 1],
          ["oil", 2],
          ["absent", 0],
        ]),
      },
      keys: [
        { documentId: "doc_2", ordinal: 1 },
        { documentId: "doc_2", ordinal: 0 },
      ],
    });
    const all = await store.searchTerms({ ownerId: OWNER }, terms, 9);
    expect(all.statistics).toEqual({
      chunks: 4,
      containing: new Map([
        ["oil", 4],
        ["word1", 2],
      ]),
    });
    expect(all.keys).toHaveLength(4);
    const none = { statistics: { chunks: 0, containing: new Map() }, keys: [] };
    expect(await store.searchTerms({ ownerId: OWNER, documentIds: [] }, terms, 9)).toEqual(none);
    expect(await store.searchTerms({ ownerId: "user_b", documentIds: ["doc_2"] }, ["oil"], 9)).toMatchObject({
      statistics: { chunks: 0 },
      keys: [],
    });
    // As long as a question may be: more terms than SQLite counts in one statement.
    const long = Array.from({ length: 2000 }, (_, i) => `term${i}`);
    expect((await store.searchTerms({ ownerId: OWNER, documentIds: ["doc_2"] }, long, 9)).keys).toEqual([]);
  });

  test("terms of every script are found as they are, and never cut again", async () => {
    const { records, store } = await openStores(await database());
    const document = createBareDocument("doc_1", OWNER, "Oil");
    await records.insert(document, 0);
    const texts = [
      "東京大学 コンピューター 北京",
      "สัญญาเช่าบ้าน",
      "मंत्रालय हिन्दी",
      "مكتبة الجامعة",
      "Straße Kündigungsfrist",
      "계약기간",
      "договор ёлка",
    ];
    const chunks = texts.map((text, ordinal) => ({ ...chunkOf(ordinal), text, terms: termsOf(text) }));
    await store.addChunks(leaseOf(document), MODEL, chunks);
    await store.finish(leaseOf(document), { ...finished("doc_1"), chunks: chunks.length });
    for (const { ordinal, terms } of chunks)
      for (const term of terms) {
        const { keys } = await store.searchTerms({ ownerId: OWNER }, [term], 9);
        expect({ term, found: keys.map((key) => key.ordinal) }).toEqual({ term, found: [ordinal] });
      }
    // A part of a term is another term.
    for (const part of ["コンピュー", "สัญ", "हिन", "kundigungs"])
      expect((await store.searchTerms({ ownerId: OWNER }, [part], 9)).keys).toEqual([]);
  });

  test("one of many deletions at once removes the document, and the engine finishes one that was interrupted", async () => {
    const { db, records, claim } = await openStores(await database());
    await records.insert(createBareDocument("doc_1", OWNER, "Oil"), 9000);
    const marks = await Promise.all(Array.from({ length: 8 }, () => records.markDeleting("doc_1", 5000)));
    const [lease, ...more] = marks.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    expect(await records.holds(lease!)).toBe(true);
    expect(await claim(4999)).toBeUndefined();
    expect(await claim(5000)).toMatchObject({ documentId: "doc_1" });
    // After the engine has failed the task, the next start resumes it.
    await db.batch([
      { sql: "update task set status = 'failed', worker_id = null, run_at = null, lives = 3" },
    ]);
    await records.resume(6000, false);
    expect(await claim(6000)).toMatchObject({ documentId: "doc_1" });
  });

  test("every change has the next number, also when many happen at once", async () => {
    const { records, store } = await openStores(await database());
    const ids = Array.from({ length: 12 }, (_, i) => `doc_${i}`);
    await Promise.all(
      ids.map(async (id) => {
        const document = createBareDocument(id, OWNER, id);
        await records.insert(document, 0);
        await store.finish(leaseOf(document), finished(id));
        await records.markDeleting(id, 0);
      }),
    );
    const changes = await store.changesAfter(0);
    expect(changes.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    expect(await store.lastChange()).toBe(24);
    expect(changes.map(({ documentId }) => documentId).toSorted()).toEqual([...ids, ...ids].toSorted());
  });
});

test("a lease does not end while a write of its holder is running", async () => {
  const url = await useDatabase();
  const { db, records, store } = await openStores(url);
  const document = createBareDocument("doc_1", OWNER, "Oil");
  await records.insert(document, 0);
  // Storing a page waits for a lock that the test holds.
  await asAdmin(
    url,
    `create function wait_for_test() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(7); return new; end $$`,
    "create trigger waits before insert on document_page for each row execute function wait_for_test()",
  );
  const gate = new Client({ connectionString: url });
  await gate.connect();
  await gate.query("select pg_advisory_lock(7)");
  const order: string[] = [];
  const writing = store.addPages(leaseOf(document), [pageOf(1)]).then(() => order.push("written"));
  const blocked = (type: string) =>
    db.query(`select count(*) as n from pg_locks where locktype ${type} and not granted`);
  await expect.poll(() => blocked("= 'advisory'"), { timeout: 20_000 }).toEqual([{ n: 1 }]);
  const deleting = records.markDeleting("doc_1", 0).then((lease) => {
    order.push("marked");
    return lease;
  });
  await expect.poll(() => blocked("<> 'advisory'"), { timeout: 20_000 }).toEqual([{ n: 1 }]);
  await gate.end();
  await writing;
  expect(await deleting).toMatchObject({ epoch: 1 });
  expect(order).toEqual(["written", "marked"]);
  await expect(store.addPages(leaseOf(document), [pageOf(2)])).rejects.toMatchObject(lost);
});
