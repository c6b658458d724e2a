import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { INDEX_VERSION } from "../../server/documents/ingest/index-chunks.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { shareApp } from "../support/shared-app.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { app, alice } = await shareApp(["alice"], words.settings);

const pdf = (...texts: string[]) => pdfOf([lines(texts)]);
const status = async (id: string) => (await alice.get(`/api/v1/documents/${id}`)).body.status;
const filesOf = async (folder: string) =>
  (await readdir(join(folder, "documents"))).filter((name) => name.endsWith(".pdf"));

/** Blocks requests to the embedding service until the returned function is called. */
function holdEmbeddings(): () => void {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  words.beforeAnswer = () => held;
  const unblock = (): void => {
    words.beforeAnswer = () => Promise.resolve();
    release();
  };
  onTestFinished(unblock);
  return unblock;
}

// Generous: CI machines are busy.
const POLL_OPTIONS = { timeout: 25_000 };

test("[R21] the same bytes again are the same document, one after the other and at the same time", async () => {
  const bytes = await pdf("Bolts are tightened to 40 newton metres.");
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(alice, bytes)));
  expect(new Set(answers.map(({ body }) => body.document_id)).size).toBe(1);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
  const again = await upload(alice, bytes, { metadata: { title: "Another title" } });
  expect([again.status, again.body]).toEqual([200, answers[0]?.body]);
  expect(await filesOf(app.dataDir)).toHaveLength(1);

  const bob = await registerUser(app, "bob");
  const ofBob = await upload(bob, bytes);
  expect(ofBob.status).toBe(201);
  expect(ofBob.body.document_id).not.toBe(again.body.document_id);
  await alice.delete(`/api/v1/documents/${again.body.document_id}`);
  expect((await bob.get(`/api/v1/documents/${ofBob.body.document_id}/file`)).status).toBe(200);
  const question = { query: "How are bolts tightened?" };
  expect((await bob.post("/api/v1/documents/query", question)).body.sources).toHaveLength(1);
});

test("?async=true responds at once, GET shows the progress, and no query finds the document before it is indexed", async () => {
  const release = holdEmbeddings();
  const answer = await upload(alice, await pdf("The kiln is fired at 1,240 degrees."), {
    query: "?async=true",
  });
  expect([answer.status, answer.body]).toEqual([
    202,
    { ok: true, document_id: expect.any(String), chunks_created: 0, status: "processing" },
  ]);
  const url = `/api/v1/documents/${answer.body.document_id}`;
  await expect
    .poll(async () => (await alice.get(url)).body, POLL_OPTIONS)
    .toMatchObject({
      status: "processing",
      pages: 1,
      pages_done: 1,
      chunks: 1,
      chunks_done: 0,
    });
  release();
  await expect
    .poll(async () => (await alice.get(url)).body, POLL_OPTIONS)
    .toMatchObject({
      status: "indexed",
      chunks_done: 1,
    });
});

test("a question about a document that is being indexed says so", async () => {
  const release = holdEmbeddings();
  const held = words.beforeAnswer;
  let isHolding = false;
  words.beforeAnswer = (texts) => {
    if (isHolding) return Promise.resolve();
    isHolding = true;
    return held(texts);
  };
  const { body } = await upload(alice, await pdf("Glaze needs four hours to dry."), { query: "?async=true" });
  await expect.poll(() => isHolding, POLL_OPTIONS).toBe(true);
  const question = { query: "How long does glaze dry?", document_ids: [body.document_id] };
  const ask = async (body: object = question) => (await alice.post("/api/v1/documents/query", body)).body;
  const note = "is still being indexed. Ask again when it is ready.";
  expect(await ask()).toMatchObject({
    answer: expect.stringMatching(new RegExp(`^“[^”]+” ${note}$`)),
    confidence: "none",
  });
  // Without names it is among all documents.
  expect(await ask({ query: "Who sings opera?" })).toMatchObject({
    answer: expect.stringContaining(note),
    confidence: "none",
  });
  const newcomer = await registerUser(app, "newcomer");
  expect((await newcomer.post("/api/v1/documents/query", { query: "Who sings opera?" })).body).toMatchObject({
    answer: "There are no documents yet. Upload one first.",
    confidence: "none",
  });
  release();
  await expect.poll(() => status(body.document_id), POLL_OPTIONS).toBe("indexed");
  expect((await ask()).answer).toContain("four hours");
});

test("[R21] DELETE ends a running ingestion and leaves nothing behind", async () => {
  const release = holdEmbeddings();
  const bytes = await pdf("A document that is deleted.");
  const waiting = upload(alice, bytes);
  let id = "";
  await expect
    .poll(async () => {
      const { documents } = (await alice.get("/api/v1/documents")).body;
      const found = documents.find((document: { status: string }) => document.status === "processing");
      id = found?.document_id ?? "";
      return found?.chunks;
    }, POLL_OPTIONS)
    .toBe(1);
  expect((await alice.delete(`/api/v1/documents/${id}`)).status).toBe(200);
  const response = await waiting;
  expect([response.status, response.body.error]).toEqual([409, "document_deleted"]);
  release();
  expect((await alice.get(`/api/v1/documents/${id}`)).status).toBe(404);
  expect(await filesOf(app.dataDir)).not.toContain(`${id}.pdf`);
});

test("[R21] the record has the error of a failed asynchronous upload, and the same bytes are a new attempt", async () => {
  words.status = 503;
  const bytes = await pdf("The second try succeeds.");
  const failed = (await upload(alice, bytes, { query: "?async=true" })).body.document_id;
  await expect
    .poll(async () => (await alice.get(`/api/v1/documents/${failed}`)).body, POLL_OPTIONS)
    .toMatchObject({
      status: "failed",
      error: { code: "embedding_failed" },
      chunks: 0,
    });
  expect(await filesOf(app.dataDir)).not.toContain(`${failed}.pdf`);
  expect((await alice.get(`/api/v1/documents/${failed}/file`)).body.error).toBe("document_file_not_found");
  words.status = 200;
  const question = { query: "Which try succeeds?", document_ids: [failed] };
  expect((await alice.post("/api/v1/documents/query", question)).body).toMatchObject({
    answer: expect.stringMatching(/^“.+” could not be indexed, so it cannot be searched\.$/),
    confidence: "none",
    sources: [],
  });
  const second = await upload(alice, bytes);
  expect([second.status, second.body.status]).toEqual([201, "indexed"]);
  expect((await alice.get(`/api/v1/documents/${failed}`)).status).toBe(404);
});

test("[R21] a stop during an upload is 503, and the next start resumes the ingestion", async () => {
  const first = await useTestApp(words.settings);
  const carol = await registerUser(first, "carol");
  const release = holdEmbeddings();
  const waiting = upload(carol, await pdf("Taken in by two processes."));
  await expect
    .poll(async () => (await carol.get("/api/v1/documents")).body.documents[0]?.chunks, POLL_OPTIONS)
    .toBe(1);
  await first.stop();
  expect((await waiting).status).toBe(503);

  const second = await useTestApp(words.settings, { dataDir: first.dataDir });
  const list = () => second.anonymous.get("/api/v1/documents", { authorization: `Bearer ${carol.token}` });
  await expect.poll(async () => (await list()).body.documents[0]?.chunks, POLL_OPTIONS).toBe(1);
  // Claimed, released, claimed: a stop is not a crash.
  expect(await second.sql("select epoch, lives from task")).toEqual([{ epoch: 3, lives: 0 }]);
  release();
  await expect
    .poll(async () => (await list()).body.documents, POLL_OPTIONS)
    .toMatchObject([{ status: "indexed", chunks: 1, pages: 1 }]);
  expect(await second.sql("select count(*) as n from document_chunk")).toEqual([{ n: 1 }]);
});

test("[R22] after a change of the model a query is 409, vectors are never mixed, and a reindex resolves it", async () => {
  const first = await useTestApp(words.settings);
  const dora = await registerUser(first, "dora");
  const old = (await upload(dora, await pdf("The mill turns at 90 revolutions."))).body.document_id;
  await first.stop();

  const settings = { ...words.settings, EMBEDDING_MODEL: "other-words" };
  const second = await useTestApp(settings, { dataDir: first.dataDir });
  const login = await second.anonymous.post("/api/auth/login", {
    email: dora.email,
    password: dora.password,
  });
  const authorization = { authorization: `Bearer ${login.body.token}` };
  const ask = (body: unknown) => second.anonymous.post("/api/v1/documents/query", body, authorization);
  const query = "How fast does the mill turn?";
  expect((await second.anonymous.get(`/api/v1/documents/${old}`, authorization)).body.needs_reindex).toBe(
    true,
  );
  const refused = await ask({ query });
  expect([refused.status, refused.body.error]).toEqual([409, "embedding_model_mismatch"]);

  const done = await second.anonymous.post("/api/v1/documents/reindex", undefined, authorization);
  expect([done.status, done.body]).toEqual([200, { ok: true, documents: 1, status: "indexed" }]);
  const answer = await ask({ query });
  expect(answer.body.sources[0]).toMatchObject({
    document_id: old,
    quote: "The mill turns at 90 revolutions.",
  });
  expect((await second.anonymous.get(`/api/v1/documents/${old}`, authorization)).body.needs_reindex).toBe(
    false,
  );
  const again = await second.anonymous.post("/api/v1/documents/reindex?async=true", undefined, authorization);
  expect([again.status, again.body.documents]).toEqual([202, 0]);
});

test("documents of an older index version are indexed again after a start, and are answered from meanwhile", async () => {
  const first = await useTestApp(words.settings);
  const erin = await registerUser(first, "erin");
  await upload(erin, await pdf("The forge is lit at dawn.", "Two smiths work the bellows."));
  // As a release without sentence vectors left it, with other terms.
  await first.sql("update document set index_version = 0");
  await first.sql("delete from document_sentence");
  await first.sql("update document_vectors set sentences = null");
  const terms = await first.sql("select terms from document_chunk");
  await first.stop();

  const query = "When is the forge lit?";
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  // Only a chunk has more than one line.
  words.beforeAnswer = (texts) => (texts[0]?.includes("\n") ? held : Promise.resolve());
  onTestFinished(() => {
    words.beforeAnswer = () => Promise.resolve();
  });
  const second = await useTestApp(words.settings, { dataDir: first.dataDir });
  const authorization = { authorization: `Bearer ${erin.token}` };
  const ask = async () =>
    (await second.anonymous.post("/api/v1/documents/query", { query }, authorization)).body;
  expect((await ask()).sources).toMatchObject([{ quote: "The forge is lit at dawn." }]);
  expect(await second.sql("select index_version from document")).toEqual([{ index_version: 0 }]);

  release();
  await expect
    .poll(() => second.sql("select index_version from document"), POLL_OPTIONS)
    .toEqual([{ index_version: INDEX_VERSION }]);
  expect(await second.sql("select terms from document_chunk")).toEqual(terms);
  expect(await second.sql("select ordinal, model_id from document_sentence")).toEqual([
    { ordinal: 0, model_id: "openai-compatible:words" },
  ]);
  const [{ sentences } = {}] = await second.sql("select sentences from document_vectors");
  // One count, and two sentences of 128 signs in six words.
  expect((sentences as Uint8Array).byteLength).toBe(4 + 2 * 6 * 4);
  expect((await ask()).sources).toMatchObject([{ quote: "The forge is lit at dawn." }]);
});

test("a start leaves documents of the current index version and of another model alone", async () => {
  const first = await useTestApp(words.settings);
  const finn = await registerUser(first, "finn");
  await upload(finn, await pdf("The kiln is cold."));
  await upload(finn, await pdf("The mill is closed."));
  await first.sql("update document set index_version = 0, model_id = 'older' where number = 1");
  await first.stop();
  const second = await useTestApp(words.settings, { dataDir: first.dataDir });
  // A due task has a time; a claimed one another epoch.
  const parked = { run_at: null, epoch: 1 };
  expect(await second.sql("select run_at, epoch from task")).toEqual([parked, parked]);
});

test("a PDF with a page of images only is indexed, and the record lists that page", async () => {
  const bytes = await pdfOf([lines(["Text on the first page."]), [], lines(["Text on the third page."])]);
  const { document_id: id } = (await upload(alice, bytes)).body;
  expect(await status(id)).toBe("indexed");
  expect((await alice.get(`/api/v1/documents/${id}`)).body).toMatchObject({
    pages: 3,
    pages_without_text: [2],
  });
});

test("[S25] a title is text: from the metadata, the file or its name, and harmless in a header", async () => {
  const named = await upload(alice, await pdf("Named by its file."), {
    fileName: "../../etc/<b>a\u0007b</b>.PDF",
  });
  const record = (await alice.get(`/api/v1/documents/${named.body.document_id}`)).body;
  expect(record.title).toBe("b>.PDF".replace(".PDF", ""));
  const evil = { title: 'x"\r\nset-cookie: a=b; <script>' };
  const titled = await upload(alice, await pdf("Named by its uploader."), { metadata: evil });
  const file = await alice.get(`/api/v1/documents/${titled.body.document_id}/file`);
  expect(file.status).toBe(200);
  expect(file.headers["set-cookie"]).toBeUndefined();
  expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="x___set-cookie/);
});
