import autocannon from "autocannon";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Graph } from "../contract/graph.ts";
import { type ChildService, startChild } from "../test/chaos/child-service.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { alternate } from "./alternate.ts";
import { INPUT } from "./bench.ts";
import { chain, httpChain } from "./graphs.ts";
import type { Measurement } from "./measure.ts";
import { signIn } from "./service-client.ts";

/** Calls before each measurement: until then V8 still compiles, which takes slow deployments a larger part of their slices. */
const WARM_UP_CALLS = 8000;
const CALLERS = 50;

const KEYS = {
  JWT_SECRET: "shared by all processes of a bench",
  ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
};

export interface Deployment {
  name: string;
  processes: ChildService[];
  /** The database server. */
  serverPid: number | undefined;
  close(): Promise<void>;
}

/** The processes of the service and of the database server, whose connections come and go. */
export function processesOf({ processes, serverPid }: Deployment): number[] {
  return [...processes.map(({ pid }) => pid), ...(serverPid === undefined ? [] : processTreeOf(serverPid))];
}

/**
 * Measures the same calls in turn on the embedded database, on PostgreSQL with one process, and with one API and two
 * worker processes. A task of pure steps runs in the process that accepts it; one with `http` steps goes to a worker.
 */
export async function measurePostgres(seconds: number, echoUrl: string): Promise<void> {
  const deployments = [
    await embedded(),
    await onPostgres("PostgreSQL, one process", ["all"]),
    await onPostgres("PostgreSQL, 1 API + 2 workers", ["api", "worker", "worker"]),
  ];
  try {
    await compare(deployments, "three transforms", chain(3), seconds);
    await compare(deployments, "three http steps", httpChain(echoUrl), seconds);
  } finally {
    for (const { close } of deployments) await close();
  }
}

async function compare(
  deployments: readonly Deployment[],
  name: string,
  graph: Graph,
  seconds: number,
): Promise<void> {
  const measurements: Measurement[] = [];
  for (const deployment of deployments) {
    const [first] = deployment.processes;
    const client = await signIn(first!.address);
    const url = `${first!.address}/api/workflows/public/${await client.publish(name, graph, true)}`;
    await autocannon({
      url,
      method: "POST",
      headers: { "content-type": "application/json", ...client.apiKey },
      body: JSON.stringify(INPUT),
      connections: CALLERS,
      amount: WARM_UP_CALLS,
    });
    measurements.push({
      url,
      processes: () => processesOf(deployment),
      connections: CALLERS,
      seconds: seconds * 3,
      headers: client.apiKey,
      body: INPUT,
    });
  }
  const figures = await alternate(measurements);
  const [base] = figures;
  console.log(
    `\n| synchronous call, ${name}, 50 callers | calls/s | of the embedded | p50 ms | p99 ms | CPU ms per call, database server included |\n|---|---|---|---|---|---|`,
  );
  for (const [index, deployment] of deployments.entries()) {
    const { perSecond, p50, p99, cpuMs, failures } = figures[index]!;
    console.log(
      `| ${deployment.name}${failures > 0 ? ` (${failures} failed)` : ""} | ${perSecond.toFixed(0)} | ${(perSecond / base!.perSecond).toFixed(2)} | ${p50} | ${p99} | ${cpuMs.toFixed(3)} (${(cpuMs / base!.cpuMs).toFixed(2)} ×) |`,
    );
  }
}

/** Of another checkout with `folder`, which has its own build. */
export async function embedded(folder?: string): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" }, [], folder);
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

export async function onPostgres(
  name: string,
  roles: readonly string[],
  folder?: string,
): Promise<Deployment> {
  const server = await startPostgres({ durable: true, settings: { shared_buffers: "256MB" } });
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const processes: ChildService[] = [];
  for (const role of roles) processes.push(await startRole(role, dataDir, server.url, folder));
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

export function startRole(
  role: string,
  dataDir: string,
  databaseUrl: string,
  folder?: string,
): Promise<ChildService> {
  const settings = {
    ...KEYS,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ROLE: role,
    LOG_LEVEL: "info",
  };
  return startChild(settings, [], folder);
}

/** PostgreSQL starts a process per connection. */
export function processTreeOf(parent: number): number[] {
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
