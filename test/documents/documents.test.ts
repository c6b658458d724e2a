import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiResponse } from "../support/client.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import { upload } from "./upload.ts";

// End to end, with the bundled embedding model.
let app: TestApp;
let alice: RegisteredUser;
let bytes: Uint8Array;
let uploaded: ApiResponse;
let documentId: string;

const pages = [
  ["The Halden 40 pump stands in the cellar.", "The motor takes in 1,100 watts at full load."],
  [
    "Maintenance of the pump.",
    "Change the gearbox oil every 1,500 hours of operation.",
    "Use oil of grade 46.",
  ],
  ["The guarantee lasts 36 months from delivery.", "It does not cover worn seals."],
];

beforeAll(async () => {
  app = await createTestApp();
  alice = await registerUser(app, "alice");
  bytes = await pdfOf(pages.map((page) => lines(page)));
  const metadata = { title: "Halden 40 manual", tags: ["pumps"], shelf: 7 };
  uploaded = await upload(alice, bytes, { metadata });
  documentId = uploaded.body.document_id;
});
afterAll(() => app.close());

test("a synchronous upload responds when the document is indexed", () => {
  expect([uploaded.status, uploaded.body]).toEqual([
    201,
    { ok: true, document_id: expect.stringMatching(/^doc_/), chunks_created: 1, status: "indexed" },
  ]);
});

test("a question is answered with a verbatim quote, its page and its position", async () => {
  const { status, body } = await alice.post("/api/v1/documents/query", {
    query: "How often must the gearbox oil be changed?",
    document_ids: [documentId],
    top_k: 3,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: true, answered_by: "extractive", confidence: "high" });
  expect(body.answer).toContain("Change the gearbox oil every 1,500 hours of operation.");
  const [source] = body.sources;
  expect(source).toMatchObject({
    chunk_id: expect.stringMatching(/^chunk_/),
    document_id: documentId,
    title: "Halden 40 manual",
    page: 2,
    quote: "Change the gearbox oil every 1,500 hours of operation.",
  });
  expect(source.relevance).toBeGreaterThan(0.4);
  expect(source.relevance).toBeLessThanOrEqual(1);
  // The second line of the page, drawn 164 points below its upper edge.
  const [box] = source.boxes;
  expect(box.x).toBeCloseTo(60, 0);
  expect(box.y).toBeGreaterThan(145);
  expect(box.y + box.height).toBeLessThan(175);

  const chunk = await alice.get(`/api/v1/documents/${documentId}/chunks/${source.chunk_id}`);
  expect(chunk.status).toBe(200);
  expect(chunk.body).toMatchObject({ ok: true, chunk_id: source.chunk_id, document_id: documentId, page: 1 });
  expect(chunk.body.text).toContain(source.quote);
  expect(chunk.body.spans.map((span: { page: number }) => span.page)).toEqual([1, 2, 3]);
  for (const span of chunk.body.spans) expect(span.boxes.length).toBeGreaterThan(0);
});

test("an off-topic question gets an answer that says so and no sources", async () => {
  const { status, body } = await alice.post("/api/v1/documents/query", {
    query: "Who won the chess championship in Reykjavik?",
  });
  expect(body).toMatchObject({ sources: [], answered_by: "none", confidence: "none" });
  expect(status).toBe(200);
  expect(body.answer).toMatch(/nothing/i);
});

test("a step queries the documents of its owner and returns the answer with its sources", async () => {
  const steps = [
    { stepId: "ask", type: "document_query", query: "{{input.question}}", documentIds: [documentId] },
  ];
  const { body } = await alice.post("/api/workflows", { name: "Ask", metadata: { steps, edges: [] } });
  const run = await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {
    input: { question: "How long does the guarantee last?" },
  });
  expect(run.status).toBe(200);
  expect(run.body.result.output.answer).toContain("36 months");
  expect(run.body.result.output.confidence).toBe("high");
  expect(run.body.result.output.sources[0]).toMatchObject({ documentId, page: 3 });

  const bob = await registerUser(app, "bob");
  const stolen = await bob.post("/api/workflows", { name: "Ask", metadata: { steps, edges: [] } });
  const refused = await bob.post(`/api/workflows/${stolen.body.workflow.id}/run?wait=true`, {
    input: { question: "How long does the guarantee last?" },
  });
  expect(refused.status).toBe(500);
  expect(refused.body.stepResults[0].error).toMatchObject({ code: "document_not_found" });
});

test("the record describes the upload", async () => {
  const { status, body } = await alice.get(`/api/v1/documents/${documentId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    document_id: documentId,
    title: "Halden 40 manual",
    media_type: "application/pdf",
    tags: ["pumps"],
    metadata: { title: "Halden 40 manual", tags: ["pumps"], shelf: 7 },
    pages: 3,
    pages_done: 3,
    ocr_pages: 0,
    ocr_pages_done: 0,
    pages_without_text: [],
    chunks: 1,
    chunks_done: 1,
    bytes: bytes.length,
    status: "indexed",
    error: null,
    needs_reindex: false,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test("[S25] the file is returned unchanged, as a download that never runs", async () => {
  const answer = await app.http.inject({
    url: `/api/v1/documents/${documentId}/file`,
    headers: { authorization: `Bearer ${alice.token}` },
  });
  expect(answer.statusCode).toBe(200);
  expect(Buffer.compare(answer.rawPayload, Buffer.from(bytes))).toBe(0);
  expect(answer.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(bytes.length),
    "content-disposition": expect.stringMatching(/^attachment; filename="Halden 40 manual.pdf"/),
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
  });
});

test("a deleted document leaves nothing in any table, index or file", async () => {
  expect((await alice.delete(`/api/v1/documents/${documentId}`)).status).toBe(200);
  for (const path of ["", "/file", "/chunks/chunk_x"])
    expect((await alice.get(`/api/v1/documents/${documentId}${path}`)).status).toBe(404);
  const question = { query: "How often must the gearbox oil be changed?" };
  expect((await alice.post("/api/v1/documents/query", question)).body.sources).toEqual([]);

  expect(await readdir(join(app.dataDir, "documents"))).toEqual(["incoming"]);
  expect(await readdir(join(app.dataDir, "documents", "incoming"))).toEqual([]);
  for (const table of [
    "document",
    "document_tag",
    "document_page",
    "document_chunk",
    "document_term",
    "document_vectors",
    "document_sentence",
    "task where id like 'doc%'",
    "journal where task_id like 'doc%'",
  ])
    expect([table, await app.sql(`select count(*) as n from ${table}`)]).toEqual([table, [{ n: 0 }]]);
  await expectNoWords("gearbox");
  await expect(readFile(join(app.dataDir, "documents", `${documentId}.pdf`))).rejects.toThrow("ENOENT");
});

/** The full-text index of SQLite stores terms verbatim: none may remain. */
async function expectNoWords(word: string): Promise<void> {
  if (process.env["TEST_DATABASE"] === "postgres") {
    expect(await app.sql("select count(*) as n from document_word")).toEqual([{ n: 0 }]);
    return;
  }
  for (const { block } of await app.sql("select block from document_word_data"))
    expect(Buffer.from(block as Uint8Array).toString("latin1")).not.toContain(word);
}
