import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../server/app.ts";
import { readConfig } from "../../../server/config.ts";
import { clientOf } from "../../support/client.ts";
import { TEMPLATES, WORKFLOWS } from "./fixtures.ts";
import { NOT_APPLICABLE } from "./not-applicable.ts";
import { runClientScenarios } from "./run-client.ts";
import { NPX_ENVIRONMENT, NPX_PACKAGES } from "./suite.ts";
import { UsageError } from "../../../scripts/usage-error.mjs";

/**
 * `npm run conformance:mcp -- server [arguments of the suite]`: the public suite against this service, for both versions of the
 * protocol. Fails when a scenario fails that applies (`not-applicable.ts`).
 *
 * `npm run conformance:mcp -- client [scenario …]`: the suite against the `mcp` steps of this service.
 */
export async function main(): Promise<void> {
  const [mode, ...args] = process.argv.slice(2);
  if (mode === "client") return runClientScenarios(args);
  if (mode !== "server")
    throw new UsageError("Usage: npm run conformance:mcp -- server [--scenario <name>] | client [<name> …]");
  const service = await startService();
  try {
    for (const version of Object.keys(NOT_APPLICABLE)) await runSuite(service.url, version, args);
  } finally {
    await service.close();
  }
}

async function runSuite(url: string, version: string, args: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-mcp-baseline-"));
  const baseline = join(folder, "baseline.yaml");
  const expected = Object.keys(NOT_APPLICABLE[version] ?? {}).map((scenario) => `  - ${scenario}`);
  await writeFile(baseline, ["server:", ...expected, ""].join("\n"));
  const scope = args.includes("--scenario")
    ? ["--spec-version", version]
    : ["--requirements", version, "--expected-failures", baseline];
  console.log(`\n## ${version}\n`);
  const suite = spawn("npx", [...NPX_PACKAGES, "conformance", "server", "--url", url, ...scope, ...args], {
    stdio: "inherit",
    env: NPX_ENVIRONMENT,
  });
  const code = await new Promise<number | null>((resolve) => suite.once("close", resolve));
  if (code !== 0) process.exitCode = 1;
  await rm(folder, { recursive: true, force: true });
}

/** The service with the fixtures, behind a proxy that adds the API key: the suite sends none. */
async function startService(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "baton-mcp-conformance-"));
  const app = await createApp(
    readConfig({
      DATA_DIR: folder,
      PORT: "0",
      LOG_LEVEL: "silent",
      ALLOW_REGISTRATION: "true",
      RATE_LIMIT_ENDPOINT_PER_MINUTE: "0",
    }),
  );
  const address = new URL(await app.listen());
  app.start();
  const { body } = await clientOf(app.http).post("/api/auth/register", {
    email: "suite@example.com",
    password: "password of the suite",
  });
  const user = clientOf(app.http, body.token as string);
  for (const { name, steps, inputSchema, forks } of WORKFLOWS) {
    const ids = (steps as { stepId: string }[]).map(({ stepId }) => stepId);
    const edges = ids
      .slice(1)
      .map((target, index) => ({ id: target, source: ids[forks ? 0 : index], target }));
    const metadata = { steps, edges, ...(inputSchema && { inputSchema }) };
    const { body: created } = await user.post("/api/workflows", { name, description: name, metadata });
    await user.put(`/api/exposures/workflow/${created.workflow.id}`, { mcp: true, name });
  }
  for (const template of TEMPLATES) await user.post("/api/templates", { ...template, edges: [] });
  await user.put("/api/exposures/documents/all", { mcp: true });
  await upload(address, body.token as string);
  const { body: key } = await user.post("/api/keys", { name: "suite", scopes: ["mcp"] });

  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(
      {
        host: address.hostname,
        port: address.port,
        method,
        path: url,
        headers: { ...headers, authorization: `Bearer ${key.rawKey}` },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function upload(address: URL, token: string): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob(["The handbook says that the office opens at nine."]), "handbook.txt");
  await fetch(new URL("/api/v1/documents/upload", address), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
}
