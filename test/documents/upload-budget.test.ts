import { expect, test } from "vitest";
import { lines, pdfOf } from "../support/pdf.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { sendForm, upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const pdf = (text: string) => pdfOf([lines([text]), lines([`${text} again`])]);

test("an owner who has uploaded the bytes of an hour is refused before the body is read", async () => {
  const app = await useTestApp({ ...words.settings, UPLOAD_BYTES_PER_HOUR: "10" });
  const [alice, bob] = [await registerUser(app, "alice"), await registerUser(app, "bob")];
  expect((await upload(alice, await pdf("One"))).status).toBe(201);
  const { status, body, headers } = await upload(alice, await pdf("Two"));
  expect([status, body]).toMatchObject([
    429,
    { error: "limit_reached", details: { limit: "UPLOAD_BYTES_PER_HOUR" } },
  ]);
  expect(Number(headers["retry-after"])).toBeGreaterThan(3000);
  expect((await upload(bob, await pdf("Two"))).status).toBe(201);
});

test("uploads at the same time do not exceed the bytes of an hour together, and failed ones count", async () => {
  const app = await useTestApp({ ...words.settings, UPLOAD_BYTES_PER_HOUR: "10" });
  const [alice, bob] = [await registerUser(app, "alice"), await registerUser(app, "bob")];
  const files = await Promise.all(["One", "Two", "Three", "Four"].map(pdf));
  const answers = await Promise.all(files.map((file) => upload(alice, file)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 429, 429, 429]);
  const wrongField = { name: "document", value: files[0]!, fileName: "a.pdf" };
  expect((await sendForm(bob, [wrongField])).body.error).toBe("file_required");
  expect((await upload(bob, files[0]!)).status).toBe(429);
});

test("an owner whose pages of an hour are read gets limit_reached for the next document", async () => {
  const app = await useTestApp({ ...words.settings, DOCUMENT_PAGES_PER_HOUR: "2" });
  const [alice, bob] = [await registerUser(app, "alice"), await registerUser(app, "bob")];
  expect((await upload(alice, await pdf("One"))).status).toBe(201);
  const { status, body } = await upload(alice, await pdf("Two"));
  expect([status, body.error]).toEqual([429, "limit_reached"]);
  expect(body.message).toContain("DOCUMENT_PAGES_PER_HOUR");
  expect((await upload(bob, await pdf("Two"))).status).toBe(201);
});
