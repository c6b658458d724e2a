import { expect, test } from "vitest";
import { LARGE_DOCUMENT_BYTES } from "../../server/documents/ingest/document-task.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
/** Held until `release` is called: what contains one of these names. */
function hold(names: readonly string[]): { release(): void } {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  words.beforeAnswer = (texts) =>
    texts.some((text) => names.some((name) => text.includes(name))) ? held : Promise.resolve();
  return { release };
}

const pdf = (text: string) => pdfOf([lines([text])]);

test("a document of another owner does not wait behind many documents of one owner", async () => {
  const app = await useTestApp(words.settings);
  const [alice, bob] = [await registerUser(app, "alice"), await registerUser(app, "bob")];
  const { release } = hold(["Alice"]);
  for (const number of [1, 2, 3, 4])
    expect((await upload(alice, await pdf(`Alice ${number}`), { query: "?async=true" })).status).toBe(202);
  await expect.poll(() => words.texts.some((text) => text.includes("Alice"))).toBe(true);
  // The documents of Alice end only after this upload.
  expect((await upload(bob, await pdf("A short note"))).status).toBe(201);
  release();
  const statuses = async (): Promise<string[]> =>
    (await alice.get("/api/v1/documents")).body.documents.map(({ status }: { status: string }) => status);
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array(4).fill("indexed"));
});

test("a small document does not wait behind large documents of other owners", async () => {
  const app = await useTestApp(words.settings);
  const owners = await Promise.all(["carol", "dave", "erin"].map((name) => registerUser(app, name)));
  const bob = await registerUser(app, "bob");
  const { release } = hold(["Large"]);
  for (const owner of owners) {
    const page = `<p>Large ${owner.email}</p><!-- ${"x".repeat(LARGE_DOCUMENT_BYTES)} -->`;
    const form = { fileName: "large.html", query: "?async=true" };
    expect((await upload(owner, Buffer.from(page), form)).status).toBe(202);
  }
  // At once, and not only when a document that takes long is moved after a minute.
  const lanes = "select distinct lane from task where workflow_id = 'ingestion'";
  expect(await app.sql(lanes)).toEqual([{ lane: "ingestion_large" }]);
  await expect.poll(() => words.texts.filter((text) => text.includes("Large")).length).toBeGreaterThan(1);
  expect((await upload(bob, await pdf("A short note"))).status).toBe(201);
  release();
});
