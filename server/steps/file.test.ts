import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { openBucket, openFolder } from "../../test/files/open-stores.ts";
import type { FileStores } from "../lib/file-store.ts";
import { noRunFiles } from "../run-files/testing/open-run-files.ts";
import { createFileRunner } from "./file.ts";
import { createOwnerFolders } from "./owner-files.ts";
import { sampleCall } from "./testing/sample-call.ts";

describe.each([
  { place: "a folder", open: openFolder },
  { place: "a bucket", open: openBucket },
])("on $place", ({ open }) => {
  let folder = "";
  let files: FileStores;
  let close: () => Promise<void>;
  let runner: ReturnType<typeof createFileRunner>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "baton-files-"));
    ({ files, close } = await open(folder));
    runner = createFileRunner({
      runFiles: noRunFiles,
      folders: createOwnerFolders(files, 1000, { maxNames: 20, maxTotalBytes: 2500 }),
    });
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const act = async (action: string, path: JsonValue, content?: JsonValue, ownerId = "user_a") =>
    (
      await runner.run(
        sampleCall({ action, path, ...(content === undefined ? {} : { content }) }, { ownerId }),
      )
    ).output;
  const codeOf = (action: string, path: JsonValue, content?: JsonValue) =>
    act(action, path, content).then(
      () => "no failure",
      (error: { code: string; message: string }) => {
        expect(error.message).not.toContain(folder);
        return error.code;
      },
    );

  test("a written file can be read, listed and deleted", async () => {
    expect(await act("write", "reports/a.txt", "grüße {{input}}")).toEqual({
      path: "reports/a.txt",
      bytes: 17,
    });
    expect(await act("read", "/reports/a.txt")).toBe("grüße {{input}}");
    await act("write", "reports/a.txt", "new");
    expect(await act("read", "reports//./a.txt")).toBe("new");
    await act("write", "reports/B.txt", "b");
    await act("write", "reports/old/c.txt", "c");
    expect(await act("list", "reports/")).toEqual(["B.txt", "a.txt", "old/"]);
    expect(await act("list", "/")).toEqual(["reports/"]);
    expect(await act("delete", "reports/B.txt")).toEqual({ path: "reports/B.txt", deleted: true });
    expect(await act("list", "reports")).toEqual(["a.txt", "old/"]);
  });

  test("an empty folder lists nothing", async () => {
    expect(await act("list", "/")).toEqual([]);
  });

  test("objects are written as indented JSON, and null as an empty file", async () => {
    await act("write", "a.json", { a: [1] });
    expect(await act("read", "a.json")).toBe('{\n  "a": [\n    1\n  ]\n}');
    await act("write", "empty", null);
    expect(await act("read", "empty")).toBe("");
  });

  test("bytes are written and read as bytes", async () => {
    const bytes = { contentType: "image/png", base64: "iVD/", bytes: 3 };
    await act("write", "a.png", bytes);
    expect(await files.area("files", "user_a").read("a.png")).toEqual(Buffer.from([0x89, 0x50, 0xff]));
    expect(await act("read", "a.png")).toEqual({ ...bytes, contentType: "application/octet-stream" });
  });

  test("append adds to the end and creates the file if needed", async () => {
    expect(await act("append", "log/x", "one\n")).toEqual({ path: "log/x", bytes: 4 });
    expect(await act("append", "log/x", "two\n")).toEqual({ path: "log/x", bytes: 8 });
    expect(await act("read", "log/x")).toBe("one\ntwo\n");
  });

  test("reading and listing a missing path fail, deleting it succeeds", async () => {
    expect(await codeOf("read", "no/such")).toBe("file_not_found");
    expect(await codeOf("read", "no")).toBe("file_not_found");
    expect(await codeOf("list", "no")).toBe("file_not_found");
    expect(await act("delete", "no/such")).toEqual({ path: "no/such", deleted: false });
    expect(await act("delete", "no")).toEqual({ path: "no", deleted: false });
  });

  test("a file cannot be used as a folder, nor a folder as a file", async () => {
    await act("write", "a/b.txt", "b");
    expect(await codeOf("read", "a")).toBe("is_a_folder");
    expect(await codeOf("write", "a", "x")).toBe("is_a_folder");
    expect(await codeOf("append", "/", "x")).toBe("is_a_folder");
    expect(await codeOf("list", "a/b.txt")).toBe("not_a_folder");
    expect(await codeOf("write", "a/b.txt/c", "x")).toBe("not_a_folder");
    expect(await codeOf("delete", "a")).toBe("folder_not_empty");
    expect(await codeOf("delete", "/")).toBe("invalid_path");
    await act("delete", "a/b.txt");
    expect(await act("delete", "a")).toEqual({ path: "a", deleted: true });
  });

  const actions = ["read", "write", "append", "list", "delete"];
  test.each([
    "..",
    "../",
    "../user_b/secret.txt",
    "/../user_b/secret.txt",
    "a/../../user_b/secret.txt",
    "..\\user_b\\secret.txt",
    "a\\..\\..\\user_b\\secret.txt",
    "C:\\Windows\\win.ini",
    "c:secret.txt",
    "\\\\?\\C:\\secret.txt",
    "secret.txt\0.png",
    "\0",
    "...",
    ".. /user_b",
    "CON",
    "a/nul.txt",
    "COM1",
    "aux .log",
  ])("[S7] %j leads out of the folder and is refused", async (path) => {
    await act("write", "secret.txt", "secret", "user_b");
    for (const action of actions) expect(await codeOf(action, path, "x")).toBe("path_outside_folder");
    expect(await act("read", "secret.txt", undefined, "user_b")).toBe("secret");
  });

  test.each([
    "%2e%2e/a.txt",
    "..%2fa.txt",
    "a..b",
    ".hidden",
    "2026-01-01T10:00:00Z.txt",
    "∕etc∕passwd",
    "‥/a",
  ])("%j is a name like any other", async (path) => {
    await act("write", path, "x");
    expect(await files.area("files", "user_a").stat(path)).toMatchObject({ kind: "file", bytes: 1 });
    expect(await act("read", path)).toBe("x");
  });

  test("a leading slash is the folder's own root, and up within the folder is fine", async () => {
    await act("write", "/etc/passwd", "mine");
    expect(await act("list", "/")).toEqual(["etc/"]);
    expect(await act("read", "a/b/../../etc/passwd")).toBe("mine");
  });

  test("[S7] owners do not see each other's files", async () => {
    await act("write", "a.txt", "mine");
    expect(await act("list", "/", undefined, "user_b")).toEqual([]);
    for (const ownerId of ["..", "", "user_a/../user_b", ".unfinished"])
      await expect(act("list", "/", undefined, ownerId)).rejects.toMatchObject({
        code: "path_outside_folder",
      });
  });

  test("[S7] a file over the limit is rejected and the old content stays", async () => {
    await act("write", "a.txt", "x".repeat(1000));
    expect(await codeOf("write", "a.txt", "x".repeat(1001))).toBe("file_too_large");
    expect(await codeOf("append", "a.txt", "x")).toBe("file_too_large");
    expect(await act("read", "a.txt")).toHaveLength(1000);
    await files.area("files", "user_a").write("big.txt", Buffer.from("x".repeat(1001)));
    expect(await codeOf("read", "big.txt")).toBe("file_too_large");
  });

  test("one owner's files are limited in number and size, and deleting frees space", async () => {
    for (let i = 0; i < 19; i++) await act("write", `many/${i}`, "x");
    expect(await codeOf("write", "many/19", "x")).toBe("folder_full");
    await act("write", "many/0", "replaced");
    await act("delete", "many/1");
    await act("write", "many/19", "x".repeat(1000));
    await act("append", "many/2", "x".repeat(990));
    expect(await codeOf("append", "many/3", "x".repeat(990))).toBe("folder_full");
    expect(await act("write", "a", "x", "user_b")).toEqual({ path: "a", bytes: 1 });
  });

  async function bytesOf(ownerId: string): Promise<number> {
    let total = 0;
    for await (const { bytes } of files.area("files", ownerId).walk()) total += bytes;
    return total;
  }

  test("writes at the same time never exceed the limit together", async () => {
    const writes = Array.from({ length: 10 }, (_, i) => codeOf("write", `at-once-${i}`, "x".repeat(1000)));
    const codes = await Promise.all(writes);
    expect(codes.filter((code) => code === "no failure")).toHaveLength(2);
    expect(codes.filter((code) => code === "folder_full")).toHaveLength(8);
    expect(await bytesOf("user_a")).toBe(2000);
  });

  test("writes of one file at the same time free its space once", async () => {
    await act("write", "shared", "x".repeat(1000));
    await Promise.all(Array.from({ length: 6 }, () => act("write", "shared", "x")));
    await Promise.all(Array.from({ length: 6 }, (_, i) => codeOf("write", `more-${i}`, "x".repeat(1000))));
    expect(await bytesOf("user_a")).toBe(2001);
  });

  test("a name that is too long, a wrong action and a path that is not text are named in the error", async () => {
    expect(await codeOf("write", "x".repeat(300), "x")).toBe("invalid_path");
    expect(await codeOf("write", "x/".repeat(70), "x")).toBe("invalid_path");
    expect(await codeOf("chmod", "a.txt")).toBe("invalid_field");
    expect(await codeOf("read", { path: "/etc/passwd" })).toBe("invalid_field");
    expect(await codeOf("read", null)).toBe("invalid_field");
  });
});
