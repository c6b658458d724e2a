import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DATABASE_FILE } from "../server/storage/sqlite/sqlite-db.ts";
import { startChild, type ChildService } from "../test/chaos/child-service.ts";
import type { EchoKind } from "./echo-server.ts";
import { approval, chain, fanOut, foreach, httpChain } from "./graphs.ts";
import { writeHistory } from "./history-file.ts";
import { type Figure, measure } from "./measure.ts";
import { cpuMs, peakMb, residentMb } from "./process-cost.ts";
import { type ServiceClient, signIn } from "./service-client.ts";

interface Bench {
  seconds: number;
  dataDir: string;
  service: ChildService;
  client: ServiceClient;
  /** Calls a second of the bare Fastify echo: what ratios are taken of. */
  floor: number;
}

const INPUT = { input: { name: "Ada" } };
const WAITING = 10_000;
const HISTORY = 1_000_000;

/** `npm run bench [-- --seconds 5 --history]`: figures and ratios of one run, as one Markdown table each. */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: "string", default: "5" }, history: { type: "boolean", default: false } },
  });
  const seconds = Number(values.seconds);
  const [cpu] = cpus();
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${new Date().toISOString()}, load before ${loadavg()[0]!.toFixed(2)}\n`,
  );
  console.log(
    "| call | callers | calls/s | of the Fastify echo | p50 ms | p99 ms | CPU ms a call |\n|---|---|---|---|---|---|---|",
  );
  const echoes = await measureEchoes(seconds);
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  let service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
  try {
    await sleep(1500);
    const rest = { startMs: service.readyMs, restMb: residentMb(service.pid) };
    let bench: Bench = {
      seconds,
      dataDir,
      service,
      client: await signIn(service.address),
      floor: echoes.fastify,
    };
    const sync = await measureCalls(bench, echoes.outside.address);
    const sizes = await measureSizes(bench);
    const loadedMb = residentMb(service.pid);
    await fillWithApprovals(bench);
    const stopped = performance.now();
    await service.end("SIGTERM");
    const stopMs = performance.now() - stopped;
    service = await startChild({ DATA_DIR: dataDir });
    await sleep(1500);
    console.log("\n| what | figure |\n|---|---|");
    const rows: [string, string][] = [
      ["start to the first `/ready`", `${Math.round(rest.startMs)} ms`],
      ["resident at rest", `${rest.restMb.toFixed(0)} MB`],
      ["resident after the calls above", `${loadedMb.toFixed(0)} MB`],
      [`stop with SIGTERM, ${WAITING} approvals waiting`, `${Math.round(stopMs)} ms`],
      [`start with ${WAITING} approvals waiting`, `${Math.round(service.readyMs)} ms`],
      [`resident at rest with ${WAITING} approvals waiting`, `${residentMb(service.pid).toFixed(0)} MB`],
      ...sizes,
    ];
    for (const [name, figure] of rows) console.log(`| ${name} | ${figure} |`);
    if (values.history) {
      await service.end("SIGTERM");
      writeHistory(dataDir, HISTORY);
      service = await startChild({ DATA_DIR: dataDir });
      bench = { ...bench, service, client: await signIn(service.address) };
      await measureHistory(bench, sync);
    }
  } finally {
    await service.end("SIGKILL");
    echoes.outside.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`\nLoad after: ${loadavg()[0]!.toFixed(2)}`);
}

async function measureEchoes(seconds: number) {
  const [node, fastify] = [await startEcho("node"), await startEcho("fastify")];
  const bare = await measure({ url: node.address, pid: node.pid, connections: 50, seconds, body: INPUT });
  const floor = await measure({
    url: fastify.address,
    pid: fastify.pid,
    connections: 50,
    seconds,
    body: INPUT,
  });
  fastify.end();
  print("bare Node echo", 50, bare, floor.perSecond);
  print("bare Fastify echo", 50, floor, floor.perSecond);
  return { fastify: floor.perSecond, outside: node };
}

async function measureCalls({ service, client, seconds, floor }: Bench, outside: string): Promise<Figure> {
  const at = (id: string) => ({
    url: `${service.address}/api/workflows/public/${id}`,
    pid: service.pid,
    seconds,
    headers: client.apiKey,
    body: INPUT,
  });
  const three = await client.publish("three", chain(3), true);
  const figures: Figure[] = [];
  // The first thousands of calls are compiled and not yet optimised: they are nobody's figure.
  await measure({ ...at(three), connections: 50, seconds: 2 });
  for (const connections of [1, 10, 50]) {
    const figure = await measure({ ...at(three), connections });
    figures.push(figure);
    print("synchronous call, three transforms", connections, figure, floor);
  }
  const accepting = await client.publish("accept", chain(3), false);
  print(
    "asynchronous accept (its three steps run beside)",
    50,
    await measure({ ...at(accepting), connections: 50 }),
    floor,
  );
  await untilIdle(client);
  const { webhook } = await client.post("/api/webhooks", {
    name: "bench",
    source: "bench",
    workflowId: accepting,
  });
  const hook = {
    url: `${service.address}/webhook/bench`,
    pid: service.pid,
    seconds,
    headers: { "x-webhook-secret": webhook.secret as string },
    body: INPUT.input,
  };
  print("webhook accept (kept as a delivery, too)", 50, await measure({ ...hook, connections: 50 }), floor);
  await untilIdle(client);
  const http = await client.publish("http", httpChain(outside), true);
  print("synchronous call, three http steps", 50, await measure({ ...at(http), connections: 50 }), floor);
  return figures[2]!;
}

/** Large graphs: what a step costs, and that memory does not grow with the steps that are done. */
async function measureSizes({ service, client }: Bench): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  const cases: [string, object, object, number][] = [
    ["100-way fan-out and join", fanOut(100), INPUT, 102],
    [
      "foreach over 10,000 items",
      foreach(),
      { input: { items: Array.from({ length: 10_000 }, (_, index) => index) } },
      10_000,
    ],
    ["chain of 1,000 steps", chain(1000), INPUT, 1000],
  ];
  for (const [name, graph, body, steps] of cases) {
    const id = await client.publish(name, graph, true);
    const [cpuBefore, began] = [cpuMs(service.pid), performance.now()];
    const { taskId } = await client.post(`/api/workflows/${id}/run?wait=true`, body);
    const tookMs = performance.now() - began;
    const cpu = cpuMs(service.pid) - cpuBefore;
    const { task } = await client.get(`/api/tasks/${taskId}`);
    if (task.status !== "completed") throw new Error(`${name} ended ${task.status}`);
    rows.push([
      name,
      `${Math.round(tookMs)} ms, ${(cpu / steps).toFixed(2)} CPU ms a step, resident ${residentMb(service.pid).toFixed(0)} MB, peak ${peakMb(service.pid).toFixed(0)} MB`,
    ]);
  }
  return rows;
}

async function fillWithApprovals({ service, client }: Bench): Promise<void> {
  const id = await client.publish("approval", approval, false);
  const url = `${service.address}/api/workflows/public/${id}`;
  const headers = { "content-type": "application/json", ...client.apiKey };
  for (let made = 0; made < WAITING; made += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async () =>
        (await fetch(url, { method: "POST", headers, body: "{}" })).arrayBuffer(),
      ),
    );
  }
  await untilIdle(client);
}

async function measureHistory(
  { service, client, seconds, floor, dataDir }: Bench,
  before: Figure,
): Promise<void> {
  const three = await client.publish("three again", chain(3), true);
  const url = `${service.address}/api/workflows/public/${three}`;
  const after = await measure({
    url,
    pid: service.pid,
    connections: 50,
    seconds,
    headers: client.apiKey,
    body: INPUT,
  });
  console.log(
    `\n| with ${HISTORY.toLocaleString("en")} finished tasks (${(statSync(join(dataDir, DATABASE_FILE)).size / 2 ** 30).toFixed(1)} GB) | figure |\n|---|---|`,
  );
  console.log(`| start to the first \`/ready\` | ${Math.round(service.readyMs)} ms |`);
  console.log(
    `| synchronous call, 50 callers | ${after.perSecond.toFixed(0)}/s, ${((after.perSecond / before.perSecond) * 100).toFixed(0)} % of the empty file, ${((after.perSecond / floor) * 100).toFixed(1)} % of the echo, ${after.cpuMs.toFixed(3)} CPU ms a call (${before.cpuMs.toFixed(3)} before) |`,
  );
  const { tasks, nextCursor } = await client.get("/api/tasks?limit=200");
  for (const [name, path] of [
    ["`GET /api/tasks`", "/api/tasks"],
    ["the same, `?limit=200` deep inside", `/api/tasks?limit=200&cursor=${nextCursor}`],
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

async function untilIdle(client: ServiceClient): Promise<void> {
  for (;;) {
    const open = await Promise.all(
      ["queued", "running"].map((status) => client.get(`/api/tasks?limit=1&status=${status}`)),
    );
    if (open.every(({ tasks }) => tasks.length === 0)) return;
    await sleep(50);
  }
}

async function startEcho(kind: EchoKind) {
  const file = fileURLToPath(new URL("./echo-server.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => resolve(/port (\d+)/.exec(chunk.toString())?.[1] ?? ""));
  });
  return { address: `http://127.0.0.1:${port}/`, pid: child.pid!, end: () => child.kill() };
}

function print(
  name: string,
  callers: number,
  { perSecond, p50, p99, cpuMs: cost, failures }: Figure,
  floor: number,
): void {
  const note = failures === 0 ? "" : ` (${failures} failed)`;
  console.log(
    `| ${name}${note} | ${callers} | ${perSecond.toFixed(0)} | 1/${(floor / perSecond).toFixed(1)} | ${p50} | ${p99} | ${cost.toFixed(3)} |`,
  );
}
