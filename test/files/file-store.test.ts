import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileStore, FileStores } from "../../server/lib/file-store.ts";
import { openBucket, openFolder } from "./open-stores.ts";

// The contract of every file store.
describe.each([
  { place: "a folder", open: openFolder },
  { place: "a bucket", open: openBucket },
])("a store in $place", ({ open }) => {
  let folder = "";
  let stores: FileStores;
  let files: FileStore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "baton-store-"));
    ({ files: stores, close } = await open(folder));
    files = stores.area("things");
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const text = async (key: string) => (await files.read(key)).toString();
  const local = (content: string) => {
    const path = join(folder, "upload");
    writeFileSync(path, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { path, bytes: Buffer.byteLength(content), sha256 };
  };
  const keys = async (store = files) => {
    const found: string[] = [];
    for await (const { key, kind } of store.walk()) found.push(kind === "folder" ? `${key}/` : key);
    return found.sort();
  };

  test("a written file can be read, replaced and streamed", async () => {
    await files.write("a/b", Buffer.from("one"));
    await files.write("a/b", Buffer.from("two and more"));
    expect(await text("a/b")).toBe("two and more");
    const { stream, bytes } = await files.open("a/b");
    expect(bytes).toBe(12);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe("two and more");
    await files.write("empty", Buffer.alloc(0));
    expect(await (await files.open("empty")).stream.toArray()).toEqual([]);
    expect(await text("empty")).toBe("");
  });

  test("a range of bytes is streamed without the rest, up to the end of the file, and past it is nothing", async () => {
    await files.write("rows", Buffer.from("0123456789"));
    await files.write("empty", Buffer.alloc(0));
    const read = async (key: string, start: number, end: number) => {
      const { stream, bytes } = await files.open(key, { start, end });
      return { bytes, content: Buffer.concat(await stream.toArray()).toString() };
    };
    expect(await read("rows", 0, 0)).toEqual({ bytes: 1, content: "0" });
    expect(await read("rows", 3, 5)).toEqual({ bytes: 3, content: "345" });
    expect(await read("rows", 8, 100)).toEqual({ bytes: 2, content: "89" });
    expect(await read("rows", 10, 12)).toEqual({ bytes: 0, content: "" });
    expect(await read("empty", 0, 9)).toEqual({ bytes: 0, content: "" });
    await expect(files.open("missing", { start: 0, end: 1 })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });

  test("a local file can be imported, and exported as a temporary local file", async () => {
    const content = "grüße ".repeat(200_000);
    await files.writeFile("big", local(content));
    const loaded = await files.withLocalFile("big", (path) => readFile(path, "utf8"));
    expect(loaded === content).toBe(true);
    expect(await files.stat("big")).toMatchObject({ kind: "file", bytes: Buffer.byteLength(content) });
    await expect(files.withLocalFile("no", () => Promise.resolve())).rejects.toMatchObject({
      code: "file_not_found",
    });
  });

  test("concurrent appends are all stored, each complete", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => files.append("log", Buffer.from(`<${i}>`), 1000)));
    expect((await text("log")).match(/<\d+>/g)?.sort()).toEqual(
      Array.from({ length: 12 }, (_, i) => `<${i}>`).sort(),
    );
    await expect(files.append("log", Buffer.alloc(1000), 1000)).rejects.toMatchObject({
      code: "file_too_large",
    });
  });

  test("folders are listed with all their entries", async () => {
    const names = Array.from({ length: 10 }, (_, i) => `file ${i}+&<é>%`);
    for (const name of names) await files.write(`many/${name}`, Buffer.from("x"));
    await files.write("many/inner/deep/er", Buffer.from("12345"));
    const listed = await files.list("many");
    expect(listed.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual(
      [...names.map((name) => `file ${name}`), "folder inner"].sort(),
    );
    expect(await files.stat("many/inner")).toEqual({ kind: "folder", bytes: 0 });
    expect(await files.stat("many/inner/deep/er")).toMatchObject({ kind: "file", bytes: 5 });
    expect(await files.stat("man")).toBeUndefined();
    expect(await keys()).toEqual(
      [
        "many/",
        ...names.map((name) => `many/${name}`),
        "many/inner/",
        "many/inner/deep/",
        "many/inner/deep/er",
      ].sort(),
    );
    await files.removeFolder("many/inner");
    await files.removeFolder("many/inner");
    expect(await files.stat("many/inner")).toBeUndefined();
    await files.removeFolder("many");
    expect(await keys()).toEqual([]);
  });

  test("an empty folder exists until it is removed", async () => {
    await files.write("a/b/c", Buffer.from("x"));
    expect(await files.remove("a/b/c")).toBe(true);
    expect(await files.remove("a/b/c")).toBe(false);
    expect(await files.list("a/b")).toEqual([]);
    expect(await keys()).toEqual(["a/", "a/b/"]);
    await expect(files.remove("a")).rejects.toMatchObject({ code: "folder_not_empty" });
    expect(await files.remove("a/b")).toBe(true);
    expect(await files.remove("a")).toBe(true);
    expect(await keys()).toEqual([]);
  });

  test("a file cannot be used as a folder, nor a folder as a file", async () => {
    await files.write("a/b", Buffer.from("x"));
    const one = Buffer.alloc(1);
    for (const key of ["a", ""]) {
      const attempts = [() => files.read(key), () => files.write(key, one), () => files.append(key, one, 9)];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "is_a_folder" });
    }
    for (const attempt of [
      () => files.read("a/b/c"),
      () => files.write("a/b/c", one),
      () => files.list("a/b"),
      () => files.remove("a/b/c"),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "not_a_folder" });
    await expect(files.list("no")).rejects.toMatchObject({ code: "file_not_found" });
    await expect(files.open("no")).rejects.toMatchObject({ code: "file_not_found" });
  });

  test("areas and owners are isolated, and an invalid key is rejected", async () => {
    await stores.area("files", "user_a").write("x", Buffer.from("a"));
    await stores.area("files", "user_b").write("x", Buffer.from("b"));
    expect(await keys(stores.area("files", "user_a"))).toEqual(["x"]);
    expect((await stores.area("files", "user_b").read("x")).toString()).toBe("b");
    expect(await keys()).toEqual([]);
    const own = stores.area("files", "user_a");
    for (const key of ["../user_b/x", "a//b", "./x", "a\0b"])
      for (const attempt of [
        () => own.read(key),
        () => own.write(key, Buffer.alloc(1)),
        () => own.remove(key),
        () => own.stat(key),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: "path_outside_folder" });
    for (const name of ["..", "", "a/b"])
      expect(() => stores.area("files", name)).toThrow(/has no valid owner/);
  });
});
