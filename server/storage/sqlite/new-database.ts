import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { asDiskFault } from "../../lib/disk-fault.ts";
import { asAccessFault, createPrivateFile, FILE_MODE } from "../private-folder.ts";

/**
 * Creates the file of a new database as a copy of the template, in which all migrations are applied: that takes a
 * fraction of the time of creating every table. Without a template the file is empty.
 */
export function createDatabaseFile(path: string, template: URL | undefined): void {
  if (existsSync(path)) return;
  // SQLite ignores the WAL of a deleted database next to an empty file, but would apply it to this one.
  const isUsable = template !== undefined && existsSync(template) && !existsSync(`${path}-wal`);
  if (!isUsable) return createPrivateFile(path);
  const unfinished = `${path}.new`;
  try {
    writeFileSync(unfinished, readFileSync(template), { mode: FILE_MODE, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    // Such as a file that an interrupted first start as another user has left.
    throw asDiskFault(asAccessFault(error, path));
  }
}
