import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import type { Upload } from "../ingest/uploads.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import type { WatchedFileStore } from "./watched-file.sql.ts";

export interface WatchFolderDeps {
  folder: string;
  limitBytes: number;
  /** Where the documents go; undefined while the account does not exist. */
  target(): Promise<{ ownerId: string; collectionId?: string } | undefined>;
  /** Files that were uploaded or refused, by name, with their state. A file is taken again when its state changes. */
  taken: WatchedFileStore;
  files: Pick<DocumentFiles, "receive">;
  upload(ownerId: string, upload: Upload): Promise<unknown>;
  onError(error: unknown, what: string): void;
}

export interface WatchFolder {
  /** Reads the folder once. Files that change between two polls are left for a later one. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 2000;

/**
 * Uploads the files of a folder of this machine. A file is read when its size and time are the same as at the poll
 * before, so one that is still being written is left alone. Files stay where they are; the database records which were
 * taken, so a document that its owner deletes does not return with the next start.
 */
export function createWatchFolder(deps: WatchFolderDeps): WatchFolder {
  const { folder, limitBytes, target, taken, files, upload, onError } = deps;
  let lastStates = new Map<string, string>();
  let polling: Promise<void> | undefined;

  async function pollOnce(): Promise<void> {
    const owner = await target();
    if (owner === undefined) return;
    const done = await taken.states(folder);
    const states = new Map<string, string>();
    const names = (await readdir(folder, { withFileTypes: true }))
      // No links: a link could lead to any file of the machine.
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ name }) => name);
    for (const name of names) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found === undefined || found.size === 0) continue;
      const state = `${found.size} ${found.mtimeMs}`;
      states.set(name, state);
      if (done.get(name) === state || lastStates.get(name) !== state) continue;
      if (await take(name, found.size, owner)) await taken.save(folder, name, state);
    }
    lastStates = states;
  }

  /** True when the file need not be tried again until it changes. */
  async function take(
    name: string,
    size: number,
    { ownerId, collectionId }: { ownerId: string; collectionId?: string },
  ): Promise<boolean> {
    try {
      if (size > limitBytes) throw new AppError("payload_too_large", `${name} is larger than the limit.`);
      const file = await files.receive(createReadStream(join(folder, name)));
      await upload(ownerId, {
        file,
        fileName: name,
        metadata: {},
        wait: false,
        ...(collectionId !== undefined && { collectionId }),
      });
      return true;
    } catch (error) {
      onError(error, `reading ${name} of the watched folder`);
      return error instanceof AppError && !error.retryable;
    }
  }

  function poll(): Promise<void> {
    polling ??= pollOnce()
      .catch((error: unknown) => onError(error, "reading the watched folder"))
      .finally(() => (polling = undefined));
    return polling;
  }

  const timer = setInterval(() => void poll(), POLL_MS).unref();
  return {
    poll,
    async close() {
      clearInterval(timer);
      await polling;
    },
  };
}
