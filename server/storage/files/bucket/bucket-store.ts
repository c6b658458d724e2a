import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { asDiskFault } from "../../../lib/disk-fault.ts";
import { AppError } from "../../../lib/errors.ts";
import {
  type FileEntry,
  type FileStore,
  folderNotEmpty,
  isFolder,
  missingFile,
  namesOfKey,
  notFolder,
  pathTooLong,
} from "../../../lib/file-store.ts";
import { appendToObject } from "./append-to-object.ts";
import { BucketErrorResponse } from "./bucket-faults.ts";
import { loadWithin, type Objects } from "./objects.ts";

const MAX_KEY_BYTES = 1024;
const DELETES_AT_ONCE = 8;
const EMPTY = new Uint8Array();

export interface BucketStoreDeps {
  objects: Objects;
  /** Counts toward the maximum key length. */
  prefix: string;
  scratchFolder: string;
}

/**
 * Emulates folders: a folder exists while a key has it as a prefix. A folder whose last file was deleted is kept, as on
 * a disk, by an empty object `<folder>/`.
 */
export function createBucketStore({ objects, prefix, scratchFolder }: BucketStoreDeps): FileStore {
  const hasAny = async (below: string): Promise<boolean> =>
    (await objects.page(below, { "max-keys": "1" })).objects.length > 0;

  async function checkAncestors(key: string): Promise<void> {
    const ancestors = namesOfKey(key).map((_name, i, names) => names.slice(0, i).join("/"));
    const found = await Promise.all(ancestors.slice(1).map(objects.head));
    if (found.some((head) => head !== undefined)) throw notFolder(key);
  }

  async function checkWritable(key: string): Promise<void> {
    if (namesOfKey(key).length === 0) throw isFolder("/");
    if (Buffer.byteLength(prefix + key) > MAX_KEY_BYTES) throw pathTooLong(key);
    const [, occupied] = await Promise.all([checkAncestors(key), hasAny(`${key}/`)]);
    if (occupied) throw isFolder(key);
  }

  /** The error for a key that is not a file. */
  async function reasonFor(key: string): Promise<AppError> {
    if (namesOfKey(key).length === 0) return isFolder("/");
    await checkAncestors(key);
    return (await hasAny(`${key}/`)) ? isFolder(key) : missingFile(key);
  }

  /** After a removal, the folder of the removed entry must still exist. */
  async function keepFolderOf(key: string): Promise<void> {
    const folder = key.slice(0, key.lastIndexOf("/") + 1);
    if (folder !== "" && !(await hasAny(folder))) await objects.put(folder, EMPTY);
  }

  const store: FileStore = {
    async read(key, maxBytes) {
      if (namesOfKey(key).length === 0) throw isFolder("/");
      const bytes = await objects.get(key, (body, head) => loadWithin(body, { bytes: head.bytes, maxBytes }));
      if (bytes === undefined) throw await reasonFor(key);
      return bytes;
    },
    async open(key, range) {
      namesOfKey(key);
      const opened = await objects
        .get(key, async (stream, { bytes }) => ({ stream: stream as Readable, bytes }), range)
        .catch((error: unknown) => {
          if (!isPastEnd(error)) throw error;
          return { stream: Readable.from([]), bytes: 0 };
        });
      if (opened === undefined) throw await reasonFor(key);
      return opened;
    },
    async withLocalFile(key, use) {
      namesOfKey(key);
      await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
      const path = join(scratchFolder, randomUUID());
      try {
        const loaded = await objects.get(key, async (body) => {
          const file = createWriteStream(path, { mode: 0o600 });
          // A full local disk is reported as such, not retried like a broken connection.
          file.once("error", (error) => body.destroy(asDiskFault(error) as Error));
          await pipeline(body, file);
          return true;
        });
        if (loaded === undefined) throw await reasonFor(key);
        return await use(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    async write(key, content) {
      await checkWritable(key);
      await objects.put(key, content);
    },
    async writeFile(key, file) {
      await checkWritable(key);
      await objects.put(key, file);
    },
    async append(key, content, maxBytes) {
      await checkWritable(key);
      return appendToObject(objects, key, content, maxBytes);
    },
    async stat(key) {
      if (namesOfKey(key).length === 0) return { kind: "folder", bytes: 0 };
      const [head, occupied] = await Promise.all([objects.head(key), hasAny(`${key}/`), checkAncestors(key)]);
      if (head !== undefined)
        return { kind: "file", bytes: head.bytes, ...(head.sha256 !== undefined && { sha256: head.sha256 }) };
      return occupied ? { kind: "folder", bytes: 0 } : undefined;
    },
    async list(key) {
      const below = namesOfKey(key).length === 0 ? "" : `${key}/`;
      const entries: (FileEntry & { name: string })[] = [];
      let isThere = below === "";
      for await (const page of objects.pages(below, { delimiter: "/" })) {
        for (const folder of page.folders)
          entries.push({ name: folder.slice(below.length, -1), kind: "folder", bytes: 0 });
        for (const { key: found, bytes } of page.objects)
          if (found !== below) entries.push({ name: found.slice(below.length), kind: "file", bytes });
        isThere ||= page.objects.length + page.folders.length > 0;
      }
      if (isThere) return entries;
      throw (await objects.head(key)) === undefined ? await reasonFor(key) : notFolder(key);
    },
    async remove(key) {
      if (namesOfKey(key).length === 0) throw isFolder("/");
      if ((await objects.head(key)) !== undefined) await objects.remove(key);
      else {
        const { objects: inside } = await objects.page(`${key}/`, { "max-keys": "2" });
        if (inside.some((object) => object.key !== `${key}/`)) throw folderNotEmpty(key);
        if (inside.length === 0) {
          await checkAncestors(key);
          return false;
        }
        await objects.remove(`${key}/`);
      }
      await keepFolderOf(key);
      return true;
    },
    async removeFolder(key) {
      namesOfKey(key);
      for await (const page of objects.pages(`${key}/`)) {
        for (let i = 0; i < page.objects.length; i += DELETES_AT_ONCE)
          await Promise.all(
            page.objects.slice(i, i + DELETES_AT_ONCE).map((object) => objects.remove(object.key)),
          );
      }
    },
    async *walk() {
      const seen = new Set<string>();
      for await (const page of objects.pages(""))
        for (const { key, bytes } of page.objects) {
          for (let at = key.indexOf("/"); at !== -1; at = key.indexOf("/", at + 1)) {
            const folder = key.slice(0, at);
            if (!seen.has(folder)) yield { key: folder, kind: "folder", bytes: 0 };
            seen.add(folder);
          }
          if (!key.endsWith("/")) yield { key, kind: "file", bytes };
        }
    },
  };
  return store;
}

/** A folder streams nothing for such a range; a bucket refuses it, also for every range of an empty file. */
function isPastEnd(error: unknown): boolean {
  return (
    error instanceof AppError && error.cause instanceof BucketErrorResponse && error.cause.status === 416
  );
}
