import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { FileReference } from "../../contract/file-reference.ts";
import { sweepAbandoned } from "../lib/abandoned-files.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { ByteRange, FileStore } from "../lib/file-store.ts";
import { createId } from "../lib/ids.ts";
import { outputTooLarge, payloadTooLarge } from "../limits/limit-reached.ts";
import type { Limits } from "../limits/limits.ts";
import { contentTypeOf } from "./content-type.ts";
import { type IncomingFile, hashFile, writeIncoming } from "./incoming-file.ts";
import type { RunFileStore } from "./run-file.sql.ts";

export interface FileDescription {
  name: string;
  /** As the sender declared it; the content decides where it can. */
  contentType?: string | undefined;
}

/** Who the file is for. Without a task it is kept for an hour, in which a task whose input names it may start. */
export interface FileTarget {
  ownerId: string;
  taskId: string | null;
}

/** Files between steps. Bytes are streamed in and out, never held in memory. */
export interface RunFiles {
  /** Durable when it resolves. A source over a limit is destroyed, and no part of it is kept. */
  create(
    target: FileTarget,
    description: FileDescription,
    source: AsyncIterable<Uint8Array>,
  ): Promise<FileReference>;
  /** The same for a file at a path of `newPath`, which is moved. */
  adopt(target: FileTarget, description: FileDescription, path: string): Promise<FileReference>;
  /** A path for a file that is about to be written; removed after an hour if nothing adopts it. */
  newPath(): Promise<string>;
  /** As stored: what a reference says of its name, type and size is not trusted. */
  find(ownerId: string, fileId: string): Promise<FileReference>;
  open(
    ownerId: string,
    fileId: string,
    range?: ByteRange,
  ): Promise<{ stream: Readable; reference: FileReference }>;
  /** Calls `use` with a local path of the file, which exists until `use` resolves. */
  withLocalFile<T>(ownerId: string, fileId: string, use: (path: string) => Promise<T>): Promise<T>;
  usage(ownerId: string): Promise<number>;
  /** Deletes up to `limit` files that no task has used since `before`; returns how many. */
  dropUnlinked(before: number, limit: number): Promise<number>;
  /** Removes incomplete files that an ended process left. */
  sweep(): Promise<void>;
}

export interface RunFilesDeps {
  store: RunFileStore;
  /** Keys are `<owner>/<file>`. */
  files: FileStore;
  /** On the same disk as a folder store, so that a file is moved and not copied. */
  incomingFolder: string;
  limits: Pick<Limits, "max" | "exceeds" | "refuse" | "countRefusal">;
  clock: Pick<Clock, "now">;
}

const MAX_NAME_CHARACTERS = 200;

export function createRunFiles({ store, files, incomingFolder, limits, clock }: RunFilesDeps): RunFiles {
  /** Bytes that are being received: files at the same time would otherwise all find the budget unused. */
  const receiving = new Map<string, number>();

  async function newPath(): Promise<string> {
    await mkdir(incomingFolder, { recursive: true, mode: 0o700 });
    return join(incomingFolder, createId("file"));
  }

  function tooLarge(taskId: string | null): AppError {
    const refuse = taskId === null ? payloadTooLarge : outputTooLarge;
    limits.countRefusal("file_bytes");
    return refuse("file_bytes", `The file is larger than ${limits.max("file_bytes")} bytes.`);
  }

  function checkTotal(ownerId: string, stored: number): void {
    if (limits.exceeds("owner_file_bytes", stored + (receiving.get(ownerId) ?? 0), ownerId))
      throw noRoom(ownerId);
  }

  function noRoom(ownerId: string): AppError {
    return limits.refuse(
      "owner_file_bytes",
      `Your files between steps take ${limits.max("owner_file_bytes", ownerId)} bytes. Files are deleted with the tasks that use them.`,
      { ownerId },
    );
  }

  /** Counts the bytes of one file against both limits while they arrive. `end` gives the reservation back. */
  async function reserve({ ownerId, taskId }: FileTarget) {
    const stored = await store.bytesOf(ownerId);
    let own = 0;
    const add = (bytes: number): void => {
      own += bytes;
      const others = receiving.get(ownerId) ?? 0;
      if (others + bytes === 0) receiving.delete(ownerId);
      else receiving.set(ownerId, others + bytes);
    };
    return {
      add(bytes: number): void {
        add(bytes);
        if (limits.exceeds("file_bytes", own)) throw tooLarge(taskId);
        checkTotal(ownerId, stored);
      },
      end: () => add(-own),
    };
  }

  async function keep(
    { ownerId, taskId }: FileTarget,
    { name, contentType }: FileDescription,
    path: string,
    { bytes, sha256, head }: IncomingFile,
    endReservation: () => void,
  ): Promise<FileReference> {
    const cleanName = plainName(name);
    const reference: FileReference = {
      file: createId("file", clock.now()),
      name: cleanName,
      contentType: contentTypeOf(head, contentType, cleanName),
      size: bytes,
    };
    // Files that were stored while this one arrived, also by other processes, count too.
    const maxBytes = limits.max("owner_file_bytes", ownerId);
    if (!(await store.insert(ownerId, reference, { now: clock.now(), maxBytes }))) throw noRoom(ownerId);
    // Its row counts from here on: both together would refuse other files too early.
    endReservation();
    await files.writeFile(`${ownerId}/${reference.file}`, { path, bytes, sha256 });
    if (taskId !== null) await store.link(ownerId, taskId, reference.file);
    return reference;
  }

  return {
    newPath,
    async create(target, description, source) {
      const path = await newPath();
      const reserved = await reserve(target);
      try {
        const incoming = await writeIncoming(source, path, reserved.add);
        return await keep(target, description, path, incoming, reserved.end);
      } finally {
        reserved.end();
        await rm(path, { force: true });
      }
    },
    async adopt(target, description, path) {
      const reserved = await reserve(target);
      try {
        reserved.add((await stat(path)).size);
        return await keep(target, description, path, await hashFile(path), reserved.end);
      } finally {
        reserved.end();
        await rm(path, { force: true });
      }
    },
    find: (ownerId, fileId) => store.find(ownerId, fileId),
    async open(ownerId, fileId, range) {
      const reference = await store.find(ownerId, fileId);
      const { stream } = await files.open(`${ownerId}/${fileId}`, range).catch(throwMissing);
      return { stream, reference };
    },
    async withLocalFile(ownerId, fileId, use) {
      await store.find(ownerId, fileId);
      return files.withLocalFile(`${ownerId}/${fileId}`, use);
    },
    usage: (ownerId) => store.bytesOf(ownerId),
    async dropUnlinked(before, limit) {
      const taken = await store.takeUnlinked(before, limit);
      // The rows last: after a crash in between, they tell which bytes are left.
      for (const { id, ownerId } of taken) await files.remove(`${ownerId}/${id}`);
      await store.remove(taken.map(({ id }) => id));
      return taken.length;
    },
    sweep: () => sweepAbandoned(incomingFolder),
  };
}

/** The retention may have deleted it a moment ago. */
function throwMissing(error: unknown): never {
  throw error instanceof AppError && error.code === "file_not_found" ? notFound("file") : error;
}

/** The last part of a path, without characters that a header or a file system treats specially. */
function plainName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const plain = last.replaceAll(/[\p{Cc}\p{Cs}<>:"|?*]/gu, "_").trim();
  if (plain.length <= MAX_NAME_CHARACTERS) return plain === "" || /^\.+$/.test(plain) ? "file" : plain;
  const dot = plain.lastIndexOf(".");
  const extension = dot > plain.length - 20 && dot > 0 ? plain.slice(dot) : "";
  return plain.slice(0, MAX_NAME_CHARACTERS - extension.length) + extension;
}
