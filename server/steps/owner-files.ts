import { checkFileSize, type FileStore, type FileStores, type LocalFile } from "../lib/file-store.ts";
import { createKeyedQueue, type KeyedQueue } from "../lib/keyed-queue.ts";
import { createFileUsage, type FileUsage, type FileUsageLimits } from "./file-usage.ts";

const MEGABYTE = 1024 * 1024;
export const MAX_OWNER_FILE_BYTES = 64 * MEGABYTE;

/** The folders of all owners. One for the process: the limits count what every step writes. */
export function createOwnerFolders(
  files: Pick<FileStores, "area">,
  maxFileBytes = MAX_OWNER_FILE_BYTES,
  limits: FileUsageLimits = { maxNames: 100_000, maxTotalBytes: 10_240 * MEGABYTE },
) {
  const usage = createFileUsage(limits);
  const turns = createKeyedQueue();
  return (ownerId: string): OwnerFiles =>
    createOwnerFiles({ ownerId, files: files.area("files", ownerId), maxFileBytes, usage, turns });
}

export type OwnerFolders = ReturnType<typeof createOwnerFolders>;

interface OwnerFilesDeps {
  ownerId: string;
  files: FileStore;
  maxFileBytes: number;
  usage: FileUsage;
  /** Shared by all steps of this process. */
  turns: KeyedQueue;
}

/** File operations in an owner's folder, within the owner's limits. */
function createOwnerFiles({ ownerId, files, maxFileBytes, usage, turns }: OwnerFilesDeps) {
  /** Writes of one file take turns: what the second one replaces is known only after the first. */
  const inTurn = <T>(key: string, job: () => Promise<T>): Promise<T> => turns.run(`${ownerId}/${key}`, job);

  /** Parent folders that it creates count too. */
  async function reserve(key: string, size: number, replaces: boolean): Promise<() => void> {
    const way = key.split("/").map((_name, i, names) => names.slice(0, i + 1).join("/"));
    const entries = await Promise.all(way.map(files.stat));
    const freed = replaces ? (entries.at(-1)?.bytes ?? 0) : 0;
    const names = entries.filter((entry) => entry === undefined).length;
    return usage.reserve(ownerId, files, { names, bytes: size - freed });
  }

  function writeWith(key: string, size: number, write: () => Promise<void>): Promise<void> {
    return inTurn(key, async () => {
      checkFileSize(size, maxFileBytes);
      const settle = key === "" ? undefined : await reserve(key, size, true);
      await write().finally(settle);
    });
  }

  return {
    read: (key: string): Promise<Buffer> => files.read(key, maxFileBytes),
    open: (key: string) => files.open(key),
    withLocalFile: <T>(key: string, use: (path: string) => Promise<T>): Promise<T> =>
      files.withLocalFile(key, use),
    exists: async (key: string): Promise<boolean> => (await files.stat(key)) !== undefined,
    write: (key: string, bytes: Buffer): Promise<void> =>
      writeWith(key, bytes.length, () => files.write(key, bytes)),
    /** The same from a local file, which is moved. */
    writeFile: (key: string, file: LocalFile): Promise<void> =>
      writeWith(key, file.bytes, () => files.writeFile(key, file)),
    append: (key: string, bytes: Buffer): Promise<number> =>
      inTurn(key, async () => {
        const settle = key === "" ? undefined : await reserve(key, bytes.length, false);
        return files.append(key, bytes, maxFileBytes).finally(settle);
      }),
    /** Sorted names; folders end with a slash. */
    async list(key: string): Promise<string[]> {
      const entries = await files.list(key);
      return entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)).sort();
    },
    remove: (key: string): Promise<boolean> =>
      inTurn(key, async () => {
        const entry = await files.stat(key);
        const removed = await files.remove(key);
        if (removed && entry !== undefined) usage.release(ownerId, { names: 1, bytes: entry.bytes });
        return removed;
      }),
  };
}

export type OwnerFiles = ReturnType<typeof createOwnerFiles>;
