import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { looksLikePdf } from "./extract/extract.ts";

/** An upload on disk that is no document yet. Whoever has it keeps it or discards it. */
export interface ReceivedFile {
  path: string;
  sha256: string;
  bytes: number;
  discard(): Promise<void>;
}

export interface DocumentFiles {
  /** Streams to disk while hashing. Not a PDF by its bytes → 415. */
  receive(stream: Readable): Promise<ReceivedFile>;
  keep(file: ReceivedFile, documentId: string): Promise<void>;
  pathOf(documentId: string): string;
  has(documentId: string): Promise<boolean>;
  read(documentId: string): Promise<{ stream: Readable; bytes: number }>;
  remove(documentId: string): Promise<void>;
  /** Removes what an ended process was still receiving. */
  sweep(): Promise<void>;
}

const HEAD_BYTES = 1024;

export function createDocumentFiles(folder: string): DocumentFiles {
  const incoming = join(folder, "incoming");
  const pathOf = (documentId: string): string => join(folder, `${documentId}.pdf`);

  return {
    async receive(stream) {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      const path = join(incoming, createId("doc"));
      const discard = (): Promise<void> => rm(path, { force: true });
      try {
        return { path, ...(await writeHashed(stream, path)), discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    async keep(file, documentId) {
      await rename(file.path, pathOf(documentId));
      // A rename is only as durable as the folder it stands in.
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    pathOf,
    has: (documentId) =>
      access(pathOf(documentId)).then(
        () => true,
        () => false,
      ),
    async read(documentId) {
      const path = pathOf(documentId);
      const size = await stat(path).then(
        (found) => found.size,
        () => undefined,
      );
      if (size === undefined) throw notFound("document_file");
      return { stream: createReadStream(path), bytes: size };
    },
    remove: (documentId) => rm(pathOf(documentId), { force: true }),
    sweep: () => rm(incoming, { recursive: true, force: true }),
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
      // What is refused is still read to its end: a sender that is cut off never sees the answer.
      if (failure !== undefined) continue;
      try {
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
        if (head.length >= HEAD_BYTES && !looksLikePdf(head)) throw notPdf();
        hash.update(chunk);
        bytes += chunk.length;
        await handle.writeFile(chunk).catch(diskFailed);
      } catch (error) {
        failure = error as Error;
      }
    }
    if (failure !== undefined) throw failure;
    if (!looksLikePdf(head)) throw notPdf();
    await handle.datasync().catch(diskFailed);
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

function notPdf(): AppError {
  return new AppError(
    "unsupported_media_type",
    "Only PDF files are taken in, and this file is none by its content, whatever its name says.",
  );
}

function diskFailed(cause: unknown): never {
  throw new AppError("storage_unavailable", "The disk takes no more data right now; nothing was stored.", {
    retryable: true,
    cause,
  });
}
