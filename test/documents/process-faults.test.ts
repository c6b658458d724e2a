import { beforeEach, expect, test } from "vitest";
import { SLICE_CHUNKS } from "../../server/documents/ingest/index-chunks.ts";
import { startService } from "../support/service-process.ts";
import { useTestApp } from "../support/test-app.ts";
import { connect } from "../teams/team-app.ts";
import { longPdf, type SharedPlace, useSharedPlace } from "./process-on-postgres.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const POLL_OPTIONS = { timeout: 60_000 };

const words = await shareWordEmbeddings();
beforeEach(() => {
  words.beforeAnswer = () => Promise.resolve();
});

/** A child process that receives uploads and ingests them. `startSecond` starts another one in this process. */
async function useTwoProcesses(place: SharedPlace, role = "all") {
  const settings = {
    DATABASE_URL: place.url,
    DATA_DIR: place.folder,
    LEASE_MS: "4000",
    LOG_LEVEL: "silent",
    ...words.settings,
  };
  const first = startService({ ...settings, ROLE: role });
  const firstAddress = await first.ready();
  const account = { email: "ada@example.com", password: "long enough" };
  const registered = await fetch(`${firstAddress}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { token } = (await registered.json()) as { token: string };
  const upload = async (query = "") => {
    const body = formOf([{ name: "file", value: await longPdf(), fileName: "valves.pdf" }]);
    const headers = { authorization: `Bearer ${token}`, "content-type": MULTIPART };
    return fetch(`${firstAddress}/api/v1/documents/upload${query}`, { method: "POST", headers, body });
  };
  const startSecond = () => useTestApp(settings, { dataDir: place.folder });
  return { first, token, upload, startSecond };
}

/** The second slice of chunks waits until `release` is called; all others get a response. */
function holdSecondSlice(): { held: Promise<void>; release(): void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let slices = 0;
  const held = new Promise<void>((resolve) => {
    words.beforeAnswer = async (texts) => {
      // Chunks come first and have a title line; the requests for the rest of the sentences have none.
      if (texts[0]?.includes("\n")) slices += 1;
      if (slices !== 2) return;
      resolve();
      await released;
    };
  });
  return { held, release };
}

async function expectWhole({ sql }: SharedPlace): Promise<void> {
  const [document] = await sql("select status, chunks from document");
  expect(document).toMatchObject({ status: "indexed" });
  // Claimed by the first process, recovered and claimed by the second.
  expect(await sql("select epoch from task")).toEqual([{ epoch: 3 }]);
  const [counted] = await sql(
    `select (select count(*) from document_chunk) as chunks, (select count(*) from document_word) as words,
       (select max(chunks) from document_term) as term, (select count(*) from document_page) as pages,
       (select count(*) from document_change) as changes`,
  );
  const n = document?.["chunks"];
  expect(counted).toEqual({ chunks: n, words: n, term: n, pages: 40, changes: 1 });
}

test("[R21] a process that is suspended beyond its lease writes nothing more, and its upload gets its response", async () => {
  const place = await useSharedPlace();
  const { first, upload, startSecond } = await useTwoProcesses(place);
  const { held, release } = holdSecondSlice();
  const waiting = upload();
  await held;
  first.child.kill("SIGSTOP");
  await startSecond();
  const status = async () => (await place.sql("select status from document"))[0]?.["status"];
  await expect.poll(status, POLL_OPTIONS).toBe("indexed");
  await expectWhole(place);

  // Its vectors arrive after all, and it tries to store them.
  release();
  first.child.kill("SIGCONT");
  const answer = await waiting;
  const [document] = await place.sql("select id, chunks from document");
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { ok: true, document_id: document?.["id"], chunks_created: document?.["chunks"], status: "indexed" },
  ]);
  await expectWhole(place);
  expect(await first.stop()).toBe(0);
  await expectWhole(place);
});

test("[R21] another process ingests what a killed process was ingesting, and its subscribers see it", async () => {
  const place = await useSharedPlace();
  const { first, token, upload, startSecond } = await useTwoProcesses(place);
  const { held } = holdSecondSlice();
  const answer = await upload("?async=true");
  expect(answer.status).toBe(202);
  const { document_id: documentId } = (await answer.json()) as { document_id: string };
  await held;
  const second = await startSecond();
  const client = await connect(await second.listen(), token);
  expect(await client.ask("watch_document", { documentId })).toMatchObject({
    ok: true,
    status: "processing",
  });
  const told = () => client.events.filter(([name]) => name === "DOCUMENT_STATUS").map(([, event]) => event);
  // Progress of the first process, from the row.
  const progress = { status: "processing", pagesDone: 40, chunksDone: SLICE_CHUNKS };
  const seen = async () => [...told(), await client.ask("watch_document", { documentId })];
  await expect.poll(seen, POLL_OPTIONS).toContainEqual(expect.objectContaining(progress));
  await first.stop("SIGKILL");
  await expect
    .poll(() => told().at(-1), POLL_OPTIONS)
    .toMatchObject({ documentId, status: "indexed", pages: 40, pagesDone: 40 });
  await expectWhole(place);
  const asked = await second.anonymous.post(
    "/api/v1/documents/query",
    { query: "Which page tells of valve 1000?" },
    { authorization: `Bearer ${token}` },
  );
  expect(asked.body.sources).toContainEqual(expect.objectContaining({ document_id: documentId, page: 34 }));
});

test("an upload to an api process is ingested by a worker, and gets its response when it is indexed", async () => {
  const place = await useSharedPlace();
  const { upload, startSecond } = await useTwoProcesses(place, "api");
  const waiting = upload();
  const tasks = () => place.sql("select status, worker_id from task");
  await expect.poll(tasks, POLL_OPTIONS).toEqual([{ status: "queued", worker_id: null }]);
  await startSecond();
  const response = await waiting;
  expect([response.status, await response.json()]).toMatchObject([201, { status: "indexed" }]);
});
