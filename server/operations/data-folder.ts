import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Made by the service when the operator set none; see key-files.ts. */
export const KEY_FILES = ["jwt-secret", "encryption-key"];

/** Where files stand; see FileStores. */
export const FILE_AREAS = ["blobs", "documents", "files"];

/** What is only on its way: uploads that are being received, and files that are being written. */
const ON_THE_WAY = new Set(["incoming", ".unfinished"]);

/** Every real file of the areas, as a path with slashes from the data folder. Links are nobody's files. */
export async function* walkFileAreas(dataDir: string): AsyncGenerator<string> {
  for (const area of FILE_AREAS) yield* walk(dataDir, area, ON_THE_WAY);
}

async function* walk(dataDir: string, path: string, skipped?: ReadonlySet<string>): AsyncGenerator<string> {
  const entries = await readdir(join(dataDir, path), { withFileTypes: true }).catch(unlessGone);
  for (const entry of entries) {
    if (skipped?.has(entry.name)) continue;
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(dataDir, below);
    else if (entry.isFile()) yield below;
  }
}

/** The service goes on meanwhile: what it removed is no fault. */
export function unlessGone(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
  throw error;
}

/** A folder that is fresh from the disk may hold the file system's own. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats === undefined) return true;
  const names = await readdir(folder);
  return names.every((name) => name === "lost+found");
}
