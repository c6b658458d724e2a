import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../server/app.ts";
import { readConfig } from "../../../server/config.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { NPX_ENVIRONMENT, NPX_PACKAGES } from "./suite.ts";

/** `npm run conformance:oauth`: the public suite for authorization servers. The user's consent is an API call. */
export async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-oauth-conformance-"));
  const app = await createApp(
    readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", ALLOW_REGISTRATION: "true" }),
  );
  try {
    const issuer = await app.listen();
    app.start();
    const { body } = await clientOf(app.http).post("/api/auth/register", {
      email: "suite@example.com",
      password: "password of the suite",
    });
    const port = await freePort();
    const { body: client } = await clientOf(app.http).post("/oauth/register", {
      client_name: "Suite",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: "none",
    });
    const args = ["--url", issuer, "--client-id", client.client_id, "--port", String(port)];
    const user = clientOf(app.http, body.token as string);
    const code = await runSuite([...args, "--resource", `${issuer}/mcp`], user, new URL(issuer).host);
    if (code !== 0) process.exitCode = 1;
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runSuite(args: readonly string[], user: Client, host: string): Promise<number | null> {
  const suite = spawn("npx", [...NPX_PACKAGES, "conformance", "authorization", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: NPX_ENVIRONMENT,
  });
  let output = "";
  let isAllowed = false;
  suite.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    process.stdout.write(chunk);
    output += chunk;
    const url = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
    // The suite prints the address before it listens for the answer.
    if (url === undefined || isAllowed || !output.includes("Callback server started")) return;
    isAllowed = true;
    void allow(user, new URL(url), host);
  });
  return new Promise((resolve) => suite.once("close", resolve));
}

async function allow(user: Client, { searchParams }: URL, host: string): Promise<void> {
  const decision = { ...Object.fromEntries(searchParams), decision: "allow" };
  const { body } = await user.post("/api/oauth/authorization", decision, { host });
  await fetch(body.redirectTo as string);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
