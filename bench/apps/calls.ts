// The CPU of an action against the same `http` step, both with a connection and a server in another process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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
import { quantile } from "../statistics.ts";

const CALLS = 50;
const SLICES = 120;
const WARM_UP = 20;

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
  const ratio = quantile(cpu.app, 0.5) / quantile(cpu.http, 0.5);
  console.log(
    `calls: median of ${SLICES} slices\nhttp step ${quantile(cpu.http, 0.5).toFixed(0)} µs of CPU, app action ${quantile(cpu.app, 0.5).toFixed(0)} µs: ${ratio.toFixed(2)} (bar 1.15)`,
  );
}

await measureCalls();
