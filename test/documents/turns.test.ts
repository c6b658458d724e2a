import { expect, test } from "vitest";
import { lines, pdfOf } from "../support/pdf.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const pdf = (text: string) => pdfOf([lines([text])]);

test("a document of another owner does not wait behind many documents of one owner", async () => {
  const app = await useTestApp(words.settings);
  const [alice, bob] = [await registerUser(app, "alice"), await registerUser(app, "bob")];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  words.beforeAnswer = () => (words.texts.at(-1)?.includes("Alice") ? held : Promise.resolve());
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
