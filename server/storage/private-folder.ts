import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";

const FOLDER_MODE = 0o700;
/** Only for the user that runs the service. */
export const FILE_MODE = 0o600;
const FOR_OTHERS = 0o077;

/**
 * Takes the data folder, its databases and its keys away from other users of the machine, also those that an earlier
 * version or a backup tool created readable. A folder that belongs to another user, such as a mounted volume, is reported.
 */
export function makePrivate(folder: string, onProblem: (message: string) => void): void {
  createFolder(folder);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));
  try {
    if (isOpen(folder)) chmodSync(folder, FOLDER_MODE);
    for (const file of files) if (isOpen(file)) chmodSync(file, FILE_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Meanwhile removed by another process that shares the folder.
    if (code === "ENOENT") return;
    onProblem(`other users of this machine can read ${folder}, and its mode cannot be changed (${code})`);
  }
}

export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw asAccessFault(error, folder);
  }
}

const ACCESS_CODES = new Set(["EACCES", "EPERM", "EROFS", "EISDIR", "ENOTDIR", "EEXIST"]);

/** Any other error is returned unchanged. */
export function asAccessFault(error: unknown, folder: string): unknown {
  const { code = "", path = folder } = error as NodeJS.ErrnoException;
  if (!ACCESS_CODES.has(code)) return error;
  return new AppError(
    "database_unreadable",
    `${path} cannot be written (${code}). Start Baton as the user that owns it, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}

/** SQLite creates files that everyone can read; its WAL has the mode of the database. */
export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", FILE_MODE));
}

/** Windows has no modes. */
function isOpen(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & FOR_OTHERS) !== 0;
}
