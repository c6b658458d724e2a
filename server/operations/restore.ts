import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { syncFolder } from "../storage/files/durable-file.ts";
import { lockFolder } from "../storage/sqlite/folder-lock.ts";
import { writeLockout, removeLockout } from "../storage/sqlite/folder-lockout.ts";
import { copyDurably, fingerprintOf, syncFolders } from "./copy-file.ts";
import { isEmptyFolder } from "./data-folder.ts";
import { type BackedUpFile, damaged, type Manifest, readManifest } from "./manifest.ts";

export interface RestoreOptions {
  backup: string;
  /** Created if missing; must be empty. */
  dataDir: string;
  /** The newest schema that this version supports. */
  knownSchema: number;
  log(line: string): void;
}

/** Verifies everything before it writes, and locks the folder against a start until the restore is complete. */
export async function restore({ backup, dataDir, knownSchema, log }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(backup);
  checkVersion(manifest, knownSchema);
  await checkTarget(dataDir);
  log(`checking ${manifest.files.length} files …`);
  for (const file of manifest.files) await checkFile(backup, file);

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chmod(dataDir, 0o700);
  const unlock = lockFolder(dataDir);
  try {
    writeLockout(
      dataDir,
      `A restore of ${backup} into this folder is incomplete. Empty the folder and restore again.`,
    );
    log("copying …");
    for (const file of manifest.files) {
      const copied = await copyDurably(join(backup, file.path), join(dataDir, file.path));
      if (copied.sha256 !== file.sha256) throw changed(file.path);
    }
    await syncFolders(dataDir, manifest.files);
    removeLockout(dataDir);
    await syncFolder(dataDir);
  } catch (error) {
    unlock();
    await empty(dataDir);
    throw error;
  }
  unlock();
  return manifest;
}

function checkVersion({ schemaVersion, programVersion }: Manifest, knownSchema: number): void {
  if (schemaVersion <= knownSchema) return;
  throw new AppError(
    "schema_too_new",
    `The backup was made by Baton ${programVersion} with schema version ${schemaVersion}; this version supports up to ${knownSchema}. Restore it with the newer version.`,
  );
}

async function checkTarget(dataDir: string): Promise<void> {
  // A running service is the better reason than a folder that is not empty, so it is checked first.
  if (existsSync(join(dataDir, "lock.sqlite"))) lockFolder(dataDir)();
  if (!(await isEmptyFolder(dataDir)))
    throw new AppError(
      "data_folder_not_empty",
      `${dataDir} is not empty, and a restore never overwrites. Use another folder with --data-dir, or move this one away.`,
    );
}

async function checkFile(backup: string, { path, bytes, sha256 }: BackedUpFile): Promise<void> {
  const found = await fingerprintOf(join(backup, path)).catch((cause: unknown) => {
    throw damaged(
      `The backup is damaged: ${path} is missing or cannot be read. Nothing was restored.`,
      cause,
    );
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw damaged(
      `The backup is damaged: ${path} has changed since the backup was made. Nothing was restored.`,
    );
}

function changed(path: string): AppError {
  return damaged(`${path} changed during the restore. Nothing was kept; try again.`);
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== "lost+found") await rm(join(folder, name), { recursive: true, force: true });
}
