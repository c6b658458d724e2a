import { beforeEach, expect, test } from "vitest";
import { startService } from "../support/service-process.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { connect } from "../teams/room.ts";
import { longPdf, type SharedPlace, useSharedPlace } from "./process-on-postgres.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const PATIENCE = { timeout: 60_000 };

const words = await shareWordEmbeddings();
beforeEach(() => {
  words.beforeAnswer = () => Promise.resolve();
});

/** A process of its own that takes uploads, and beside it, in this one, a process that takes up what is left. */
async function useTwoProcesses(place: SharedPlace) {
  const settings = {
    DATABASE_URL: place.url,
    DATA_DIR: place.folder,
    LEASE_MS: "1000",
    LOG_LEVEL: "silent",
    ...words.settings,
  };
  const worker = await useTestApp(settings, { dataDir: place.folder });
  const address = await worker.listen();
  const ada = await registerUser(worker, "ada");
  const api = startService({ ...settings, ROLE: "api" });
  const apiAddress = await api.ready();
  const upload = async (query = "") => {
    const body = formOf([{ name: "file", value: await longPdf(), fileName: "valves.pdf" }]);
    const headers = { authorization: `Bearer ${ada.token}`, "content-type": MULTIPART };
    return fetch(`${apiAddress}/api/v1/documents/upload${query}`, { method: "POST", headers, body });
  };
  return { address, ada, api, upload };
}

/** The second slice that is asked for waits until the test lets it go; all others are answered. */
function holdSecondSlice(): { held: Promise<void>; release(): void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let slices = 0;
  const held = new Promise<void>((resolve) => {
    words.beforeAnswer = async () => {
      slices += 1;
      if (slices !== 2) return;
      resolve();
      await released;
    };
  });
  return { held, release };
}

async function expectWhole({ sql }: SharedPlace): Promise<void> {
  const [document] = await sql("select status, chunks, epoch, attempts from document");
  expect(document).toMatchObject({ status: "indexed", epoch: 2, attempts: 2 });
  const [counted] = await sql(
    `select (select count(*) from document_chunk) as chunks, (select count(*) from document_word) as words,
       (select max(chunks) from document_term) as term, (select count(*) from document_page) as pages,
       (select count(*) from document_change) as changes`,
  );
  const n = document?.["chunks"];
  expect(counted).toEqual({ chunks: n, words: n, term: n, pages: 40, changes: 1 });
}

test("[R21] a process that sleeps through its claim and wakes up writes nothing more, and its uploader is answered", async () => {
  const place = await useSharedPlace();
  const { api, upload } = await useTwoProcesses(place);
  const { held, release } = holdSecondSlice();
  const waiting = upload();
  await held;
  api.child.kill("SIGSTOP");
  const status = async () => (await place.sql("select status from document"))[0]?.["status"];
  await expect.poll(status, PATIENCE).toBe("indexed");
  await expectWhole(place);

  // Its vectors arrive after all, and it wants to store them.
  release();
  api.child.kill("SIGCONT");
  const answer = await waiting;
  const [document] = await place.sql("select id, chunks from document");
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { ok: true, document_id: document?.["id"], chunks_created: document?.["chunks"], status: "indexed" },
  ]);
  await expectWhole(place);
  expect(await api.stop()).toBe(0);
  await expectWhole(place);
});

test("[R21] what a killed process was taking in is taken up by another, and who watches it there sees it", async () => {
  const place = await useSharedPlace();
  const { address, ada, api, upload } = await useTwoProcesses(place);
  const { held } = holdSecondSlice();
  const answer = await upload("?async=true");
  expect(answer.status).toBe(202);
  const { document_id: documentId } = (await answer.json()) as { document_id: string };
  await held;
  const client = await connect(address, ada.token);
  expect(await client.ask("watch_document", { documentId })).toMatchObject({
    ok: true,
    status: "processing",
  });
  const told = () => client.events.filter(([name]) => name === "DOCUMENT_STATUS").map(([, event]) => event);
  // From the process that takes it in, over the row.
  const standing = { status: "processing", pagesDone: 40, chunksDone: 32 };
  const seen = async () => [...told(), await client.ask("watch_document", { documentId })];
  await expect.poll(seen, PATIENCE).toContainEqual(expect.objectContaining(standing));
  await api.stop("SIGKILL");
  await expect
    .poll(() => told().at(-1), PATIENCE)
    .toMatchObject({ documentId, status: "indexed", pages: 40, pagesDone: 40 });
  await expectWhole(place);
  const asked = await ada.post("/api/v1/documents/query", { query: "Which page tells of valve 1000?" });
  expect(asked.body.sources).toContainEqual(expect.objectContaining({ document_id: documentId, page: 34 }));
});
