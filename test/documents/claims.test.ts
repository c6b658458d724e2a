import { rm } from "node:fs/promises";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBareDocument } from "../../eval/documents/store.ts";
import { type Claim, claimOf } from "../../server/documents/ingest/document-claim.ts";
import { createAccountStore } from "../../server/accounts/account.sql.ts";
import type { Db } from "../../server/storage/db.ts";
import { createFullTextIndex } from "../../server/documents/store/create-full-text-index.sql.ts";
import { createContentStore } from "../../server/documents/store/content.sql.ts";
import { createDocumentStore } from "../../server/documents/store/document.sql.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openDatabase } from "../../server/storage/open-database.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";
import { temporaryFolder } from "../support/test-app.ts";

const OWNER = "user_a";
const NO_PROGRESS = { pages: 0, pagesDone: 0, chunks: 0, chunksDone: 0 };
const lost = { code: "document_taken_over" };

async function openStores(url: string | undefined) {
  const folder = await temporaryFolder();
  const onProblem = () => undefined;
  const { db } = await openDatabase({ url, directUrl: url, poolSize: 6, folder, onProblem });
  onTestFinished(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  await migrate(db, migrations, 0);
  const fullText = createFullTextIndex(db);
  await fullText.prepare();
  const account = { id: OWNER, email: "a@example.com", name: "", passwordHash: "", createdAt: 0 };
  await createAccountStore(db).insert(account);
  return { db, records: createDocumentStore(db), store: createContentStore(db, fullText) };
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
});
const finished = (documentId: string) => ({
  documentId,
  ownerId: OWNER,
  modelId: "model",
  dimensions: 4,
  vectors: new Uint8Array(8),
  title: "Oil",
  pages: 1,
  pagesWithoutText: [],
  chunks: 1,
  terms: 2,
});

async function contentOf(db: Db): Promise<Record<string, unknown>> {
  const rows = async (sql: string) => (await db.query(sql)).map((row) => ({ ...row }));
  return {
    documents: await rows("select id, status, epoch, attempts, model_id, error from document"),
    tags: await rows("select count(*) as n from document_tag"),
    pages: await rows("select page from document_page order by page"),
    chunks: await rows("select ordinal from document_chunk order by ordinal"),
    terms: await rows("select term, chunks from document_term order by term"),
    vectors: await rows("select document_id from document_vectors"),
  };
}

describe.each(Object.entries(databases))("on %s", (_name, database) => {
  test("a claim is given once, to the first who asks after the lease, and not while it is renewed", async () => {
    const { records } = await openStores(await database());
    const document = createBareDocument("doc_1", OWNER, "Oil");
    expect(await records.begin({ ...document, createdAt: 1000 })).toBe(true);
    expect(await records.claimAbandoned(1000, 1000)).toBeUndefined();
    const taken = await Promise.all(Array.from({ length: 8 }, () => records.claimAbandoned(1001, 5000)));
    const [claimed, ...more] = taken.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    expect(claimed).toMatchObject({ id: "doc_1", epoch: 2, attempts: 2 });

    expect(await records.renew(claimOf(claimed!), { ...NO_PROGRESS, pages: 9, pagesDone: 4 }, 9000)).toBe(
      true,
    );
    expect(await records.claimAbandoned(9000, 9000)).toBeUndefined();
    expect(await records.owned("doc_1", OWNER)).toMatchObject({ pages: 9, pagesDone: 4 });
    // Left by its own process, it is anybody's at once.
    await records.release(claimOf(claimed!));
    expect(await records.claimAbandoned(1, 9000)).toMatchObject({ epoch: 3, attempts: 3 });
  });

  test("[R21] who has lost the claim writes nothing at all, whatever it is", async () => {
    const { db, records, store } = await openStores(await database());
    const document = { ...createBareDocument("doc_1", OWNER, "Oil"), metadata: { tags: ["oil"] } };
    await records.begin(document);
    const stale = claimOf(document);
    await store.addPages(stale, [pageOf(1)]);
    await store.addChunks(stale, [chunkOf(0)]);
    const taken = claimOf((await records.claimAbandoned(1, 1))!);
    await store.clear(taken);
    await store.addPages(taken, [pageOf(1)]);
    await store.addChunks(taken, [chunkOf(0)]);

    async function expectRefused(claim: Claim): Promise<void> {
      const before = await contentOf(db);
      await expect(store.addPages(claim, [pageOf(2)])).rejects.toMatchObject(lost);
      await expect(store.addChunks(claim, [chunkOf(1)])).rejects.toMatchObject(lost);
      await expect(store.finish(claim, finished("doc_1"))).rejects.toMatchObject(lost);
      await expect(store.clear(claim)).rejects.toMatchObject(lost);
      await expect(records.fail(claim, { code: "x", message: "x" })).rejects.toMatchObject(lost);
      expect(await records.renew(claim, NO_PROGRESS, 99)).toBe(false);
      expect(await records.markDeleting("doc_1", 99, claim)).toBeUndefined();
      await records.release(claim);
      await records.remove(claim);
      expect(await contentOf(db)).toEqual(before);
    }
    await expectRefused(stale);
    await store.finish(taken, finished("doc_1"));
    await expectRefused(stale);
    const deleting = (await records.markDeleting("doc_1", 2))!;
    await expect(records.owned("doc_1", OWNER)).rejects.toMatchObject({ code: "document_not_found" });
    await expectRefused(stale);
    await expectRefused(taken);
    expect(await records.markDeleting("doc_1", 3)).toBeUndefined();
    await store.clear(deleting);
    await records.remove(deleting);
    const nothing = { documents: [], tags: [{ n: 0 }], pages: [], chunks: [], terms: [], vectors: [] };
    expect(await contentOf(db)).toEqual(nothing);
    await expectRefused(stale);
    await expectRefused(deleting);
  });

  test("every change has the next number, also when many happen at once", async () => {
    const { records, store } = await openStores(await database());
    const ids = Array.from({ length: 12 }, (_, i) => `doc_${i}`);
    await Promise.all(
      ids.map(async (id) => {
        const document = createBareDocument(id, OWNER, id);
        await records.begin(document);
        await store.finish(claimOf(document), finished(id));
        await records.markDeleting(id, 0);
      }),
    );
    const changes = await store.changesAfter(0);
    expect(changes.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    expect(await store.lastChange()).toBe(24);
    expect(changes.map(({ documentId }) => documentId).toSorted()).toEqual([...ids, ...ids].toSorted());
  });
});

test("a claim does not change hands while a write of its holder is under way", async () => {
  const url = await useDatabase();
  const { db, records, store } = await openStores(url);
  const document = createBareDocument("doc_1", OWNER, "Oil");
  await records.begin(document);
  // Storing a page waits for a lock that is the test's.
  await asAdmin(
    url,
    `create function wait_for_test() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(7); return new; end $$`,
    "create trigger waits before insert on document_page for each row execute function wait_for_test()",
  );
  const gate = new Client({ connectionString: url });
  await gate.connect();
  await gate.query("select pg_advisory_lock(7)");
  const writing = store.addPages(claimOf(document), [pageOf(1)]);
  const waiting = "select count(*) as n from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(() => db.query(waiting), { timeout: 20_000 }).toEqual([{ n: 1 }]);
  expect(await records.claimAbandoned(1, 1)).toBeUndefined();
  await gate.end();
  await writing;
  expect(await records.claimAbandoned(1, 1)).toMatchObject({ epoch: 2 });
});
