import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lines, pdfOf } from "../support/pdf.ts";
import { shareApp } from "../support/shared-app.ts";
import { type Client, clientOf } from "../support/client.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const folder = await mkdtemp(join(tmpdir(), "baton-watched-"));
afterAll(() => rm(folder, { recursive: true }));
const { app, alice } = await shareApp(["alice"], {
  ...words.settings,
  UPLOAD_LIMIT_BYTES: "100000",
  RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
  DOCUMENTS_WATCH_FOLDER: folder,
  DOCUMENTS_WATCH_ACCOUNT: "watcher@example.com",
  DOCUMENTS_WATCH_COLLECTION: "Inbox",
});

const pdf = async (text: string) => Buffer.from(await pdfOf([lines([text])]));

async function collection(owner: Client, name = "Inbox"): Promise<string> {
  return (await owner.post("/api/v1/collections", { name })).body.collection_id;
}
const newKey = async (id: string): Promise<string> =>
  (await alice.post(`/api/v1/collections/${id}/upload-key`)).body.upload_key;

/** Without a login: the key is all that the sender has. */
const send = (
  id: string,
  body: Buffer,
  headers: Record<string, string>,
  query = "",
  contentType = "application/pdf",
) =>
  app.anonymous.call(`/api/v1/collections/${id}/upload${query}`, {
    method: "POST",
    body,
    contentType,
    headers,
  });

const titlesIn = async (owner: Client, id: string): Promise<string[]> =>
  (await owner.get(`/api/v1/documents?collection_id=${id}`)).body.documents
    .map(({ title }: { title: string }) => title)
    .toSorted();

test("a file or a form sent with the upload key goes into the collection of its owner", async () => {
  const id = await collection(alice);
  const created = await alice.post(`/api/v1/collections/${id}/upload-key`);
  expect([created.status, created.body]).toEqual([
    201,
    {
      ok: true,
      upload_key: expect.stringMatching(/^[\w-]{43}$/),
      upload_url: expect.stringMatching(new RegExp(`/api/v1/collections/${id}/upload$`)),
    },
  ]);
  const key: string = created.body.upload_key;
  const valve = await pdf("The valve is made of brass.");
  const raw = await send(id, valve, { "x-upload-key": key }, "?name=valve.pdf");
  expect([raw.status, raw.body.status]).toEqual([202, "processing"]);
  const form = formOf([{ name: "file", value: await pdf("The lid is made of steel."), fileName: "lid.pdf" }]);
  expect((await send(id, form, {}, `?key=${key}`, MULTIPART)).status).toBe(202);
  expect(await titlesIn(alice, id)).toEqual(["lid", "valve"]);
  expect((await alice.get(`/api/v1/collections/${id}`)).body.has_upload_key).toBe(true);
  // The same bytes again are the same document.
  const again = await send(id, valve, { "x-upload-key": key });
  expect(again.body.document_id).toBe(raw.body.document_id);
});

test("[S13] an upload key opens nothing else, and ends when it is rotated or revoked", async () => {
  const id = await collection(alice, "Keyed");
  const other = await collection(alice, "Other");
  const body = await pdf("A page about hinges.");
  const status = async (key: string | undefined, to = id) => {
    const response = await send(to, body, key === undefined ? {} : { "x-upload-key": key });
    return [response.status, response.body.error];
  };
  expect(await status("guess")).toEqual([403, "invalid_secret"]);
  const first = await newKey(id);
  expect(await status(undefined)).toEqual([401, "missing_secret"]);
  expect(await status(first, other)).toEqual([403, "invalid_secret"]);
  expect(await status(first, "col_unknown")).toEqual([403, "invalid_secret"]);
  const read = await app.anonymous.call(`/api/v1/collections/${id}`, {
    method: "GET",
    headers: { "x-upload-key": first, authorization: `Bearer ${first}` },
  });
  expect(read.status).toBe(401);
  const second = await newKey(id);
  expect(await status(first)).toEqual([403, "invalid_secret"]);
  expect((await alice.delete(`/api/v1/collections/${id}/upload-key`)).body.has_upload_key).toBe(false);
  expect(await status(second)).toEqual([403, "invalid_secret"]);
  expect(await titlesIn(alice, id)).toEqual([]);
});

test("the limits of uploads hold for the upload address", async () => {
  const id = await collection(alice, "Limits");
  const headers = { "x-upload-key": await newKey(id) };
  expect((await send(id, Buffer.alloc(300_000), headers)).body.error).toBe("payload_too_large");
  const over = Buffer.concat([await pdf("x"), Buffer.alloc(110_000)]);
  expect((await send(id, over, headers)).body.error).toBe("payload_too_large");
  expect((await send(id, Buffer.from([0, 1, 2, 3, 0, 255]), headers)).body.error).toBe(
    "unsupported_media_type",
  );
  expect(await titlesIn(alice, id)).toEqual([]);
});

test("files of the watched folder become documents of the mapped account and collection", async () => {
  const account = { email: "watcher@example.com", password: alice.password, name: "Watcher" };
  const { token } = (await app.anonymous.post("/api/auth/register", account)).body;
  const watcher = clientOf(app.http, token);
  const id = await collection(watcher);
  await writeFile(join(folder, "handbook.pdf"), await pdf("The office opens at nine."));
  await expect.poll(() => titlesIn(watcher, id), { timeout: 20_000 }).toEqual(["handbook"]);
});
