import { expect, test } from "vitest";
import {
  holdVectors,
  longPdf,
  OWNER,
  type SharedPlace,
  startProcess,
  useSharedPlace,
} from "./process-on-postgres.ts";

const PATIENCE = { timeout: 60_000 };
const QUESTION = "Which page tells of valve 61?";

/** All of the document is there, once: its chunks, its words, and their counts. */
async function expectWhole({ sql }: SharedPlace, attempts: number): Promise<void> {
  const [document] = await sql("select status, chunks, pages, attempts, error from document");
  expect(document).toMatchObject({ status: "indexed", pages: 40, attempts, error: null });
  const [counted] = await sql(
    `select (select count(*) from document_chunk) as chunks, (select count(*) from document_word) as words,
       (select max(chunks) from document_term) as term, (select count(*) from document_page) as pages,
       (select count(*) from document_vectors) as vectors`,
  );
  const n = document?.["chunks"];
  expect(counted).toEqual({ chunks: n, words: n, term: n, pages: 40, vectors: 1 });
}

const nothing = {
  document: 0,
  document_tag: 0,
  document_page: 0,
  document_chunk: 0,
  document_term: 0,
  document_word: 0,
  document_vectors: 0,
  files: 0,
};

test("[R21] the same bytes sent to two processes at once are one document, and both answer when it is in", async () => {
  const place = await useSharedPlace();
  const [first, second] = [await startProcess(place), await startProcess(place)];
  const bytes = await longPdf();
  const uploads = await Promise.all([first, second, first, second].map((process) => process.upload(bytes)));
  expect(new Set(uploads.map(({ document }) => document.id)).size).toBe(1);
  expect(uploads.map(({ document }) => document.status)).toEqual(Array(4).fill("indexed"));
  expect(uploads.filter(({ created }) => created)).toHaveLength(1);
  await expectWhole(place, 1);
  expect((await place.leftovers())["files"]).toBe(1);
});

test("how far a document is shows in every process, and a live claim is left alone", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, leaseMs: 3000 });
  const second = await startProcess(place, { leaseMs: 3000 });
  const { document } = await first.upload(await longPdf(), false);
  await second.documents.recover();
  const standing = () => second.documents.get(OWNER, document.id);
  await expect.poll(async () => (await standing()).chunks, PATIENCE).toBeGreaterThan(64);
  const { chunks, ...rest } = await standing();
  expect(rest).toMatchObject({ status: "processing", pages: 40, pages_done: 40, chunks_done: 0 });
  embedding.letOne();
  await expect.poll(standing, PATIENCE).toMatchObject({ status: "processing", chunks, chunks_done: 32 });
  // Renewed over more than a whole lease, while the other process looks for abandoned ones.
  const [{ at } = { at: 0 }] = await place.sql("select claimed_at as at from document");
  await expect
    .poll(async () => (await place.sql("select claimed_at as at from document"))[0]?.["at"], PATIENCE)
    .toBeGreaterThan(Number(at) + 4000);
  expect(await place.sql("select epoch, attempts from document")).toEqual([{ epoch: 1, attempts: 1 }]);
  embedding.letAll();
  await expect.poll(standing, PATIENCE).toMatchObject({ status: "indexed", chunks_done: chunks });
  await expectWhole(place, 1);
});

test("[R21] a document deleted in one process while another takes it in leaves nothing behind", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, leaseMs: 3000 });
  const second = await startProcess(place);
  const waiting = first.upload(await longPdf()).catch((error: unknown) => error);
  await expect.poll(() => embedding.waiting(), PATIENCE).toBe(1);
  embedding.letOne();
  await expect.poll(() => embedding.waiting(), PATIENCE).toBe(1);
  const { items } = await second.documents.list(OWNER, { limit: 1 });
  await second.documents.remove(OWNER, items[0]!.document_id);
  expect(await place.leftovers()).toEqual(nothing);
  // The other one notices when it renews its claim, though its vectors never come, and its uploader is told.
  expect(await waiting).toMatchObject({ code: "document_deleted" });
  expect(await place.leftovers()).toEqual(nothing);
});

test("[R21] a file that arrives when its document is deleted already goes, too", async () => {
  const place = await useSharedPlace();
  let letArrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (letArrive = resolve));
  const first = await startProcess(place, { beforeKeep: () => arrived });
  const second = await startProcess(place);
  const waiting = first.upload(await longPdf()).catch((error: unknown) => error);
  const list = async () => (await second.documents.list(OWNER, { limit: 1 })).items;
  await expect.poll(list, PATIENCE).toHaveLength(1);
  await second.documents.remove(OWNER, (await list())[0]!.document_id);
  letArrive();
  expect(await waiting).toMatchObject({ code: "document_deleted" });
  expect(await place.leftovers()).toEqual(nothing);
});

test("[R21] a process that finds its own document abandoned, after a sleep, begins it anew and only once", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const process = await startProcess(place, { embedding, leaseMs: 3000 });
  await process.documents.recover();
  await process.upload(await longPdf(), false);
  await expect.poll(() => embedding.waiting(), PATIENCE).toBe(1);
  embedding.letOne();
  await expect.poll(() => embedding.waiting(), PATIENCE).toBe(1);
  const takenAnew = async () => {
    await place.sql("update document set claimed_at = 0 where epoch = 1");
    process.documents.heard();
    return (await place.sql("select epoch from document"))[0]?.["epoch"];
  };
  await expect.poll(takenAnew, PATIENCE).toBe(2);
  embedding.letAll();
  const status = async () => (await place.sql("select status from document"))[0]?.["status"];
  await expect.poll(status, PATIENCE).toBe("indexed");
  await expectWhole(place, 2);
});

test("[R21] a process that stops hands its documents over at once, without waiting for the lease", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, hints: true });
  const second = await startProcess(place, { hints: true });
  await second.documents.recover();
  const { document } = await first.upload(await longPdf(), false);
  await expect.poll(() => embedding.waiting(), PATIENCE).toBe(1);
  await first.documents.stopIngesting();
  await expect
    .poll(() => second.documents.get(OWNER, document.id), PATIENCE)
    .toMatchObject({ status: "indexed" });
  await expectWhole(place, 2);
  expect(await second.ask(QUESTION)).toEqual([document.id]);
});

test("[R21] a deletion that an ended process has begun is brought to its end by another", async () => {
  const place = await useSharedPlace();
  const [first, second] = [await startProcess(place), await startProcess(place, { leaseMs: 1200 })];
  const { document } = await first.upload(await longPdf());
  await first.records.markDeleting(document.id, 1);
  await first.stop();
  await second.documents.recover();
  expect(await place.leftovers()).toEqual(nothing);
});

test("a document that three processes did not survive is failed by the fourth, one without a file says so", async () => {
  const place = await useSharedPlace();
  const process = await startProcess(place);
  const { document } = await process.upload(await longPdf());
  const abandon = (attempts: number) =>
    place.sql(`update document set status = 'processing', attempts = ${attempts}, claimed_at = 0`);
  await place.sql("delete from document_vectors");
  await abandon(2);
  await process.documents.recover();
  await expectWhole(place, 3);
  await place.sql("delete from document_vectors");
  await abandon(3);
  await process.documents.recover();
  expect(await process.documents.get(OWNER, document.id)).toMatchObject({
    status: "failed",
    error: { code: "unreadable_document", message: "Taking it in ended the service 3 times." },
    chunks: 0,
  });
  await abandon(1);
  await process.documents.recover();
  expect(await process.documents.get(OWNER, document.id)).toMatchObject({
    status: "failed",
    error: { code: "document_file_not_found" },
  });
  expect(await place.leftovers()).toEqual({ ...nothing, document: 1, document_tag: 1 });
});
