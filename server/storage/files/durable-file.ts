import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

// Windows has neither flag; there the lstat before opening is the only guard.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a named pipe would block until its other end is opened.
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

/** Atomic and durable when it resolves: written to a temporary file, synced, then renamed into place. */
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

/** A new file name survives a crash only after its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
