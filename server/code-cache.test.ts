import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadBundle } from "./code-cache.ts";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function writeBundle(folder: string, body: string, hash = "0123456789abcdef"): string {
  const file = join(folder, "service.cjs");
  writeFileSync(
    file,
    `(function (exports, require, module, bundleUrl, importModule, requireOnFirstUse) {\n${body}\n})\n// ${hash}\n`,
  );
  return file;
}

function cachesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".cache"));
}

test("a bundle gets its exports, its URL, require and import", async () => {
  const file = writeBundle(
    createFolder(),
    'exports.url = bundleUrl; exports.sep = require("node:path").sep; exports.os = importModule("node:os");',
  );
  const { exports } = loadBundle(file) as { exports: Record<string, unknown> };
  expect(exports["url"]).toBe(`file://${file}`);
  expect(exports["sep"]).toBe("/");
  expect(await exports["os"]).toHaveProperty("cpus");
});

test("a bundle can load a module at its first use", () => {
  const file = writeBundle(
    createFolder(),
    'exports.path = requireOnFirstUse("node:path"); exports.unknown = requireOnFirstUse("node:no-such-module");',
  );
  const { exports } = loadBundle(file) as { exports: Record<string, Record<string, unknown>> };
  expect(exports["path"]?.["sep"]).toBe("/");
  expect(() => exports["unknown"]?.["member"]).toThrow("node:no-such-module");
});

test("the code cache is written once and used by the next load", () => {
  const folder = createFolder();
  const file = writeBundle(folder, "exports.value = 1;");
  loadBundle(file).storeCodeCache();
  const [name = ""] = cachesIn(folder);
  expect(readdirSync(folder).toSorted()).toEqual([name, "service.cjs"].toSorted());
  const before = statSync(join(folder, name)).ino;
  const again = loadBundle(file);
  expect(again.exports).toEqual({ value: 1 });
  again.storeCodeCache();
  expect(statSync(join(folder, name)).ino).toBe(before);
});

test("a bundle of another build with the same length does not use the code cache", () => {
  const folder = createFolder();
  loadBundle(writeBundle(folder, "exports.value = 1;")).storeCodeCache();
  const file = writeBundle(folder, "exports.value = 2;", "fedcba9876543210");
  expect(loadBundle(file).exports).toEqual({ value: 2 });
});

test("a damaged code cache is ignored and replaced", () => {
  const folder = createFolder();
  const file = writeBundle(folder, "exports.value = 1;");
  loadBundle(file).storeCodeCache();
  const cache = join(folder, cachesIn(folder)[0]!);
  const intact = readFileSync(cache);
  const changed = Buffer.from(intact);
  changed[changed.length - 9]! ^= 255;
  for (const damaged of [Buffer.alloc(0), changed, intact.subarray(0, -20)]) {
    writeFileSync(cache, damaged);
    const bundle = loadBundle(file);
    expect(bundle.exports).toEqual({ value: 1 });
    bundle.storeCodeCache();
    expect(readFileSync(cache).equals(damaged)).toBe(false);
  }
});

test("a folder that cannot be written to does not matter", () => {
  const folder = createFolder();
  const file = writeBundle(folder, "exports.value = 1;");
  loadBundle(file).storeCodeCache();
  const [name = ""] = cachesIn(folder);
  rmSync(join(folder, name));
  mkdirSync(join(folder, name, "occupied"), { recursive: true });
  loadBundle(file).storeCodeCache();
  expect(readdirSync(folder).toSorted()).toEqual([name, "service.cjs"].toSorted());
});

test("an error in the bundle reaches the caller", () => {
  const file = writeBundle(createFolder(), 'throw new Error("broken");');
  expect(() => loadBundle(file)).toThrow("broken");
});
