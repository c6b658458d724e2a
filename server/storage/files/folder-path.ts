import type { Stats } from "node:fs";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFolder, missingFile, namesOfKey, notFolder } from "../../lib/file-store.ts";
import { syncFolder } from "./durable-file.ts";
import { codeOf, symbolicLink } from "./folder-faults.ts";

/** The real folder of an area, created on first use. Symbolic links are allowed above it, never below. */
export async function areaRoot(base: string, [area = "", ownerId]: readonly string[]): Promise<string> {
  const folder = join(base, area);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const real = await realpath(folder);
  if (ownerId === undefined) return real;
  await makeFolder(join(real, ownerId));
  return join(real, ownerId);
}

/**
 * The path of a key below the root. Each folder on the path is checked without following links: a link could point
 * outside, and a realpath check afterwards would miss one that was swapped in between.
 */
export async function locate(root: string, key: string, create: boolean): Promise<string> {
  const names = namesOfKey(key);
  const last = names.pop();
  if (last === undefined) throw isFolder("/");
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    if (create) await makeFolder(folder);
    const entry = await lstat(folder).catch((error: unknown) => {
      throw codeOf(error) === "ENOENT" ? missingFile(key) : error;
    });
    if (entry.isSymbolicLink()) throw symbolicLink();
    if (!entry.isDirectory()) throw notFolder(key);
  }
  // The root itself may not be a link either.
  if ((await realpath(folder)) !== folder) throw symbolicLink();
  return join(folder, last);
}

/** An existing entry must be a regular file with a single name; undefined when nothing exists. */
export async function existingFile(path: string, key: string): Promise<Stats | undefined> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats && checkFile(stats, key);
}

export function checkFile(stats: Stats, key: string): Stats {
  if (stats.isSymbolicLink()) throw symbolicLink();
  if (stats.isDirectory()) throw isFolder(key);
  // A hard link may have its other name anywhere on the disk, so the content is not private to this folder.
  if (!stats.isFile() || stats.nlink > 1) throw symbolicLink();
  return stats;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  await syncFolder(dirname(folder));
}
