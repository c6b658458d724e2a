// What apps cost: `npm run bench:apps`. Start and memory of all built-in apps, and the CPU of an action against the same
// `http` step, both with a connection and a server in another process.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import esbuild from "esbuild";
import type { App } from "../../apps/define-app.ts";
import { createAppClient } from "../../server/apps/app-client.ts";
import { createAppRunner } from "../../server/apps/app-step.ts";
import { createAppCatalogue } from "../../server/apps/catalogue.ts";
import { connectionFetch } from "../../server/connections/connection-fetch.ts";
import { createConnectionUse } from "../../server/connections/connection-use.ts";
import type { ConnectionRecord } from "../../server/connections/connection.sql.ts";
import { staticCredential } from "../../server/connections/credentials.ts";
import type { StepCall } from "../../server/engine/run/step-runner.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import { createEgress } from "../../server/security/egress.ts";
import { createHttpRunner } from "../../server/steps/http.ts";
import { sampleCall } from "../../server/steps/testing/sample-call.ts";

const CALLS = 50;
const SLICES = 120;
const WARM_UP = 20;
const ROUNDS = 7;
const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Loads the bundled apps in fresh processes, and an empty module for comparison. */
async function measureStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-apps-"));
  const bundle = join(folder, "apps.mjs");
  await esbuild.build({
    entryPoints: ["apps/all.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: bundle,
  });
  // A first import loads the loader itself, which the service has done long before.
  const script = `await import("data:text/javascript,0"); global.gc(); const before = process.memoryUsage().heapUsed, cpu = process.cpuUsage();
    const { apps } = await import(${JSON.stringify(bundle)}); const used = process.cpuUsage(cpu); const ms = (used.user + used.system) / 1000; global.gc();
    console.log(JSON.stringify({ ms, bytes: process.memoryUsage().heapUsed - before, count: apps.length }));`;
  const runs = Array.from({ length: ROUNDS }, () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    return JSON.parse(stdout) as { ms: number; bytes: number; count: number };
  });
  rmSync(folder, { recursive: true });
  console.log(
    `${runs[0]?.count} apps: ${Math.min(...runs.map(({ ms }) => ms)).toFixed(1)} ms of CPU at the start (bar 20), ` +
      `${(median(runs.map(({ bytes }) => bytes)) / 1e6).toFixed(2)} MB (bar 10)`,
  );
}

async function startServer(): Promise<{ server: ChildProcess; port: number }> {
  const code = `require("node:http").createServer((request, response) => { request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: true, id: 7, name: "Tea", tags: ["a", "b"] })); }); })
    .listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
  const server = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  return { server, port: Number(line.toString()) };
}

async function measureCalls(): Promise<void> {
  const { server, port } = await startServer();
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  const record = {
    id: "conn_1",
    ownerId: "user_1",
    kind: "bearer",
    name: "c",
    app: "bench",
    hosts: [`127.0.0.1:${port}`],
    fields: {},
    settings: {},
  };
  const nothing = () => Promise.resolve();
  const use = () => {
    const stored = record as unknown as ConnectionRecord;
    return Promise.resolve(
      createConnectionUse(stored, staticCredential(stored, { token: "secret-token" }), {
        failed: nothing,
        succeeded: nothing,
      }),
    );
  };
  const app = {
    id: "bench",
    title: "Bench",
    baseUrl: `http://127.0.0.1:${port}`,
    actions: {
      create: {
        title: "Create",
        description: "Creates.",
        input: {
          list: { type: "string", title: "List", required: true },
          name: { type: "string", title: "Name", required: true },
          note: { type: "string", title: "Note" },
        },
        request: {
          method: "POST",
          path: "/lists/{{input.list}}/items",
          body: { name: "{{input.name}}", note: "{{input.note}}" },
        },
        output: { id: "{{body.id}}", name: "{{body.name}}" },
        sample: {},
      },
    },
  } as unknown as App;
  const runFiles = {} as never;
  const catalogue = createAppCatalogue({ apps: [app], connectedApps: () => Promise.resolve(new Set()) });
  const client = createAppClient({
    fetch: (with_, url, init) => connectionFetch(egress, with_, url, init),
    limits: limitsOf(),
    runFiles,
    clock: systemClock,
  });
  const action = createAppRunner({ catalogue, client, useConnection: use });
  const http = createHttpRunner({ egress, limits: limitsOf(), runFiles, connections: { use } as never });
  const CASES: Record<"http" | "app", () => Promise<unknown>> = {
    http: () =>
      http.run(
        sampleCall({
          method: "POST",
          url: `http://127.0.0.1:${port}/lists/l1/items`,
          headers: { accept: "application/json" },
          body: { name: "Tea" },
          connection: "conn_1",
        }) as StepCall,
      ),
    app: () =>
      action.run(
        sampleCall({
          app: "bench",
          action: "create",
          connection: "conn_1",
          input: { list: "l1", name: "Tea" },
        }) as StepCall,
      ),
  };
  // Short slices in turn, so that other load on the machine affects both alike.
  const cpu: Record<"http" | "app", number[]> = { http: [], app: [] };
  for (let slice = -WARM_UP; slice < SLICES; slice += 1)
    for (const name of ["http", "app"] as const) {
      const before = process.cpuUsage();
      for (let i = 0; i < CALLS; i += 1) await CASES[name]();
      const { user, system } = process.cpuUsage(before);
      if (slice >= 0) cpu[name].push((user + system) / CALLS);
    }
  server.kill();
  await egress.close();
  const ratio = median(cpu.app) / median(cpu.http);
  console.log(
    `http step ${median(cpu.http).toFixed(0)} µs of CPU, app action ${median(cpu.app).toFixed(0)} µs: ${ratio.toFixed(2)} (bar 1.15)`,
  );
}

console.log(`Node ${process.version}; start: best of ${ROUNDS}, calls: median of ${SLICES} slices`);
await measureStart();
await measureCalls();
