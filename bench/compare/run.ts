import autocannon from "autocannon";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { INPUT } from "../bench.ts";
import { startEcho } from "../echoes.ts";
import { chain, httpChain } from "../graphs.ts";
import { embedded, onPostgres, processesOf } from "../postgres.ts";
import { cpuMs, residentMb } from "../process-cost.ts";
import { type ServiceClient, signIn } from "../service-client.ts";
import { quantile } from "../statistics.ts";
import { UsageError } from "../../scripts/usage-error.mjs";

const calls = ["sync", "async", "webhook", "http"] as const;
type Call = (typeof calls)[number];

/**
 * `npm run bench:compare -- <checkout> [--call sync --callers 50 --amount 2000 --slices 8 --together --roles api,worker]`:
 * CPU time and p99 of a call with this build beside those of another checkout, after a warm-up. Both are measured in turn, or
 * at the same time, which is fairer on a busy machine. With `--roles` these processes on a PostgreSQL server, whose CPU time
 * is included.
 */
export async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      call: { type: "string", default: "sync" },
      callers: { type: "string", default: "50" },
      amount: { type: "string", default: "2000" },
      slices: { type: "string", default: "8" },
      together: { type: "boolean", default: false },
      "warm-up": { type: "string", default: "6000" },
      roles: { type: "string" },
    },
  });
  const call = calls.find((known) => known === values.call);
  const [other] = positionals;
  if (call === undefined || other === undefined)
    throw new UsageError(`Name another checkout, and one of --call ${calls.join(", ")}.`);
  const echo = await startEcho("node");
  const builds: Build[] = [];
  const [connections, amount] = [Number(values.callers), Number(values.amount)];
  try {
    for (const folder of [resolve(other), "."])
      builds.push(await open(folder, call, echo.address, values.roles?.split(",")));
    for (const { request } of builds)
      await autocannon({ ...request, connections, amount: Number(values["warm-up"]) });
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let slice = 0; slice < Number(values.slices); slice += 1) {
      const order = slice % 2 === 0 ? builds : builds.toReversed();
      const began = order.map(
        ({ pids, request }) =>
          () =>
            callAll(pids, { ...request, connections, amount }),
      );
      const figures: Figure[] = [];
      if (values.together) figures.push(...(await Promise.all(began.map((call) => call()))));
      else for (const call of began) figures.push(await call());
      if (slice % 2 === 1) figures.reverse();
      const [theirs, ours] = figures as [Figure, Figure];
      ratios.push(ours.cpu / theirs.cpu);
      rates.push(ours.perSecond / theirs.perSecond);
      console.log(
        `${call} ×${connections}: ${theirs.cpu.toFixed(3)} → ${ours.cpu.toFixed(3)} CPU ms, ${theirs.perSecond.toFixed(0)} → ${ours.perSecond.toFixed(0)} calls/s, p99 ${theirs.p99} → ${ours.p99} ms, load ${loadavg()[0]!.toFixed(1)}`,
      );
    }
    console.log(
      `median: ${quantile(ratios, 0.5).toFixed(3)} × the CPU time, ${quantile(rates, 0.5).toFixed(3)} × the calls; ` +
        `${builds.map(({ first }) => residentMb(first).toFixed(0)).join(" → ")} MB`,
    );
  } finally {
    for (const { end } of builds) await end();
    echo.stop();
  }
}

type Build = Awaited<ReturnType<typeof open>>;

interface Figure {
  cpu: number;
  perSecond: number;
  p99: number;
}

async function callAll(pids: () => number[], options: autocannon.Options): Promise<Figure> {
  const before = cpuMs(pids());
  const began = performance.now();
  const { "2xx": succeeded, latency } = await autocannon(options);
  const seconds = (performance.now() - began) / 1000;
  return {
    cpu: (cpuMs(pids()) - before) / succeeded,
    perSecond: succeeded / seconds,
    p99: latency.p99,
  };
}

async function open(folder: string, call: Call, echoUrl: string, roles: readonly string[] | undefined) {
  const deployment =
    roles === undefined ? await embedded(folder) : await onPostgres(roles.join(" + "), roles, folder);
  const [first] = deployment.processes;
  const client = await signIn(first!.address);
  return {
    first: first!.pid,
    pids: () => processesOf(deployment),
    request: await requestOf(call, first!.address, client, echoUrl),
    end: () => deployment.close(),
  };
}

async function requestOf(call: Call, address: string, client: ServiceClient, echoUrl: string) {
  const graph = call === "http" ? httpChain(echoUrl) : chain(3);
  const id = await client.publish(call, graph, call === "sync" || call === "http");
  const headers = { "content-type": "application/json", ...client.apiKey };
  if (call !== "webhook")
    return {
      url: `${address}/api/workflows/public/${id}`,
      method: "POST" as const,
      headers,
      body: JSON.stringify(INPUT),
    };
  const { webhook } = await client.post("/api/webhooks", { name: "bench", source: "bench", workflowId: id });
  return {
    url: `${address}/webhook/bench`,
    method: "POST" as const,
    headers: { "content-type": "application/json", "x-webhook-secret": webhook.secret as string },
    body: JSON.stringify(INPUT.input),
  };
}
