import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const PROGRAM = `process.stdin.on("data", (piece) => {
  for (const line of String(piece).trim().split("\\n")) {
    const { id, method } = JSON.parse(line);
    const send = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize")
      send({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "local", version: "1" } });
    else if (method === "tools/list") send({ tools: [{ name: "work", inputSchema: { type: "object" } }] });
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "" } }));
  }
});
process.stdin.on("end", () => process.exit());`;

const MCP_STDIO_SERVERS = JSON.stringify({ local: { command: process.execPath, args: ["-e", PROGRAM] } });
const { alice, bob } = await shareApp(["alice", "bob"], { MCP_STDIO_SERVERS });

test("only the administrator uses servers over stdio, and only those of the operator", async () => {
  expect((await alice.get("/api/mcp-servers/stdio")).body.names).toEqual(["local"]);
  expect((await bob.get("/api/mcp-servers/stdio")).body.names).toEqual([]);
  const created = await alice.post("/api/mcp-servers", { name: "Local", stdio: "local" });
  expect(created).toMatchObject({ status: 201, body: { server: { stdio: "local", url: null } } });
  const { id } = created.body.server;
  expect((await alice.post(`/api/mcp-servers/${id}/test`, {})).body.test).toMatchObject({
    status: "connected",
    serverName: "local",
    tools: 1,
  });
  const refused = { status: 403, body: { error: "forbidden" } };
  expect(await bob.post("/api/mcp-servers", { name: "x", stdio: "local" })).toMatchObject(refused);
  expect(await alice.post("/api/mcp-servers", { name: "x", stdio: "bash" })).toMatchObject(refused);
  expect(await alice.post("/api/mcp-servers", { name: "x", stdio: "constructor" })).toMatchObject(refused);
});
