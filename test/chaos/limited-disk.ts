import { spawnSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { temporaryData } from "./service.ts";

export interface LimitedDisk {
  dataDir: string;
  /** Fills the disk. */
  fill(pid: number): void;
  free(pid: number): void;
}

const BYTES = 32 * 1024 * 1024;

/**
 * A folder whose disk can be filled: its own small file system where mounting is allowed, else a limit on how large
 * the files of the process may grow, which every user can set.
 */
export function useLimitedDisk(): LimitedDisk {
  const dataDir = temporaryData();
  const mounted = shell(`mount -t tmpfs -o size=${BYTES} tmpfs ${dataDir}`);
  if (mounted) {
    onTestFinished(() => void shell(`umount -l ${dataDir}`));
    const ballast = join(dataDir, "ballast");
    return {
      dataDir,
      fill() {
        // In halving sizes, until no page is free.
        for (let size = BYTES; size >= 512; size = Math.floor(size / 2)) {
          while (shell(`head -c ${size} /dev/zero >> ${ballast}`));
        }
      },
      free: () => rmSync(ballast),
    };
  }
  const limit = (pid: number, bytes: string): void => void shell(`prlimit --pid ${pid} --fsize=${bytes}:`);
  return {
    dataDir,
    fill: (pid) => limit(pid, String(statSync(join(dataDir, `${DATABASE_FILE}-wal`)).size)),
    free: (pid) => limit(pid, "unlimited"),
  };
}

function shell(command: string): boolean {
  return spawnSync("sh", ["-c", command]).status === 0;
}
