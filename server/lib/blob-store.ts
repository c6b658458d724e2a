import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asDiskFault } from "./disk-fault.ts";

/** Values too large for a row. Keys are made by us: `<taskId>/<name>`. */
export interface BlobStore {
  /** On disk when it resolves. */
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  removeFolder(key: string): Promise<void>;
}

export function createFolderBlobs(folder: string): BlobStore {
  return {
    async put(key, text) {
      const path = join(folder, key);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeDurably(`${path}.new`, text);
        await rename(`${path}.new`, path);
        await syncFolder(dirname(path));
      } catch (error) {
        throw asDiskFault(error);
      }
    },
    get: (key) => readFile(join(folder, key), "utf8"),
    removeFolder: (key) => rm(join(folder, key), { recursive: true, force: true }),
  };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** A rename is only as durable as the folder it stands in. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
