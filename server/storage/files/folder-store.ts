import { constants, createReadStream } from "node:fs";
import { lstat, opendir, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { sweepAbandoned } from "../../lib/abandoned-files.ts";
import { AppError } from "../../lib/errors.ts";
import {
  areaNames,
  checkFileSize,
  type FileEntry,
  type FileStore,
  type FileStores,
  folderNotEmpty,
  missingFile,
  notFolder,
} from "../../lib/file-store.ts";
import { syncFolder, withFile, writeDurably } from "./durable-file.ts";
import { codeOf, symbolicLink, toFileFault } from "./folder-faults.ts";
import { areaRoot, checkFile, existingFile, locate } from "./folder-path.ts";

/** Owner ids contain no dot, so this never collides with an owner's folder. */
const UNFINISHED = ".unfinished";

/** Areas are folders below the base. Unfinished files are kept next to the owners' folders, on the same disk. */
export function createFolderStores(base: string): FileStores {
  return {
    area: (name, ownerId) => createFolderStore(base, areaNames(name, ownerId)),
    probe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Only regular files and folders are visible; links and devices are not. */
function createFolderStore(base: string, names: readonly string[]): FileStore {
  const temporaryFolder = join(base, names[0] ?? "", UNFINISHED);
  let swept: Promise<void> | undefined;

  /** Maps system errors to AppErrors that name the key, never the path. */
  async function at<T>(key: string, act: (root: string) => Promise<T>): Promise<T> {
    try {
      return await act(await areaRoot(base, names));
    } catch (error) {
      throw toFileFault(error, key);
    }
  }

  async function fileAt(root: string, key: string): Promise<string> {
    const path = await locate(root, key, false);
    if ((await existingFile(path, key)) === undefined) throw missingFile(key);
    return path;
  }

  async function placeFor(root: string, key: string): Promise<string> {
    await (swept ??= sweepAbandoned(temporaryFolder));
    const path = await locate(root, key, true);
    await existingFile(path, key);
    return path;
  }

  return {
    read: (key, maxBytes) =>
      at(key, async (root) =>
        withFile(await fileAt(root, key), constants.O_RDONLY, async (handle) => {
          const { size } = checkFile(await handle.stat(), key);
          checkFileSize(size, maxBytes);
          // Reads exactly the measured size: the file may be growing.
          const bytes = Buffer.alloc(size);
          const { bytesRead } = await handle.read(bytes, 0, size, 0);
          return bytes.subarray(0, bytesRead);
        }),
      ),
    open: (key, range) =>
      at(key, async (root) => {
        const handle = await open(await fileAt(root, key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
        // Checked again after opening: the entry may have been replaced since the first check.
        const { size } = await handle
          .stat()
          .then((stats) => checkFile(stats, key))
          .catch(async (error: unknown) => {
            await handle.close();
            throw error;
          });
        // The stream ends at the measured size, whatever is appended later.
        const start = range?.start ?? 0;
        const end = Math.min(range?.end ?? size, size - 1);
        if (end >= start) return { stream: handle.createReadStream({ start, end }), bytes: end - start + 1 };
        await handle.close();
        return { stream: Readable.from([]), bytes: 0 };
      }),
    withLocalFile: async (key, use) => use(await at(key, (root) => fileAt(root, key))),
    write: (key, content) =>
      at(key, async (root) => writeDurably(await placeFor(root, key), content, temporaryFolder)),
    writeFile: (key, file) =>
      at(key, async (root) => {
        const path = await placeFor(root, key);
        try {
          await withFile(file.path, constants.O_RDWR, (handle) => handle.sync());
          await rename(file.path, path);
          await syncFolder(dirname(path));
        } catch (error) {
          if (codeOf(error) !== "EXDEV") throw error;
          await writeDurably(path, createReadStream(file.path), temporaryFolder);
        }
      }),
    append: (key, content, maxBytes) =>
      at(key, async (root) => {
        const path = await placeFor(root, key);
        const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
        const size = await withFile(path, flags, async (handle) => {
          const before = checkFile(await handle.stat(), key).size;
          checkFileSize(before + content.length, maxBytes);
          await handle.writeFile(content);
          await handle.sync();
          return before + content.length;
        });
        await syncFolder(dirname(path));
        return size;
      }),
    stat: (key) =>
      at(key, async (root) => toEntry(await lstat(await locate(root, key, false)))).catch(unlessMissing),
    list: (key) =>
      at(key, async (root) => {
        const folder = key === "" ? root : await locate(root, key, false);
        const stats = await lstat(folder);
        if (stats.isSymbolicLink()) throw symbolicLink();
        if (!stats.isDirectory()) throw notFolder(key);
        const entries: (FileEntry & { name: string })[] = [];
        for (const { name } of await readdir(folder, { withFileTypes: true })) {
          const found = await lstat(join(folder, name)).catch(() => undefined);
          if (found?.isFile() || found?.isDirectory()) entries.push({ name, ...toEntry(found) });
        }
        return entries;
      }),
    async remove(key) {
      const removed = await at(key, async (root) => {
        const path = await locate(root, key, false);
        const stats = await lstat(path);
        if (stats.isSymbolicLink()) throw symbolicLink();
        await (stats.isDirectory() ? rmdir(path) : unlink(path)).catch((error: unknown) => {
          throw ["ENOTEMPTY", "EEXIST"].includes(codeOf(error)) ? folderNotEmpty(key) : error;
        });
        await syncFolder(dirname(path));
        return true;
      }).catch(unlessMissing);
      return removed ?? false;
    },
    removeFolder: async (key) =>
      at(key, async (root) => rm(await locate(root, key, false), { recursive: true, force: true })).catch(
        unlessMissing,
      ),
    async *walk() {
      yield* walkFolder(await areaRoot(base, names), "");
    },
  };
}

async function* walkFolder(folder: string, prefix: string): AsyncIterable<FileEntry & { key: string }> {
  for await (const { name } of await opendir(folder)) {
    if (prefix === "" && name === UNFINISHED) continue;
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (!stats?.isFile() && !stats?.isDirectory()) continue;
    yield { key: `${prefix}${name}`, ...toEntry(stats) };
    if (stats.isDirectory()) yield* walkFolder(join(folder, name), `${prefix}${name}/`);
  }
}

function toEntry(stats: { isDirectory(): boolean; isSymbolicLink(): boolean; size: number }): FileEntry {
  if (stats.isSymbolicLink()) throw symbolicLink();
  return stats.isDirectory() ? { kind: "folder", bytes: 0 } : { kind: "file", bytes: stats.size };
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof AppError && error.code === "file_not_found") return undefined;
  throw error;
}
