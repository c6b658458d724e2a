import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";

export interface OwnPostgres extends PostgresServer {
  /** SIGKILL to all of its processes: the next start recovers from the log. */
  killAll(): Promise<void>;
}

/** A server with fsync on that may be killed. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const server = await startPostgres({ durable: true });
  return {
    ...server,
    async killAll() {
      const first = server.pid;
      // Suspended first, so that none is forked between the count and the kill.
      process.kill(first, "SIGSTOP");
      const all = processes().filter(({ pid, parent }) => pid === first || parent === first);
      for (const { pid } of all) end(pid);
      const pids = new Set(all.map(({ pid }) => pid));
      while (processes().some(({ pid }) => pids.has(pid)))
        await new Promise((resolve) => setTimeout(resolve, 10));
      // Without an init process, the pid of a zombie looks as if it were in use.
      rmSync(join(server.folder, "data", "postmaster.pid"), { force: true });
    },
  };
}

/** Running processes, without zombies. */
function processes(): { pid: number; parent: number }[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had ended already.
  }
}
