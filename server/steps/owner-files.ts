import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, isFolder } from "./file-failures.ts";
import { type FilePlace, linkOnTheWay, parentFolder } from "./file-path.ts";
import type { FileUsage } from "./file-usage.ts";
import { permanentFailure } from "./step-failure.ts";

// Windows has neither flag; there the look at the entry beforehand is what holds.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a pipe that somebody put there would wait for its other end for ever.
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const OWNER_ONLY = 0o600;

export interface OwnerFilesDeps {
  /** Unfinished files stand here, on the same disk and out of everybody's sight. */
  temporaryFolder: string;
  maxFileBytes: number;
  usage: FileUsage;
}

/** What can be done in an owner's folder. Only real files and folders count; links and devices never do. */
export function createOwnerFiles({ temporaryFolder, maxFileBytes, usage }: OwnerFilesDeps) {
  async function read(place: FilePlace): Promise<Buffer> {
    const file = await locate(place, false);
    await existing(file, place);
    return withFile(file, constants.O_RDONLY, async (handle) => {
      const { size } = checkFile(await handle.stat(), place);
      checkSize(size);
      // Exactly what was measured: the file may be growing meanwhile.
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await handle.read(bytes, 0, size, 0);
      return bytes.subarray(0, bytesRead);
    });
  }

  /** Whole or not at all, and on the disk when it resolves. */
  async function write(place: FilePlace, bytes: Buffer): Promise<void> {
    checkSize(bytes.length);
    await reserve(place, bytes.length, true);
    const file = await locate(place, true);
    await existing(file, place);
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const temporary = join(temporaryFolder, randomUUID());
    try {
      await withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (handle) => {
        await handle.writeFile(bytes);
        await handle.sync();
      });
      await rename(temporary, file);
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw error;
    }
    await syncFolder(join(file, ".."));
  }

  /** At least once: an attempt that a crash cut off after the write is made again and appends again. */
  async function append(place: FilePlace, bytes: Buffer): Promise<number> {
    await reserve(place, bytes.length, false);
    const file = await locate(place, true);
    await existing(file, place);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
    const size = await withFile(file, flags, async (handle) => {
      const before = checkFile(await handle.stat(), place).size;
      checkSize(before + bytes.length);
      await handle.writeFile(bytes);
      await handle.sync();
      return before + bytes.length;
    });
    await syncFolder(join(file, ".."));
    return size;
  }

  /** Names in order, folders with a slash behind them. */
  async function list(place: FilePlace): Promise<string[]> {
    const folder = place.names.length === 0 ? place.root : await locate(place, false);
    const stats = await lstat(folder);
    if (stats.isSymbolicLink()) throw linkOnTheWay();
    if (!stats.isDirectory())
      throw permanentFailure("not_a_folder", `"${place.path}" is a file; only a folder can be listed.`);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  }

  /** False when there was nothing, which is no failure: a repeated attempt finds its work done. */
  async function remove(place: FilePlace): Promise<boolean> {
    try {
      const file = await locate(place, false);
      const stats = await lstat(file);
      if (stats.isSymbolicLink()) throw linkOnTheWay();
      await (stats.isDirectory() ? rmdir(file) : unlink(file));
      usage.release(place.root, { names: 1, bytes: stats.isFile() ? stats.size : 0 });
      await syncFolder(join(file, ".."));
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "file_not_found") return false;
      if (code === "ENOTEMPTY" || code === "EEXIST")
        throw permanentFailure("folder_not_empty", `The folder "${place.path}" still has files in it.`);
      throw error;
    }
  }

  async function reserve({ root, names }: FilePlace, size: number, replaces: boolean): Promise<void> {
    let path = root;
    for (const [index, name] of names.entries()) {
      path = join(path, name);
      const stats = await lstat(path).catch(() => undefined);
      // Folders on the way that are still to be made count as well.
      if (stats === undefined) return usage.reserve(root, { names: names.length - index, bytes: size });
      if (index === names.length - 1)
        return usage.reserve(root, { names: 0, bytes: size - (replaces ? stats.size : 0) });
    }
  }

  function checkSize(size: number): void {
    if (size > maxFileBytes)
      throw permanentFailure(
        "file_too_large",
        `A file may have ${maxFileBytes} bytes at most; this one has ${size}.`,
      );
  }

  return { read, write, append, list, remove };
}

async function locate(place: FilePlace, create: boolean): Promise<string> {
  const name = place.names.at(-1);
  if (name === undefined) throw isFolder("/");
  return join(await parentFolder(place, create), name);
}

/** What already stands there must be a file of its own; nothing there is fine. */
async function existing(file: string, place: FilePlace): Promise<void> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (stats) checkFile(stats, place);
}

function checkFile(stats: Stats, { path }: FilePlace): Stats {
  if (stats.isSymbolicLink()) throw linkOnTheWay();
  if (stats.isDirectory()) throw isFolder(path);
  // A second name may stand anywhere on the disk, so the content is not this folder's alone.
  if (!stats.isFile() || stats.nlink > 1) throw linkOnTheWay();
  return stats;
}

async function withFile<T>(file: string, flags: number, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags | NO_FOLLOW | NO_WAIT, OWNER_ONLY);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** A new name is on the disk only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
