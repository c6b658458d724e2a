import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Graph } from "../contract/graph.ts";
import { type ChildService, startChild } from "../test/chaos/child-service.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { alternate } from "./alternate.ts";
import { INPUT } from "./bench.ts";
import { chain, httpChain } from "./graphs.ts";
import { signIn } from "./service-client.ts";

const KEYS = { JWT_SECRET: "the same in all processes of a bench", ENCRYPTION_KEY: "ab".repeat(32) };

interface Contestant {
  name: string;
  processes: ChildService[];
  /** Of the database server. */
  serverPid: number | undefined;
  close(): Promise<void>;
}

/**
 * The same calls on the embedded database, on PostgreSQL in one process, and with one API and two worker processes, in
 * turn. What only computes is done by the process that accepts it; calls to others are handed over to the workers.
 */
export async function measurePostgres(seconds: number, outside: string): Promise<void> {
  const contestants = [
    await embedded(),
    await onPostgres("PostgreSQL, one process", ["all"]),
    await onPostgres("PostgreSQL, 1 API + 2 workers", ["api", "worker", "worker"]),
  ];
  try {
    await compare(contestants, "three transforms", chain(3), seconds);
    await compare(contestants, "three http steps", httpChain(outside), seconds);
  } finally {
    for (const { close } of contestants) await close();
  }
}

async function compare(
  contestants: readonly Contestant[],
  what: string,
  graph: Graph,
  seconds: number,
): Promise<void> {
  const figures = await alternate(
    await Promise.all(
      contestants.map(async ({ processes, serverPid }) => {
        const [first] = processes;
        const client = await signIn(first!.address);
        const id = await client.publish(what, graph, true);
        return {
          url: `${first!.address}/api/workflows/public/${id}`,
          processes: () => [
            ...processes.map(({ pid }) => pid),
            ...(serverPid === undefined ? [] : familyOf(serverPid)),
          ],
          connections: 50,
          seconds: seconds * 3,
          headers: client.apiKey,
          body: INPUT,
        };
      }),
    ),
  );
  const [base] = figures;
  console.log(
    `\n| synchronous call, ${what}, 50 callers | calls/s | of the embedded | p50 ms | p99 ms | CPU ms a call, the database server's included |\n|---|---|---|---|---|---|`,
  );
  for (const [index, { name }] of contestants.entries()) {
    const { perSecond, p50, p99, cpuMs, failures } = figures[index]!;
    console.log(
      `| ${name}${failures > 0 ? ` (${failures} failed)` : ""} | ${perSecond.toFixed(0)} | ${(perSecond / base!.perSecond).toFixed(2)} | ${p50} | ${p99} | ${cpuMs.toFixed(3)} (${(cpuMs / base!.cpuMs).toFixed(2)} ×) |`,
    );
  }
}

async function embedded(): Promise<Contestant> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
  return {
    name: "embedded",
    processes: [service],
    serverPid: undefined,
    async close() {
      await service.end("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function onPostgres(name: string, roles: readonly string[]): Promise<Contestant> {
  const server = await startPostgres({ durable: true, settings: { shared_buffers: "256MB" } });
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const processes: ChildService[] = [];
  for (const role of roles)
    processes.push(
      await startChild({
        ...KEYS,
        DATA_DIR: dataDir,
        DATABASE_URL: server.url,
        ROLE: role,
        LOG_LEVEL: "info",
      }),
    );
  return {
    name,
    processes,
    serverPid: server.pid,
    async close() {
      for (const each of processes) await each.end("SIGKILL");
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL server is a process for each connection. */
function familyOf(parent: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === parent);
  return [parent, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
