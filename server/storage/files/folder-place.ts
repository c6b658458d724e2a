import type { Stats } from "node:fs";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFolder, missingFile, namesOfKey, notFolder } from "../../lib/file-store.ts";
import { syncFolder } from "./durable-file.ts";
import { codeOf, linkOnTheWay } from "./folder-faults.ts";

/** The real folder of an area, made on first use. The operator may have put a link above it, but not below. */
export async function areaRoot(base: string, [area = "", ownerId]: readonly string[]): Promise<string> {
  const folder = join(base, area);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const real = await realpath(folder);
  if (ownerId === undefined) return real;
  await makeFolder(join(real, ownerId));
  return join(real, ownerId);
}

/**
 * The path of a key below the root. Every folder on the way is looked at without following links: a link would
 * lead out, and realpath afterwards could not tell a swapped one.
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
    if (entry.isSymbolicLink()) throw linkOnTheWay();
    if (!entry.isDirectory()) throw notFolder(key);
  }
  // The root itself may not be a link either.
  if ((await realpath(folder)) !== folder) throw linkOnTheWay();
  return join(folder, last);
}

/** What already stands at a place must be a file of its own; nothing there is fine. */
export async function existingFile(path: string, key: string): Promise<Stats | undefined> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats && checkFile(stats, key);
}

export function checkFile(stats: Stats, key: string): Stats {
  if (stats.isSymbolicLink()) throw linkOnTheWay();
  if (stats.isDirectory()) throw isFolder(key);
  // A second name may stand anywhere on the disk, so the content is not this folder's alone.
  if (!stats.isFile() || stats.nlink > 1) throw linkOnTheWay();
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
