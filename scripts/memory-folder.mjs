import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "baton-tests-";
/** The tests use part of it, and the memory of the machine serves the programs too. */
const FREE_BYTES = 8 * 2 ** 30;

/**
 * A folder for the temporary files of this process, removed when it exits. Thousands of databases wait for the disk at
 * every commit; on a busy disk the tests then take twice as long. Undefined where the system has no such memory to spare.
 */
export function createMemoryFolder() {
  return isUsable() ? createFolderIn(MEMORY) : undefined;
}

export function createFolderIn(parent) {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : NaN;
    // A run that was killed could not remove its folder. A PostgreSQL server whose folder is gone ends by itself.
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Large enough, and programs may be started from it. */
function isUsable() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .findLast((line) => line.split(" ")[1] === MEMORY);
    return bavail * bsize >= FREE_BYTES && mount !== undefined && !/[ ,](?:noexec|ro)[ ,]/.test(mount);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
