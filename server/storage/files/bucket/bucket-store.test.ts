import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBucket } from "../../../../test/files/open-stores.ts";
import type { FileStore } from "../../../lib/file-store.ts";
import { createBucketStores } from "./bucket-stores.ts";

let folder = "";
let opened: Awaited<ReturnType<typeof openBucket>>;
let files: FileStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "baton-bucket-"));
  opened = await openBucket(folder);
  files = opened.files.area("blobs");
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const busy = { status: 503, code: "SlowDown" };
const settings = () => {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } =
    opened.bucket.settings;
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    prefix: "",
  };
};

test("keys are below the prefix and the area, and every request is signed", async () => {
  await files.write("task_1/a b+c'(é)*!~", Buffer.from("x"));
  expect(await files.read("task_1/a b+c'(é)*!~")).toEqual(Buffer.from("x"));
  expect([...opened.bucket.objects.keys()]).toEqual(["some/prefix/blobs/task_1/a b+c'(é)*!~"]);
  expect(opened.bucket.rejections).toEqual([]);
});

test.each([
  ["an answer that it is busy", busy],
  ["too many requests", { status: 429, code: "TooManyRequests" }],
  ["a connection that breaks", "cut"],
  ["a connection that breaks when all was done", "cut-after"],
  ["no answer", "hang"],
] as const)("%s is tried again, with longer pauses each time", async (_what, fault) => {
  opened.bucket.failNext(fault, fault);
  await files.write("key", Buffer.from("content"));
  opened.bucket.failNext(fault);
  expect(await files.read("key")).toEqual(Buffer.from("content"));
  expect(opened.pausesMs).toHaveLength(3);
  expect(Math.max(...opened.pausesMs)).toBeLessThan(500);
});

test("a response that breaks off is requested again, in memory and on disk", async () => {
  const content = Buffer.alloc(300_000, "abc");
  await files.write("key", content);
  opened.bucket.failNext("cut-body");
  expect((await files.read("key")).equals(content)).toBe(true);
  opened.bucket.failNext("cut-body", "cut-body");
  const loaded = await files.withLocalFile("key", (path) => readFile(path));
  expect(loaded.equals(content)).toBe(true);
  expect(readdirSync(join(folder, "scratch"))).toEqual([]);
});

test("a stream that breaks off ends with an error", async () => {
  await files.write("key", Buffer.alloc(300_000, "abc"));
  opened.bucket.failNext("cut-body");
  const { stream } = await files.open("key");
  await expect(stream.toArray()).rejects.toThrow();
});

test("an unreachable bucket is a retryable error without the key in it", async () => {
  opened.bucket.failNext(busy, busy, busy, busy, busy, busy, busy, busy, busy, busy);
  const failure = await files.read("key").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "storage_unavailable", retryable: true });
  expect(String((failure as Error).message)).toMatch(/baton-files.*127\.0\.0\.1/);
  expect(JSON.stringify(failure) + (failure as Error).message).not.toMatch(/AKIDTEST|secret/);
});

test.each([
  [
    "a wrong secret",
    { secretAccessKey: "another" },
    /denied \(SignatureDoesNotMatch\). Check S3_ACCESS_KEY_ID/,
  ],
  ["an unknown key", { accessKeyId: "AKIDOTHER" }, /denied \(InvalidAccessKeyId\). Check S3_ACCESS_KEY_ID/],
  ["a wrong region", { region: "elsewhere" }, /S3_REGION/],
  ["an unknown bucket", { bucket: "another" }, /no bucket "another".*S3_BUCKET/],
])("%s fails the start and names the setting", async (_what, wrong, message) => {
  const stores = createBucketStores({
    settings: { ...settings(), ...wrong },
    dispatcher: new Agent(),
    scratchFolder: join(folder, "scratch"),
  });
  await expect(stores.probe()).rejects.toMatchObject({
    code: "file_store_refused",
    message: expect.stringMatching(message),
  });
  await stores.close();
});

test("a file corrupted in transit is refused by the bucket and not stored", async () => {
  const path = join(folder, "upload");
  writeFileSync(path, "what was hashed");
  const sha256 = createHash("sha256").update("what was hashed").digest("hex");
  writeFileSync(path, "what was h@shed");
  await expect(files.writeFile("key", { path, bytes: 15, sha256 })).rejects.toMatchObject({
    code: "file_store_refused",
  });
  expect(opened.bucket.objects.size).toBe(0);
});

test("a file's hash is stored with it, and a key over 1024 bytes is refused", async () => {
  const path = join(folder, "upload");
  writeFileSync(path, "x");
  const sha256 = createHash("sha256").update("x").digest("hex");
  await files.writeFile("key", { path, bytes: 1, sha256 });
  expect(await files.stat("key")).toEqual({ kind: "file", bytes: 1, sha256 });
  await expect(files.write("é".repeat(520), Buffer.alloc(1))).rejects.toMatchObject({ code: "invalid_path" });
});
