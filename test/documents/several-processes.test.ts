import { expect, test } from "vitest";
import { LARGE_INGESTION_LANE } from "../../server/documents/ingest/document-task.ts";
import { SLICE_CHUNKS } from "../../server/documents/ingest/index-chunks.ts";
import {
  holdVectors,
  longPdf,
  OWNER,
  type SharedPlace,
  startProcess,
  useSharedPlace,
} from "./process-on-postgres.ts";

const POLL_OPTIONS = { timeout: 60_000 };
/** Every claim raises the epoch, and so does every return of a task to the queue. */
const CLAIMED_ONCE = { epoch: 1 };
const CLAIMED_TWICE = { epoch: 3 };
const QUESTION = "Which page tells of valve 61?";

/** The document is complete and stored once: chunks, full-text entries and term counts. */
async function expectWhole({ sql }: SharedPlace, claims: { epoch: number }): Promise<void> {
  const [document] = await sql("select status, chunks, pages, error from document");
  expect(document).toMatchObject({ status: "indexed", pages: 40, error: null });
  expect(await sql("select epoch, lives from task")).toEqual([{ ...claims, lives: 0 }]);
  const [counted] = await sql(
    `select (select count(*) from document_chunk) as chunks, (select count(*) from document_word) as words,
       (select max(chunks) from document_term) as term, (select count(*) from document_page) as pages,
       (select count(*) from document_vectors) as vectors, (select count(*) from document_sentence) as sentences`,
  );
  const n = document?.["chunks"];
  expect(counted).toEqual({ chunks: n, words: n, term: n, pages: 40, vectors: 1, sentences: n });
}

const nothing = {
  document: 0,
  document_tag: 0,
  document_page: 0,
  document_chunk: 0,
  document_term: 0,
  document_word: 0,
  document_vectors: 0,
  document_sentence: 0,
  task: 0,
  files: 0,
};

test("[R21] the same bytes sent to two processes at once are one document, and both respond when it is indexed", async () => {
  const place = await useSharedPlace();
  const [first, second] = [await startProcess(place), await startProcess(place)];
  const bytes = await longPdf();
  const uploads = await Promise.all([first, second, first, second].map((process) => process.upload(bytes)));
  expect(new Set(uploads.map(({ document }) => document.id)).size).toBe(1);
  expect(uploads.map(({ document }) => document.status)).toEqual(Array(4).fill("indexed"));
  expect(uploads.filter(({ created }) => created)).toHaveLength(1);
  await expectWhole(place, CLAIMED_ONCE);
  expect((await place.leftovers())["files"]).toBe(1);
});

test("every process shows the progress of a document, and none takes over a live one", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, leaseMs: 3000 });
  const { document } = await first.upload(await longPdf(), false);
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  const second = await startProcess(place, { leaseMs: 3000 });
  const progress = () => second.documents.get(OWNER, document.id);
  await expect.poll(async () => (await progress()).chunks, POLL_OPTIONS).toBeGreaterThan(64);
  const { chunks, ...rest } = await progress();
  expect(rest).toMatchObject({ status: "processing", pages: 40, pages_done: 40, chunks_done: 0 });
  embedding.letOne();
  const slice = { status: "processing", chunks, chunks_done: SLICE_CHUNKS };
  await expect.poll(progress, POLL_OPTIONS).toMatchObject(slice);
  // Its worker renews its lease over more than a whole lease, while the other process looks for orphaned tasks.
  const heartbeat = async () => {
    const rows = await place.sql(
      "select w.heartbeat_at as at from worker as w join task as t on t.worker_id = w.id",
    );
    return Number(rows[0]?.["at"]);
  };
  const before = await heartbeat();
  await expect.poll(heartbeat, POLL_OPTIONS).toBeGreaterThan(before + 4000);
  expect(await place.sql("select epoch, status from task")).toEqual([{ epoch: 1, status: "running" }]);
  embedding.letAll();
  await expect.poll(progress, POLL_OPTIONS).toMatchObject({ status: "indexed", chunks_done: chunks });
  await expectWhole(place, CLAIMED_ONCE);
});

test("[R21] a document deleted in one process while another ingests it leaves nothing behind", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, leaseMs: 3000 });
  const second = await startProcess(place, { slots: 0 });
  const waiting = first.upload(await longPdf()).catch((error: unknown) => error);
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  embedding.letOne();
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  const { items } = await second.documents.list(OWNER, { limit: 1 });
  await second.documents.remove(OWNER, items[0]!.document_id);
  expect(await place.leftovers()).toEqual(nothing);
  // The other one notices although its vectors never arrive, and its upload gets the error.
  expect(await waiting).toMatchObject({ code: "document_deleted" });
  expect(await place.leftovers()).toEqual(nothing);
});

test("[R21] a file that is stored after its document was deleted is removed", async () => {
  const place = await useSharedPlace();
  let letArrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (letArrive = resolve));
  const first = await startProcess(place, { beforeKeep: () => arrived });
  const second = await startProcess(place);
  const waiting = first.upload(await longPdf()).catch((error: unknown) => error);
  const list = async () => (await second.documents.list(OWNER, { limit: 1 })).items;
  await expect.poll(list, POLL_OPTIONS).toHaveLength(1);
  await second.documents.remove(OWNER, (await list())[0]!.document_id);
  letArrive();
  expect(await waiting).toMatchObject({ code: "document_deleted" });
  expect(await place.leftovers()).toEqual(nothing);
});

test("[R21] a process that lost its own task while it was suspended starts it again and only once", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const process = await startProcess(place, { embedding, leaseMs: 3000 });
  await process.upload(await longPdf(), false);
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  embedding.letOne();
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  // Another process recovers the task, as if this worker had died.
  await place.sql(
    "update task set epoch = epoch + 1, worker_id = null, status = 'queued', run_at = 0, lives = 1 where epoch = 1",
  );
  const epoch = async () => Number((await place.sql("select epoch from task"))[0]?.["epoch"]);
  await expect.poll(epoch, POLL_OPTIONS).toBe(3);
  embedding.letAll();
  const status = async () => (await place.sql("select status from document"))[0]?.["status"];
  await expect.poll(status, POLL_OPTIONS).toBe("indexed");
  await expectWhole(place, CLAIMED_TWICE);
});

test("[R21] a process that stops hands its documents over at once, without waiting for the lease", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const first = await startProcess(place, { embedding, hints: true });
  const { document } = await first.upload(await longPdf(), false);
  await expect.poll(() => embedding.waiting(), POLL_OPTIONS).toBe(1);
  const second = await startProcess(place, { hints: true });
  await first.stop();
  await expect
    .poll(() => second.documents.get(OWNER, document.id), POLL_OPTIONS)
    .toMatchObject({ status: "indexed" });
  await expectWhole(place, CLAIMED_TWICE);
  expect(await second.ask(QUESTION)).toEqual([document.id]);
});

test("[R21] a deletion that an ended process has begun is finished by another", async () => {
  const place = await useSharedPlace();
  const first = await startProcess(place);
  const { document } = await first.upload(await longPdf());
  await first.records.markDeleting(document.id, Date.now() + 1000);
  await first.stop();
  await startProcess(place, { leaseMs: 1200 });
  await expect.poll(() => place.leftovers(), POLL_OPTIONS).toEqual(nothing);
});

test("a document that crashed three processes is failed by the fourth, and one without a file says so", async () => {
  const place = await useSharedPlace();
  const uploader = await startProcess(place, { slots: 0 });
  const { document } = await uploader.upload(await longPdf(), false);
  const view = () => uploader.documents.get(OWNER, document.id);
  const crash = (crashes: number) =>
    place.sql(
      `update task set status = 'running', worker_id = 'worker_dead', run_at = null, lives = ${crashes - 1}`,
    );
  await crash(2);
  const second = await startProcess(place, { leaseMs: 3000 });
  await expect.poll(view, POLL_OPTIONS).toMatchObject({ status: "indexed" });
  await expectWhole(place, { epoch: 2 });
  await second.stop();

  await place.sql("delete from document_vectors");
  await place.sql("update document set status = 'processing'");
  await crash(3);
  const third = await startProcess(place, { leaseMs: 3000 });
  await expect.poll(view, POLL_OPTIONS).toMatchObject({
    status: "failed",
    error: { code: "unreadable_document", message: "Ingestion crashed the service 3 times." },
    chunks: 0,
  });
  const taskStatus = () => place.sql("select status from task");
  await expect.poll(taskStatus, POLL_OPTIONS).toEqual([{ status: "failed" }]);
  expect(await place.leftovers()).toEqual({ ...nothing, document: 1, document_tag: 1, task: 1 });
  await third.stop();

  await place.sql("update document set status = 'processing', error = null");
  await crash(1);
  await startProcess(place, { leaseMs: 3000 });
  await expect.poll(view, POLL_OPTIONS).toMatchObject({
    status: "failed",
    error: { code: "document_file_not_found" },
  });
  expect(await place.leftovers()).toEqual({ ...nothing, document: 1, document_tag: 1, task: 1 });
});

test("a document that takes long starts again in the lane of large documents", async () => {
  const place = await useSharedPlace();
  const embedding = holdVectors();
  const process = await startProcess(place, { embedding, smallDocumentMs: 1000 });
  const { document } = await process.upload(await longPdf(), false);
  const lane = async () => (await place.sql("select lane, status from task"))[0];
  await expect.poll(lane, POLL_OPTIONS).toEqual({ lane: LARGE_INGESTION_LANE, status: "running" });
  embedding.letAll();
  const status = async () => (await process.documents.get(OWNER, document.id)).status;
  await expect.poll(status, POLL_OPTIONS).toBe("indexed");
  await expectWhole(place, CLAIMED_TWICE);
});
