import { AppError } from "./errors.ts";
import type { FileStore } from "./file-store.ts";
import { createTurns } from "./turns.ts";

/** Values too large for a row. Keys are made by us: `<taskId>/<name>`. */
export interface BlobStore {
  /** Durable when it resolves. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  removeFolder(key: string): Promise<void>;
}

/** In a bucket each removal is a request of its own, and pruning removes by the hundred. */
const REMOVALS_AT_ONCE = 16;

export function createBlobs(files: FileStore): BlobStore {
  const inTurn = createTurns(REMOVALS_AT_ONCE);
  return {
    put: (key, text) => files.write(key, Buffer.from(text)),
    async get(key) {
      try {
        return (await files.read(key)).toString();
      } catch (error) {
        // A row that points at nothing is our fault and not the caller's, who would be told 404.
        if (error instanceof AppError && error.code === "file_not_found")
          throw new Error(`The stored value ${key} is gone.`, { cause: error });
        throw error;
      }
    },
    removeFolder: (key) => inTurn(() => files.removeFolder(key)),
  };
}
