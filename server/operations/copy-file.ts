import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "../storage/files/durable-file.ts";

export interface Fingerprint {
  bytes: number;
  sha256: string;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Copies a file with mode 0600, durable when it resolves, and returns its hash. */
export async function copyDurably(from: string, to: string): Promise<Fingerprint> {
  // Opened first, so that a missing source leaves nothing behind.
  const source = await openSource(from);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const target = await open(to, "wx", 0o600);
  try {
    const fingerprint = await readHashed(source, (chunk) => target.writeFile(chunk));
    await target.sync();
    return fingerprint;
  } finally {
    await target.close();
  }
}

export async function fingerprintOf(path: string): Promise<Fingerprint> {
  return readHashed(await openSource(path), () => Promise.resolve());
}

/** A new file name survives a crash only after its folder is synced; call once all files are copied. */
export async function syncFolders(root: string, files: readonly { path: string }[]): Promise<void> {
  const folders = new Set([""]);
  for (const { path } of files)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      folders.add(path.slice(0, at));
  for (const folder of folders) await syncFolder(join(root, folder));
}

function openSource(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | NO_FOLLOW);
}

async function readHashed(source: FileHandle, take: (chunk: Buffer) => Promise<void>): Promise<Fingerprint> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    source.createReadStream({ highWaterMark: 1024 * 1024 }),
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        take(chunk).then(() => done(), done);
      },
    }),
  );
  return { bytes, sha256: hash.digest("hex") };
}
