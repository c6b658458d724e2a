import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createEgress } from "../security/egress.ts";
import { callTool } from "./call-tool.ts";
import { createMcpClients } from "./mcp-clients.ts";
import { scrubbedEnvironment } from "./stdio-settings.ts";
import { openStdio } from "./stdio-transport.ts";
import { outputOf } from "./tool-result.ts";

/** A server in plain JavaScript whose tool `work` has this body. */
const programOf = (body: string) => `
const work = async () => { ${body} };
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
console.log("Welcome to the server");
let unread = "";
process.stdin.on("data", async (piece) => {
  const lines = (unread + piece).split("\\n");
  unread = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (method === "initialize")
      send(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
    else if (method === "tools/list") send(id, { tools: [{ name: "work", inputSchema: { type: "object" } }] });
    else if (method === "tools/call")
      send(id, { content: [{ type: "text", text: String(await work()) }] });
    else if (id !== undefined)
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) + "\\n");
  }
});
process.stdin.on("end", () => process.exit());`;

async function run(
  body: string,
  options: { env?: Record<string, string>; maxBytes?: number; timeoutMs?: number } = {},
) {
  const { env = {}, maxBytes = 100_000, timeoutMs = 20_000 } = options;
  const egress = createEgress({ allowPrivate: false, allow: [], deny: [] });
  onTestFinished(() => egress.close());
  const clients = createMcpClients({ egress, clock: { now: () => 0, monotonic: () => 0 } });
  const command = { command: process.execPath, args: ["-e", programOf(body)], env };
  const target = {
    kind: "stdio" as const,
    name: "test",
    open: (onFailure: (error: Error) => void) => openStdio(command, { maxBytes }, onFailure),
  };
  const signal = new AbortController().signal;
  return clients.call(
    target,
    { signal, timeoutMs },
    async (session) => await outputOf("work", await callTool(session, "work", {})),
  );
}

test("a program gets no variable of this process except those that the operator names", async () => {
  const environment = { PATH: "/usr/bin", ENCRYPTION_KEY: "k", TOKEN: "t", HOME: "/root" };
  const env = scrubbedEnvironment(["TOKEN"], environment);
  expect(env).toEqual({ PATH: "/usr/bin", TOKEN: "t" });
  const seen = (await run("return JSON.stringify(process.env)", { env })) as Record<string, string>;
  expect(Object.keys(seen).sort()).toEqual(["HOME", "PATH", "TMPDIR", "TOKEN"]);
  // Its home is an empty folder that is gone after the call.
  const home = seen["HOME"] ?? "";
  expect(home).toMatch(/baton-mcp-/);
  await expect(readFile(home)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a program is killed with everything that it started", async () => {
  const server = createServer();
  const ended = new Promise<void>((resolve) =>
    server.once("connection", (socket) =>
      socket
        .resume()
        .on("error", () => undefined)
        .on("close", () => resolve()),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const started = await run(`return new Promise((resolve) => {
    const grandchild = "const socket = require('net').connect(${port}, '127.0.0.1', () => console.log('open'))";
    const child = require("child_process").spawn(process.execPath, ["-e", grandchild], { stdio: "pipe" });
    child.stdout.once("data", (text) => resolve(String(text).trim()));
  })`);
  expect(started).toBe("open");
  // The connection of the process that the program started is closed by its end.
  await ended;
});

test("a program that writes too much, ends or hangs ends the call", async () => {
  await expect(
    run(`process.stderr.write("x".repeat(200000)); return new Promise(() => {})`),
  ).rejects.toMatchObject({
    code: "response_too_large",
  });
  await expect(run("process.exit(1)")).rejects.toMatchObject({ code: "mcp_failed" });
  await expect(run("return new Promise(() => {})", { timeoutMs: 1500 })).rejects.toMatchObject({
    code: "request_timeout",
  });
});

test("a program that does not exist is a plain error", async () => {
  const transport = await openStdio(
    { command: "/no/such/program", args: [], env: {} },
    { maxBytes: 1 },
    () => undefined,
  );
  await expect(transport.start()).rejects.toMatchObject({ code: "mcp_failed" });
  await transport.close();
});
