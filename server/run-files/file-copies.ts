import { copyFile, rm } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import type { FileStore } from "../lib/file-store.ts";
import { hashFile } from "./incoming-file.ts";

export interface FileCopies {
  /** Copies the bytes to the folder of another owner; a file that the retention has deleted is skipped. May run again. */
  copy(fileId: string, from: string, to: string): Promise<void>;
  remove(fileId: string, ownerId: string): Promise<void>;
}

/** Bytes of files between steps whose rows get another owner. */
export function createFileCopies(files: FileStore, newPath: () => Promise<string>): FileCopies {
  return {
    async copy(fileId, from, to) {
      const path = await newPath();
      try {
        await files.withLocalFile(`${from}/${fileId}`, (source) => copyFile(source, path));
        const { bytes, sha256 } = await hashFile(path);
        await files.writeFile(`${to}/${fileId}`, { path, bytes, sha256 });
      } catch (error) {
        if (!(error instanceof AppError && error.code === "file_not_found")) throw error;
      } finally {
        await rm(path, { force: true });
      }
    },
    async remove(fileId, ownerId) {
      await files.remove(`${ownerId}/${fileId}`);
    },
  };
}
