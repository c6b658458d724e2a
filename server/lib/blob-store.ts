import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { AppError } from "./errors.ts";
import type { FileStore } from "./file-store.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { inTurns, type PartedWork } from "./in-turns.ts";

/** Values too large for a row. Keys are generated: `<taskId>/<name>`. */
export interface BlobStore {
  /** Durable when it resolves. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  /** The stream must be read to its end or destroyed. */
  open(key: string): Promise<{ stream: Readable; bytes: number }>;
  removeFolder(key: string): Promise<void>;
}

/** In a bucket each removal is a separate request, and pruning removes hundreds. */
const MAX_CONCURRENT_REMOVALS = 16;

const DECODED_AT_ONCE = 256 * 1024;

export function createBlobs(files: FileStore): BlobStore {
  const limited = createConcurrencyLimit(MAX_CONCURRENT_REMOVALS);
  return {
    put: (key, text) => files.write(key, Buffer.from(text)),
    get: async (key) =>
      inTurns(decode(await files.read(key).catch((error: unknown) => throwMissing(key, error)))),
    open: (key) => files.open(key).catch((error: unknown) => throwMissing(key, error)),
    removeFolder: (key) => limited(() => files.removeFolder(key)),
  };
}

/** Ten million characters with accents take a tenth of a second. */
function* decode(bytes: Buffer): PartedWork<string> {
  const decoder = new StringDecoder("utf8");
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += DECODED_AT_ONCE) {
    parts.push(decoder.write(bytes.subarray(from, from + DECODED_AT_ONCE)));
    yield;
  }
  return parts.join("") + decoder.end();
}

/** A row that points to a missing file is a fault of the service: the caller must not get a 404. */
function throwMissing(key: string, error: unknown): never {
  if (error instanceof AppError && error.code === "file_not_found")
    throw new Error(`The stored value ${key} is missing.`, { cause: error });
  throw error;
}
