import { createHash } from "node:crypto";
import { constants, copyFile, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { sweepAbandoned } from "../../lib/abandoned-files.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import type { FileStore, LocalFile } from "../../lib/file-store.ts";
import { createId } from "../../lib/ids.ts";
import { bytesOnDisk } from "../extract/byte-source.ts";
import {
  detectFormat,
  HEAD_BYTES,
  mayBeSupported,
  mediaTypeOf,
  SUPPORTED_FORMATS,
} from "../extract/detect-format.ts";

/** An upload on disk before it belongs to a document. Its owner calls `keep` or `discard`. */
export interface ReceivedFile extends LocalFile {
  /** By its bytes. */
  mediaType: string;
  discard(): Promise<void>;
}

export interface DocumentFiles {
  /** Streams to disk while hashing. Throws `unsupported_media_type` when the bytes are of no supported format. */
  receive(stream: Readable): Promise<ReceivedFile>;
  keep(file: ReceivedFile, documentId: string): Promise<void>;
  /** Each document has its own file, so deleting one of the two leaves the other. */
  copy(from: string, to: Pick<LocalFile, "bytes" | "sha256"> & { id: string }): Promise<void>;
  /** Calls `use` with a local path of the file, which exists until `use` resolves. */
  withFile<T>(documentId: string, use: (path: string) => Promise<T>): Promise<T>;
  has(documentId: string): Promise<boolean>;
  read(documentId: string): Promise<{ stream: Readable; bytes: number }>;
  remove(documentId: string): Promise<void>;
  /** Removes uploads that an ended process was receiving. Other processes may be receiving the recent ones, unless `isAlone`. */
  sweep(isAlone: boolean): Promise<void>;
}

export interface DocumentFilesDeps {
  files: FileStore;
  /** On the same disk as a folder store, so that an upload is moved and not copied. */
  incomingFolder: string;
}

export function createDocumentFiles({ files, incomingFolder }: DocumentFilesDeps): DocumentFiles {
  // Files of every format: the name is from when there was only one.
  const keyOf = (documentId: string): string => `${documentId}.pdf`;

  return {
    async receive(stream) {
      await mkdir(incomingFolder, { recursive: true, mode: 0o700 });
      const path = join(incomingFolder, createId("doc"));
      const discard = (): Promise<void> => rm(path, { force: true });
      try {
        const written = await writeHashed(stream, path);
        return { path, ...written, mediaType: await detectMediaType(path, written.bytes), discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    async copy(from, { id, bytes, sha256 }) {
      await mkdir(incomingFolder, { recursive: true, mode: 0o700 });
      const path = join(incomingFolder, createId("doc"));
      try {
        await files.withLocalFile(keyOf(from), (source) =>
          copyFile(source, path, constants.COPYFILE_FICLONE),
        );
        await files.writeFile(keyOf(id), { path, bytes, sha256 });
      } finally {
        await rm(path, { force: true });
      }
    },
    keep: (file, documentId) => files.writeFile(keyOf(documentId), file),
    withFile: (documentId, use) => files.withLocalFile(keyOf(documentId), use),
    has: async (documentId) => (await files.stat(keyOf(documentId))) !== undefined,
    read: (documentId) =>
      files.open(keyOf(documentId)).catch((error: unknown) => {
        throw error instanceof AppError && error.code === "file_not_found"
          ? notFound("document_file")
          : error;
      }),
    async remove(documentId) {
      await files.remove(keyOf(documentId));
    },
    sweep: (isAlone) =>
      isAlone ? rm(incomingFolder, { recursive: true, force: true }) : sweepAbandoned(incomingFolder),
  };
}

async function writeHashed(stream: Readable, path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600).catch(diskFailed);
  let bytes = 0;
  let head = Buffer.alloc(0);
  let failure: Error | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      // A rejected upload is still read to its end: a client whose connection is cut never reads the response.
      if (failure !== undefined) continue;
      try {
        if (head.length < HEAD_BYTES) {
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
          if (head.length >= HEAD_BYTES && !mayBeSupported(head)) throw unsupported(head.length);
        }
        hash.update(chunk);
        bytes += chunk.length;
        await handle.writeFile(chunk).catch(diskFailed);
      } catch (error) {
        failure = error as Error;
      }
    }
    if (failure !== undefined) throw failure;
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

async function detectMediaType(path: string, bytes: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    const format = await detectFormat(bytesOnDisk(handle, bytes));
    if (format === undefined) throw unsupported(bytes);
    return mediaTypeOf(format);
  } finally {
    await handle.close();
  }
}

function unsupported(bytes: number): AppError {
  const problem = bytes === 0 ? "The file is empty." : "The content of the file is in no supported format.";
  return new AppError("unsupported_media_type", `${problem} Upload one of these: ${SUPPORTED_FORMATS}.`);
}

function diskFailed(cause: unknown): never {
  throw new AppError(
    "storage_unavailable",
    "The disk is full or read-only, so nothing was stored. Try again later.",
    {
      retryable: true,
      cause,
    },
  );
}
