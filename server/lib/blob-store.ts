import { AppError } from "./errors.ts";
import type { FileStore } from "./file-store.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

/** Values too large for a row. Keys are generated: `<taskId>/<name>`. */
export interface BlobStore {
  /** Durable when it resolves. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  removeFolder(key: string): Promise<void>;
}

/** In a bucket each removal is a request of its own, and pruning removes hundreds. */
const MAX_CONCURRENT_REMOVALS = 16;

export function createBlobs(files: FileStore): BlobStore {
  const limited = createConcurrencyLimit(MAX_CONCURRENT_REMOVALS);
  return {
    put: (key, text) => files.write(key, Buffer.from(text)),
    async get(key) {
      try {
        return (await files.read(key)).toString();
      } catch (error) {
        // A row that points to a missing file is a fault of the service: the caller must not get a 404.
        if (error instanceof AppError && error.code === "file_not_found")
          throw new Error(`The stored value ${key} is missing.`, { cause: error });
        throw error;
      }
    },
    removeFolder: (key) => limited(() => files.removeFolder(key)),
  };
}
