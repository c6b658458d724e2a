import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
// It runs the bundle of the build, never data.
// oxlint-disable-next-line no-restricted-imports
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

export interface LoadedBundle {
  exports: unknown;
  /** Writes the functions compiled so far next to the bundle, unless this process has loaded them from there. */
  storeCodeCache(): void;
}

type BundleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  bundleUrl: string,
  importModule: (name: string) => Promise<unknown>,
  requireOnFirstUse: (name: string) => object,
) => void;

const CHECKSUM_BYTES = 4;

/**
 * Runs a bundle of `scripts/build.mjs` with the V8 code cache of an earlier start, so that nothing is compiled again: a
 * third of the CPU time of a start. Without a usable cache the bundle runs all the same.
 */
export function loadBundle(file: string): LoadedBundle {
  const { script, storeCodeCache } = compile(file);
  const module = { exports: {} };
  const run = script.runInThisContext() as BundleFunction;
  // `import()` does not work in code from a cache in Node 20.
  const importModule = (name: string): Promise<unknown> => import(name);
  const require = createRequire(file);
  // Each access looks the member up in the module, which Node keeps.
  const requireOnFirstUse = (name: string): object =>
    new Proxy({}, { get: (_target, member) => (require(name) as Record<PropertyKey, unknown>)[member] });
  run(module.exports, require, module, pathToFileURL(file).href, importModule, requireOnFirstUse);
  return { exports: module.exports, storeCodeCache };
}

/** A separate function: while the bundle runs, no variable refers to the bytes of the cache, so they are freed. */
function compile(file: string): { script: Script; storeCodeCache(): void } {
  // The build escapes every other character. One byte per character is half the memory.
  const source = readFileSync(file, "latin1");
  const cacheFile = cacheFileOf(file, source);
  const cachedData = readCache(cacheFile);
  const script = new Script(source, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const isCached = cachedData !== undefined && script.cachedDataRejected === false;
  const storeCodeCache = (): void => {
    if (!isCached) writeCache(cacheFile, script.createCachedData());
  };
  return { script, storeCodeCache };
}

/** V8 compares only the length of the source, so the name contains the hash that the build writes into the last line. */
function cacheFileOf(file: string, source: string): string {
  const build = /\n\/\/ ([\da-f]+)\n$/.exec(source.slice(-100))?.[1];
  if (build === undefined) throw new Error(`${file} does not end with the hash of its build.`);
  return join(dirname(file), `service-${build}-${process.version}-${process.arch}.cache`);
}

/** Undefined if the file is missing or damaged: V8 does not verify what it reads. */
function readCache(cacheFile: string): Buffer | undefined {
  try {
    const bytes = readFileSync(cacheFile);
    const data = bytes.subarray(CHECKSUM_BYTES);
    return crc32(data) === bytes.readUInt32LE() ? data : undefined;
  } catch {
    return undefined;
  }
}

/** An installation in a read-only folder works without the cache. */
function writeCache(cacheFile: string, data: Buffer): void {
  const temporary = `${cacheFile}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(data));
    writeFileSync(temporary, Buffer.concat([checksum, data]));
    renameSync(temporary, cacheFile);
  } catch {
    rmSync(temporary, { force: true });
  }
}
