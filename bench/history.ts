import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE } from "../server/storage/sqlite/sqlite-db.ts";
import { startChild } from "../test/chaos/child-service.ts";
import { alternate } from "./alternate.ts";
import { type Bench, INPUT } from "./bench.ts";
import { chain } from "./graphs.ts";
import { signIn } from "./service-client.ts";

export const HISTORY = 1_000_000;

/** Measures the service on a large database, in turn with one on an empty database. */
export async function measureHistory(full: Bench): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-empty-"));
  const service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
  try {
    const empty: Bench = { ...full, dataDir, service, client: await signIn(service.address) };
    const [before, after] = await alternate(
      await Promise.all([empty, full].map(async (bench) => ({ ...(await syncCall(bench)), seconds: 9 }))),
    );
    const size = (statSync(join(full.dataDir, DATABASE_FILE)).size / 2 ** 30).toFixed(1);
    console.log(`\n| With ${HISTORY.toLocaleString("en")} finished tasks (${size} GB) | Figure |\n|---|---|`);
    console.log(`| start to the first \`/ready\` | ${Math.round(full.service.readyMs)} ms |`);
    console.log(
      `| synchronous call, 50 callers | ${after!.perSecond.toFixed(0)}/s, ${percent(after!.perSecond, before!.perSecond)} of an empty database measured in turn, ${after!.cpuMs.toFixed(3)} CPU ms per call (${before!.cpuMs.toFixed(3)} empty) |`,
    );
  } finally {
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
  await measureLists(full);
}

async function syncCall({ client, service, seconds }: Bench) {
  const id = await client.publish("three in turn", chain(3), true);
  return {
    url: `${service.address}/api/workflows/public/${id}`,
    processes: () => [service.pid],
    connections: 50,
    seconds,
    headers: client.apiKey,
    body: INPUT,
  };
}

async function measureLists({ client }: Bench): Promise<void> {
  const { tasks, nextCursor } = await client.get("/api/tasks?limit=200");
  for (const [name, path] of [
    ["`GET /api/tasks`", "/api/tasks"],
    ["the same, `?limit=200` on a later page", `/api/tasks?limit=200&cursor=${nextCursor}`],
    ["`?status=failed`", "/api/tasks?status=failed"],
    ["`?workflowId=`", `/api/tasks?workflowId=${tasks[0].workflowId}`],
    ["`?status=cancelled` (none)", "/api/tasks?status=cancelled"],
  ] as const) {
    const times: number[] = [];
    for (let call = 0; call < 200; call++) {
      const began = performance.now();
      await client.get(path);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    console.log(`| ${name}, p50 / p95 | ${times[100]!.toFixed(1)} / ${times[190]!.toFixed(1)} ms |`);
  }
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(0)} %`;
}
