import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";

const LOCKOUT_FILE = "NOT-IN-USE.txt";

/** Marks a data folder as not in use, with the reason. A service started on it by mistake fails with that reason. */
export function writeLockout(folder: string, reason: string): void {
  writeFileSync(join(folder, LOCKOUT_FILE), `${reason}\n`, { mode: 0o600, flush: true });
}

export function removeLockout(folder: string): void {
  rmSync(join(folder, LOCKOUT_FILE), { force: true });
}

/** Throws the recorded reason when the folder is locked out. */
export function assertNotLockedOut(folder: string): void {
  const path = join(folder, LOCKOUT_FILE);
  let reason: string;
  try {
    reason = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  throw new AppError("data_folder_not_in_use", `${reason} (To use the folder anyway, delete ${path}.)`);
}
