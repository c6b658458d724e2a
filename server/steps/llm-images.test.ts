import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { noRunFiles, openRunFiles } from "../run-files/testing/open-run-files.ts";
import { createEgress } from "../security/egress.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import { serve } from "../engine/testing/workbench.ts";
import { toBinaryValue } from "./binary-value.ts";
import { type ImageSources, loadImages } from "./llm-images.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n0123", "latin1");
const JPEG = Buffer.from("\xff\xd8\xff\xe0", "latin1");
const LIMIT = 5 * 1024 * 1024;

async function open(isPrivateAllowed = true) {
  const folder = mkdtempSync(join(tmpdir(), "baton-images-"));
  const egress = createEgress({ allowPrivate: isPrivateAllowed, allow: [], deny: [] });
  onTestFinished(async () => {
    await egress.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const files = createFolderStores(folder);
  const load = (value: JsonValue, ownerId = "user_a", runFiles: ImageSources["runFiles"] = noRunFiles) =>
    loadImages(value, ownerId, { egress, files, runFiles }, new AbortController().signal);
  return { files, load };
}

test("images come from a data URL, the web, the owner's files and a binary value", async () => {
  const { files, load } = await open();
  const { url } = await serve((_request, response) => response.end(JPEG));
  await files.area("files", "user_a").write("scans/a.png", PNG);
  const gif = Buffer.from("GIF89a...", "latin1");
  const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8", "latin1");
  const images = await load([
    `data:image/png;base64,${PNG.toString("base64")}`,
    `${url}/photo`,
    "/scans/a.png",
    toBinaryValue(gif),
    toBinaryValue(webp, "text/plain"),
  ]);
  expect(images.map(({ mediaType }) => mediaType)).toEqual([
    "image/png",
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
  ]);
  expect(images.map(({ bytes }) => Buffer.from(bytes).toString("latin1"))).toEqual(
    [PNG, JPEG, PNG, gif, webp].map((bytes) => bytes.toString("latin1")),
  );
  expect(await load("/scans/a.png")).toHaveLength(1);
  for (const nothing of [null, "", []]) expect(await load(nothing)).toEqual([]);
});

test("[S6] an image on a private address is refused where steps may not reach it", async () => {
  const { load } = await open(false);
  await expect(load("http://127.0.0.1:9/photo.png")).rejects.toMatchObject({ code: "egress_denied" });
});

test("a file of another owner and a path out of the folder are refused", async () => {
  const { files, load } = await open();
  await files.area("files", "user_b").write("a.png", PNG);
  await expect(load("a.png")).rejects.toMatchObject({ code: "file_not_found" });
  await expect(load("../user_b/a.png")).rejects.toMatchObject({ code: "path_outside_folder" });
});

test("an image larger than 5 MB is refused, wherever it is", async () => {
  const { files, load } = await open();
  const large = Buffer.alloc(LIMIT + 1);
  PNG.copy(large);
  await files.area("files", "user_a").write("large.png", large);
  const { url } = await serve((_request, response) => response.end(large));
  await expect(load("large.png")).rejects.toMatchObject({ code: "file_too_large" });
  await expect(load(url)).rejects.toMatchObject({ code: "response_too_large" });
  await expect(load(toBinaryValue(large))).rejects.toMatchObject({ code: "file_too_large" });
  const dataUrl = `data:image/png;base64,${large.toString("base64")}`;
  await expect(load(dataUrl)).rejects.toMatchObject({ code: "file_too_large" });
});

test("what is no image, too many images and a failed download are refused", async () => {
  const { load } = await open();
  const { url } = await serve((_request, response) => {
    response.statusCode = 404;
    response.end(PNG);
  });
  const text = `data:image/png;base64,${Buffer.from("hello").toString("base64")}`;
  await expect(load(text)).rejects.toMatchObject({ code: "invalid_field" });
  for (const value of [7, { a: 1 }, [null], [[text]]])
    await expect(load(value)).rejects.toMatchObject({ code: "invalid_field" });
  await expect(load(Array.from({ length: 11 }, () => "a.png"))).rejects.toMatchObject({
    code: "invalid_field",
  });
  await expect(load(url)).rejects.toMatchObject({ code: "http_error" });
});

test("a file of an earlier step is an image by its content, for its owner only and up to 5 MB as stored", async () => {
  const { load } = await open();
  const opened = await openTestDb();
  onTestFinished(opened.close);
  await insertAccounts(opened.db, ["user_a", "user_b"]);
  const runFiles = openRunFiles(opened);
  const store = (name: string, content: Buffer) =>
    runFiles.create({ ownerId: "user_a", taskId: null }, { name }, Readable.from([content]));

  const image = await store("photo.txt", PNG);
  expect(await load([image, image], "user_a", runFiles)).toEqual([
    { mediaType: "image/png", bytes: PNG },
    { mediaType: "image/png", bytes: PNG },
  ]);
  await expect(load(image, "user_b", runFiles)).rejects.toMatchObject({ code: "forbidden" });

  const text = await store("photo.png", Buffer.from("hello"));
  await expect(load(text, "user_a", runFiles)).rejects.toMatchObject({ code: "invalid_field" });

  const large = await store("large.png", Buffer.concat([PNG, Buffer.alloc(LIMIT)]));
  const find = {
    find: runFiles.find,
    open: () => Promise.reject(new Error("read before its size is known")),
  };
  await expect(load({ ...large, size: 1 }, "user_a", find)).rejects.toMatchObject({ code: "file_too_large" });
});
