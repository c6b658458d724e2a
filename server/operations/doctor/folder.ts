import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, open, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../lib/errors.ts";
import { ok, type Outcome, problem, warn } from "./finding.ts";

const MIB = 1024 * 1024;
const NEEDED_MIB = 200;
const ENOUGH_MIB = 2048;
const SLOW_SYNC_MS = 50;
const MAX_SKEW_MS = 2000;
/** Types of statfs(2): NFS, SMB, CIFS, SMB2. SQLite needs locks that they do not keep. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

export async function checkDisk(dataDir: string): Promise<Outcome> {
  const folder = await existingFolder(dataDir);
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const freeMib = Math.round((bavail * bsize) / MIB);
  const message = `${freeMib} MB free in ${folder}`;
  const action = "Free space, move DATA_DIR to a larger disk, or set RETENTION_DAYS.";
  if (freeMib < NEEDED_MIB) return problem(message, action);
  if (files > 0 && ffree < 1000)
    return problem(`${ffree} files can be created in ${folder} (inodes).`, action);
  return freeMib < ENOUGH_MIB ? warn(message, action) : ok(message);
}

/** Writes and syncs a file as the database does. A folder that does not exist yet is created by the start. */
export async function checkFolder(dataDir: string): Promise<Outcome> {
  const folder = await existingFolder(dataDir);
  const action = `Give the user that runs Baton write access to ${folder}, or set DATA_DIR to another folder.`;
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    if (folder !== dataDir) return ok(`${dataDir} does not exist yet and is created at the first start`);
    const { type } = await statfs(folder);
    if (NETWORK_FILE_SYSTEMS.has(type))
      return problem(
        `${dataDir} is on a network file system, where SQLite can lose data.`,
        "Set DATA_DIR to a local disk, or use PostgreSQL (DATABASE_URL) and a bucket (S3_*).",
      );
    const ms = await withProbe(folder, syncTime);
    const message = `${dataDir} is writable, a sync takes ${ms.toFixed(1)} ms`;
    if (ms <= SLOW_SYNC_MS) return ok(message);
    return warn(message, "Every call waits for a sync. Use a faster disk for DATA_DIR.");
  } catch (error) {
    return problem(`${folder} is not writable: ${messageOf(error)}.`, action);
  }
}

/** The file system of another machine has another clock. */
export async function checkClock(dataDir: string, now: () => number): Promise<Outcome> {
  const folder = await existingFolder(dataDir);
  if (folder !== dataDir) return ok(new Date(now()).toISOString());
  const skew = await withProbe(folder, async (file, path) => {
    await file.write("x");
    return (await stat(path)).mtimeMs - now();
  });
  return describeSkew(skew, "the file system of DATA_DIR", now());
}

export function describeSkew(skewMs: number, other: string, now: number): Outcome {
  const time = new Date(now).toISOString();
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok(`${time}, within ${MAX_SKEW_MS / 1000} s of ${other}`);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return warn(
    `${time} is ${seconds} s ${skewMs > 0 ? "behind" : "ahead of"} ${other}.`,
    "Synchronize the clocks (NTP): schedules, login codes and signatures depend on them.",
  );
}

async function syncTime(file: ProbeFile): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    await file.write(randomBytes(4096));
    const startedAt = performance.now();
    await file.datasync();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[2]!;
}

type ProbeFile = Awaited<ReturnType<typeof open>>;

async function withProbe<T>(folder: string, use: (file: ProbeFile, path: string) => Promise<T>): Promise<T> {
  const path = join(folder, `.doctor-${randomBytes(6).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  try {
    return await use(file, path);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** The folder, or the nearest one above it that exists. */
async function existingFolder(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats === undefined && dirname(folder) !== folder) return existingFolder(dirname(folder));
  if (stats?.isDirectory() === true) return folder;
  throw new Error(`${folder} is not a folder. Set DATA_DIR to another one.`);
}
