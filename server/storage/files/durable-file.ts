import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

// Windows has neither flag; there the look at the entry beforehand is what holds.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a pipe that somebody put there would wait for its other end for ever.
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const OWNER_ONLY = 0o600;

export async function withFile<T>(
  path: string,
  flags: number,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await open(path, flags | NO_FOLLOW | NO_WAIT, OWNER_ONLY);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Whole or not at all, and on the disk when it resolves: beside first, then renamed into place. */
export async function writeDurably(
  path: string,
  content: Uint8Array | Readable,
  temporaryFolder: string,
): Promise<void> {
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const temporary = join(temporaryFolder, randomUUID());
  try {
    await withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (handle) => {
      if (content instanceof Uint8Array) await handle.writeFile(content);
      else for await (const chunk of content as AsyncIterable<Buffer>) await handle.writeFile(chunk);
      await handle.sync();
    });
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** A new name is on the disk only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
