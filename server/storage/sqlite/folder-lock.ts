import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { asAccessFault, createFolder, createPrivateFile } from "../private-folder.ts";
import { openConnection } from "./connection.ts";

/**
 * Two processes on one data folder would both claim every running task. The lock is an open exclusive SQLite
 * transaction: the kernel releases it when the process dies, so no stale lock is left to clean up.
 */
export function lockFolder(folder: string): () => void {
  createFolder(folder);
  const ownerFile = join(folder, "lock.pid");
  const lockFile = join(folder, "lock.sqlite");
  try {
    createPrivateFile(lockFile);
    for (const path of [folder, lockFile]) accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw asAccessFault(error, folder);
  }
  const connection = openConnection(lockFile);
  try {
    connection.exec("pragma busy_timeout = 0; begin exclusive");
  } catch (cause) {
    connection.close();
    throw new AppError(
      "data_folder_in_use",
      `The data folder ${folder} is in use by another Baton process${ownerOf(ownerFile)}. Stop that process, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  writeFileSync(ownerFile, String(process.pid), { mode: 0o600 });
  return () => connection.close();
}

function ownerOf(ownerFile: string): string {
  try {
    return ` (process ${readFileSync(ownerFile, "utf8")})`;
  } catch {
    return "";
  }
}
