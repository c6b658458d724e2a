import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { startPostgres } from "../../test/support/postgres-server.ts";
import type { ChildService } from "../../test/chaos/child-service.ts";
import { INPUT } from "../bench.ts";
import { startEcho } from "../echoes.ts";
import { chain, httpChain, subWorkflows } from "../graphs.ts";
import { cpuMs } from "../process-cost.ts";
import { processTreeOf, startRole } from "../postgres.ts";
import { signIn } from "../service-client.ts";
import { openCounters } from "./counters.ts";

const CALLERS = 50;

/**
 * `npm run bench:postgres-costs [-- --calls 2000 --roles all --roles api,worker,worker --statements]`: what a call costs
 * the database server. Counts statements, transactions, row versions, WAL and notifications, which do not depend on the
 * load of the machine. Full page images are off: how many there are depends on the checkpoints.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: "string", default: "2000" },
      roles: { type: "string", multiple: true, default: ["all", "api,worker,worker"] },
      /** Also lists the statements of each call. */
      statements: { type: "boolean", default: false },
    },
  });
  const echo = await startEcho("node");
  console.log(
    `load ${loadavg()[0]!.toFixed(2)}\n\n| call, ${CALLERS} callers or children | processes | transactions | statements | notifications | task: inserted, updated (of it HOT) | journal rows | WAL bytes | CPU ms: service + server |\n|---|---|---|---|---|---|---|---|---|`,
  );
  try {
    for (const roles of values.roles)
      await measureCosts(roles.split(","), Number(values.calls), echo.address, values.statements);
  } finally {
    echo.stop();
  }
}

async function measureCosts(
  roles: readonly string[],
  calls: number,
  echoUrl: string,
  listStatements: boolean,
): Promise<void> {
  const server = await startPostgres({
    durable: true,
    settings: {
      shared_buffers: "256MB",
      full_page_writes: "off",
      max_connections: "400",
      shared_preload_libraries: "pg_stat_statements",
    },
  });
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const processes: ChildService[] = [];
  const counters = await openCounters(server.url);
  try {
    for (const role of roles) processes.push(await startRole(role, dataDir, server.url));
    const client = await signIn(processes[0]!.address);
    const child = await client.publish("child", httpChain(echoUrl), true);
    const workloads: [string, string, number][] = [
      ["three transforms", await client.publish("three", chain(3), true), 1],
      ["three http steps", await client.publish("http", httpChain(echoUrl), true), 1],
      ["loop of 10 sub-workflows", await client.publish("loop", subWorkflows(child, 10), true), 10],
    ];
    for (const [name, id, tasksPerCall] of workloads) {
      const load = (amount: number) =>
        autocannon({
          url: `${processes[0]!.address}/api/workflows/public/${id}`,
          method: "POST",
          connections: CALLERS / tasksPerCall,
          amount,
          timeout: 60,
          headers: { "content-type": "application/json", ...client.apiKey },
          body: JSON.stringify(INPUT),
        });
      const amount = Math.ceil(calls / tasksPerCall);
      await load(Math.ceil(amount / 4));
      const [pids, serverPids] = [processes.map(({ pid }) => pid), () => processTreeOf(server.pid)];
      const cpuBefore = [cpuMs(pids), cpuMs(serverPids())] as const;
      const before = await counters.read();
      const { "2xx": done, non2xx, errors } = await load(amount);
      const after = await counters.read();
      const cpu = [cpuMs(pids) - cpuBefore[0], cpuMs(serverPids()) - cpuBefore[1]] as const;
      const per = (key: keyof typeof after.totals, digits = 2): string =>
        ((after.totals[key] - before.totals[key]) / done).toFixed(digits);
      const failed = non2xx + errors;
      console.log(
        `| ${name}${failed > 0 ? ` (${failed} failed)` : ""} | ${roles.join(" + ")} | ${per("transactions")} | ${per("statements", 1)} | ${per("notifications")} | ${per("taskInserts", 1)}, ${per("taskUpdates", 1)} (${per("taskHotUpdates", 1)}) | ${per("journalInserts", 1)} | ${per("walBytes", 0)} | ${(cpu[0] / done).toFixed(2)} + ${(cpu[1] / done).toFixed(2)} |`,
      );
      if (listStatements) for (const line of counters.difference(before, after, done)) console.log(line);
    }
  } finally {
    await counters.close();
    for (const each of processes) await each.end("SIGKILL");
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
