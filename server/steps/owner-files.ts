import { checkFileSize, type FileStore } from "../lib/file-store.ts";
import type { FileUsage } from "./file-usage.ts";

export interface OwnerFilesDeps {
  ownerId: string;
  files: FileStore;
  maxFileBytes: number;
  usage: FileUsage;
}

/** File operations in an owner's folder, within the owner's limits. */
export function createOwnerFiles({ ownerId, files, maxFileBytes, usage }: OwnerFilesDeps) {
  /** Parent folders that it creates count too. */
  async function reserve(key: string, size: number, replaces: boolean): Promise<void> {
    const way = key.split("/").map((_name, i, names) => names.slice(0, i + 1).join("/"));
    const entries = await Promise.all(way.map(files.stat));
    const freed = replaces ? (entries.at(-1)?.bytes ?? 0) : 0;
    const names = entries.filter((entry) => entry === undefined).length;
    await usage.reserve(ownerId, files, { names, bytes: size - freed });
  }

  return {
    read: (key: string): Promise<Buffer> => files.read(key, maxFileBytes),
    async write(key: string, bytes: Buffer): Promise<void> {
      checkFileSize(bytes.length, maxFileBytes);
      if (key !== "") await reserve(key, bytes.length, true);
      await files.write(key, bytes);
    },
    async append(key: string, bytes: Buffer): Promise<number> {
      if (key !== "") await reserve(key, bytes.length, false);
      return files.append(key, bytes, maxFileBytes);
    },
    /** Sorted names; folders end with a slash. */
    async list(key: string): Promise<string[]> {
      const entries = await files.list(key);
      return entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)).sort();
    },
    async remove(key: string): Promise<boolean> {
      const entry = await files.stat(key);
      const removed = await files.remove(key);
      if (removed && entry !== undefined) usage.release(ownerId, { names: 1, bytes: entry.bytes });
      return removed;
    },
  };
}

export type OwnerFiles = ReturnType<typeof createOwnerFiles>;
