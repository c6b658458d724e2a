import { expect, test } from "vitest";
import { registerUser } from "../support/test-app.ts";
import { shareApp } from "../support/shared-app.ts";
import { createKey, exposeWorkflow, text } from "./mcp-app.ts";

const { app, alice } = await shareApp(["alice"]);
const key = await createKey(alice);
await exposeWorkflow(alice, "greet", [text("greeting", "Hello {{input.name}}")]);
await exposeWorkflow(alice, "wait", [{ stepId: "pause", type: "delay", seconds: 3600 }, text("end", "done")]);

const MODERN = "2026-07-28";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

interface Sent {
  headers?: Record<string, string | undefined>;
  capabilities?: object;
  id?: unknown;
  as?: string;
}

/** One request of the newer version, with the headers that it needs. */
async function modern(method: string, params: Record<string, unknown> = {}, sent: Sent = {}) {
  const name = params["name"] ?? params["uri"] ?? params["taskId"];
  const headers: Record<string, string | undefined> = {
    authorization: `Bearer ${sent.as ?? key}`,
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": name }),
    ...sent.headers,
  };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": sent.capabilities ?? {},
  };
  return post({ jsonrpc: "2.0", id: sent.id ?? 1, method, params: { _meta: meta, ...params } }, headers);
}

async function post(body: unknown, headers: Record<string, string | undefined> = {}) {
  const given = Object.entries({ authorization: `Bearer ${key}`, ...headers });
  const present = given.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return app.anonymous.post("/mcp", body, Object.fromEntries(present));
}

const legacy = (method: string, params: object, headers?: Record<string, string>) =>
  post({ jsonrpc: "2.0", id: 1, method, params }, headers);

async function openSession(capabilities: object = {}): Promise<string> {
  const { headers } = await legacy("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "test", version: "1" },
  });
  return headers["mcp-session-id"] as string;
}

test("a request without a token, with an unknown one or without the scope leads to the login", async () => {
  const none = await post({}, { authorization: undefined });
  expect(none).toMatchObject({ status: 401, body: { error: "missing_token" } });
  expect(none.headers["www-authenticate"]).toMatch(
    /^Bearer scope="mcp", resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp"$/,
  );
  const unknown = await post({}, { authorization: "Bearer bk_unknown" });
  expect(unknown).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  const other = await createKey(alice, ["endpoints"]);
  const refused = await post({}, { authorization: `Bearer ${other}` });
  expect(refused).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
});

test("a revoked key fails from the next request on", async () => {
  const created = await alice.post("/api/keys", { name: "old", scopes: ["mcp"] });
  const as = created.body.rawKey as string;
  expect((await modern("tools/list", {}, { as })).status).toBe(200);
  await alice.delete(`/api/keys/${created.body.apiKey.id}`);
  expect((await modern("tools/list", {}, { as })).status).toBe(401);
});

test("a page of another origin is refused, one of this service is served", async () => {
  const headers = { origin: "https://evil.example" };
  expect((await modern("tools/list", {}, { headers })).status).toBe(403);
  expect((await modern("tools/list", {}, { headers: { origin: "null" } })).status).toBe(403);
  const own = await modern("tools/list", {}, { headers: { origin: "http://localhost:6274" } });
  expect(own).toMatchObject({ status: 200, headers: { "access-control-allow-origin": "*" } });
});

test("GET and DELETE are 405: there is no stream without a request and no session to delete", async () => {
  for (const method of ["GET", "DELETE"]) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await app.anonymous.call("/mcp", { method, headers });
    expect(response).toMatchObject({ status: 405, headers: { allow: "POST" } });
  }
});

test("a malformed message is a JSON-RPC error", async () => {
  const invalid = { status: 400, body: { jsonrpc: "2.0", error: { code: -32_600 } } };
  expect(await post("{not json")).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
  expect(await post([])).toMatchObject(invalid);
  expect(await post([{ jsonrpc: "2.0", id: 1, method: "ping" }])).toMatchObject(invalid);
  expect(await post({ id: 1, method: "ping" })).toMatchObject({ ...invalid, body: { id: 1 } });
  expect(await post({ jsonrpc: "2.0", id: null, method: "ping" })).toMatchObject(invalid);
  expect(await post({ jsonrpc: "2.0", id: 1, method: 7 })).toMatchObject(invalid);
  expect(await post({ jsonrpc: "2.0", id: 1, method: "ping", params: [1] })).toMatchObject(invalid);
});

test("headers that differ from the body are refused with -32020", async () => {
  const mismatch = { status: 400, body: { id: 1, error: { code: -32_020 } } };
  for (const headers of [
    { "mcp-protocol-version": undefined },
    { "mcp-method": "tools/call" },
    { "mcp-method": undefined },
  ])
    expect(await modern("tools/list", {}, { headers })).toMatchObject(mismatch);
  for (const headers of [{ "mcp-name": "other" }, { "mcp-name": undefined }])
    expect(await modern("tools/call", { name: "greet" }, { headers })).toMatchObject(mismatch);
  const encoded = { "mcp-name": `=?base64?${Buffer.from("greet").toString("base64")}?=` };
  expect((await modern("tools/call", { name: "greet" }, { headers: encoded })).status).toBe(200);
});

test("an unknown version lists the supported ones, and missing metadata is -32602", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "1900-01-01",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = { "mcp-protocol-version": "1900-01-01" };
  for (const _meta of [meta, undefined])
    expect(await modern("tools/list", { _meta }, { headers })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: -32_022,
          data: { supported: [MODERN, "2025-11-25", "2025-06-18"], requested: "1900-01-01" },
        },
      },
    });
  const invalid = { status: 400, body: { error: { code: -32_602 } } };
  expect(await modern("tools/list", { _meta: {} })).toMatchObject(invalid);
  expect(
    await modern("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": MODERN } }),
  ).toMatchObject(invalid);
});

test("an unknown method is -32601, 404 in the newer version", async () => {
  expect(await modern("initialize")).toMatchObject({ status: 404, body: { error: { code: -32_601 } } });
  expect(await modern("__proto__")).toMatchObject({ status: 404, body: { error: { code: -32_601 } } });
  expect(await legacy("server/discover", {})).toMatchObject({
    status: 200,
    body: { error: { code: -32_601 } },
  });
});

test("discovery names versions and capabilities, and every result the server", async () => {
  const { body } = await modern("server/discover");
  expect(body.result).toMatchObject({
    resultType: "complete",
    supportedVersions: [MODERN, "2025-11-25", "2025-06-18"],
    capabilities: { tools: {}, resources: {}, prompts: {}, ...TASKS },
    ttlMs: expect.any(Number),
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "baton" } },
  });
});

test("an older client gets the version it asks for, or the newest with a handshake", async () => {
  const of = async (protocolVersion: string) =>
    (await legacy("initialize", { protocolVersion, capabilities: {} })).body.result.protocolVersion;
  expect(await of("2025-06-18")).toBe("2025-06-18");
  expect(await of("1900-01-01")).toBe("2025-11-25");
});

test("a session of another key, or one that was changed, is unknown", async () => {
  const session = await openSession();
  const list = (id: string, as = key) =>
    legacy("tools/list", {}, { "mcp-session-id": id, authorization: `Bearer ${as}` });
  expect((await list(session)).status).toBe(200);
  expect((await list(session, await createKey(alice))).status).toBe(404);
  expect((await list(`x${session}`)).status).toBe(404);
});

test("tools of another account are neither listed nor called", async () => {
  const bob = await registerUser(app, "bob");
  const as = await createKey(bob);
  expect((await modern("tools/list", {}, { as })).body.result.tools).toEqual([]);
  expect(await modern("tools/call", { name: "greet" }, { as })).toMatchObject({
    body: { error: { code: -32_602, message: "Unknown tool: greet" } },
  });
});

test("a client with tasks gets a handle for a run that may be slow, and cancels it", async () => {
  const { body } = await modern("tools/call", { name: "wait" }, { capabilities: TASKS });
  expect(body.result).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
  const { taskId } = body.result;
  const get = () => modern("tasks/get", { taskId }, { capabilities: TASKS });
  expect((await get()).body.result).toMatchObject({ resultType: "complete", status: "working", taskId });
  const ack = await modern("tasks/cancel", { taskId }, { capabilities: TASKS });
  expect(Object.keys(ack.body.result).toSorted()).toEqual(["_meta", "resultType"]);
  expect((await get()).body.result).toMatchObject({ status: "cancelled" });
  expect((await alice.get(`/api/tasks/${taskId}`)).body.task.status).toBe("cancelled");
});

test("a run without slow steps is answered at once, also to a client with tasks", async () => {
  const { body } = await modern("tools/call", { name: "greet" }, { capabilities: TASKS });
  expect(body.result).toMatchObject({ resultType: "complete", content: [{ type: "text" }] });
});

test("task methods need the capability, and another account's run is unknown", async () => {
  const { body } = await modern("tools/call", { name: "wait" }, { capabilities: TASKS });
  const { taskId } = body.result;
  expect(await modern("tasks/get", { taskId })).toMatchObject({
    status: 400,
    body: { error: { code: -32_021, data: { requiredCapabilities: TASKS } } },
  });
  const bob = await registerUser(app, "bob");
  const as = await createKey(bob);
  for (const method of ["tasks/get", "tasks/cancel"])
    expect(await modern(method, { taskId }, { capabilities: TASKS, as })).toMatchObject({
      body: { error: { code: -32_602 } },
    });
  const session = { "mcp-session-id": await openSession() };
  expect((await legacy("tasks/get", { taskId }, session)).body.result).toMatchObject({
    taskId,
    status: "working",
    ttl: null,
  });
  expect((await legacy("tasks/cancel", { taskId }, session)).body.result).toMatchObject({
    status: "cancelled",
  });
  expect((await legacy("tasks/cancel", { taskId }, session)).body.error.code).toBe(-32_602);
});

test("a run that was not started over MCP is no task of an MCP client", async () => {
  const { body: created } = await alice.post("/api/workflows", { name: "Other", steps: [text("one", 1)] });
  const { body } = await alice.post(`/api/workflows/${created.workflow.id}/run?wait=true`, {});
  expect((await modern("tasks/get", { taskId: body.taskId }, { capabilities: TASKS })).body.error.code).toBe(
    -32_602,
  );
});

test("a call as a task of the older version gives the result by tasks/result", async () => {
  const session = { "mcp-session-id": await openSession() };
  const { body } = await legacy(
    "tools/call",
    { name: "greet", arguments: { name: "Ann" }, task: {} },
    session,
  );
  const { taskId } = body.result.task;
  const result = await legacy("tasks/result", { taskId }, session);
  expect(result.body.result).toMatchObject({
    content: [{ text: "Hello Ann" }],
    _meta: { "io.modelcontextprotocol/related-task": { taskId } },
  });
});

test("calls are listed with their tool, their caller and their task", async () => {
  const { body } = await modern("tools/call", { name: "greet" });
  const taskId = body.result._meta["baton/taskId"];
  const { body: listed } = await alice.get("/api/client-calls?protocol=mcp");
  expect(listed.calls).toContainEqual(
    expect.objectContaining({
      method: "tools/call",
      name: "greet",
      callerName: "my client",
      taskId,
      status: "ok",
    }),
  );
});
