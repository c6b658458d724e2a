import { expect, test } from "vitest";
import { scannedPdf } from "../support/scan.ts";
import { shareApp } from "../support/shared-app.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { alice } = await shareApp(["alice"], words.settings);

test("a scanned PDF is uploaded and answers a question", async () => {
  const { status, body } = await upload(alice, scannedPdf([{ blank: true }, {}]));
  expect([status, body.status]).toEqual([201, "indexed"]);
  expect((await alice.get(`/api/v1/documents/${body.document_id}`)).body).toMatchObject({
    pages: 2,
    pages_without_text: [1],
    ocr_pages: 0,
  });
  const question = { query: "At how many bar does the scanned valve open?" };
  const [source] = (await alice.post("/api/v1/documents/query", question)).body.sources;
  expect(source).toMatchObject({ page: 2, quote: "The scanned valve opens at 9 bar." });
  expect(source.boxes).toHaveLength(1);
});

test("a document shows how many of its scanned pages are recognized", async () => {
  const { status, body } = await upload(alice, scannedPdf([{}, {}, {}, {}]), { query: "?async=true" });
  expect(status).toBe(202);
  const read = async () => (await alice.get(`/api/v1/documents/${body.document_id}`)).body;
  await expect
    .poll(read, { timeout: 60_000, interval: 10 })
    .toMatchObject({ status: "processing", ocr_pages: 4, ocr_pages_done: expect.toSatisfy((n) => n > 0) });
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ status: "indexed", pages_without_text: [] });
});
