import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { answer, mcpHandler, scriptedServer } from "../server/mcp-client/testing/http-servers.ts";
import { shareApp } from "./support/shared-app.ts";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import { type RegisteredUser, registerUser, useTestApp } from "./support/test-app.ts";
import { startTokenVendor } from "./support/token-vendor.ts";
import { sendJson, startVendor } from "./support/vendor.ts";

const model = await startStubModelServer();
afterAll(() => model.close());
const { alice, bob } = await shareApp(["alice", "bob"], stubModelSettings(model));

async function connect(given: object, user: RegisteredUser = alice): Promise<string> {
  const { status, body } = await user.post("/api/connections", { name: "Vendor", ...given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection.id;
}

const bearer = (hosts: string[]) => ({ kind: "bearer", secrets: { token: "hush-hush" }, hosts });
const read = async (id: string) => (await alice.get(`/api/connections/${id}`)).body.connection;

async function runStep(step: object) {
  const steps = [{ stepId: "call", maxRetries: 0, ...step }];
  const created = await alice.post("/api/workflows", { name: "Calls", metadata: { steps, edges: [] } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { body } = await alice.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {});
  return (await alice.get(`/api/tasks/${body.taskId}`)).body;
}

test("an MCP server takes a connection: renewed after a 401, redacted, and refused for good", async () => {
  const vendor = await startTokenVendor(mcpHandler);
  const connection = await connect(vendor.connection);
  const { status, body } = await alice.post("/api/mcp-servers", {
    name: "Weather",
    url: `${vendor.url}/mcp`,
    connection,
  });
  expect([status, body.server]).toMatchObject([201, { auth: "connection", connection, authorization: null }]);
  const { id } = body.server;
  const call = () => runStep({ type: "mcp", server: id, tool: "forecast", arguments: { city: "Oslo" } });
  expect((await call()).task).toMatchObject({ status: "completed", result: { output: { degrees: 21 } } });
  expect(await read(connection)).toMatchObject({
    status: "connected",
    usedBy: { mcpServers: [{ id, name: "Weather" }] },
  });

  vendor.expireTokens();
  expect((await call()).task.status).toBe("completed");
  expect(vendor.requests.filter(({ url }) => url === "/token")).toHaveLength(2);

  vendor.refuseAll();
  const refused = await call();
  expect(refused.task.error).toMatchObject({ code: "connection_authorization_required" });
  expect(JSON.stringify(refused)).not.toMatch(/hush/);
  expect((await alice.post(`/api/mcp-servers/${id}/test`, {})).body.test).toMatchObject({
    status: "authorization_required",
    message: expect.stringContaining('Reconnect "Vendor"'),
  });
  expect((await alice.get(`/api/mcp-servers/${id}/tools`)).body.error).toBe(
    "connection_authorization_required",
  );
  expect((await read(connection)).status).toBe("failing");
  const { status: inUse, body: kept } = await alice.delete(`/api/connections/${connection}`);
  expect([inUse, kept.error]).toEqual([409, "connection_in_use"]);
  await alice.delete(`/api/connections/${connection}?force=true`);
  expect((await call()).task.error).toMatchObject({ code: "connection_not_found" });
});

test("an MCP server that returns the credential of its connection does not get it into a run", async () => {
  const vendor = await startTokenVendor(
    scriptedServer("modern", ({ id, headers }, response) =>
      answer(response, id, {
        resultType: "complete",
        content: [{ type: "text", text: `you sent ${String(headers.authorization)}` }],
      }),
    ),
  );
  const connection = await connect(vendor.connection);
  const { body } = await alice.post("/api/mcp-servers", {
    name: "Echo",
    url: `${vendor.url}/mcp`,
    connection,
  });
  const result = await runStep({ type: "mcp", server: body.server.id, tool: "work" });
  expect(result.task).toMatchObject({ status: "completed", result: { output: "you sent Bearer •••" } });
  expect(JSON.stringify(result)).not.toMatch(/hush/);
});

test("an MCP server cannot take a connection to another host, nor along a redirect", async () => {
  const elsewhere = await startVendor((_request, response) => sendJson(response, 200, {}));
  const vendor = await startVendor((_request, response) =>
    response.writeHead(307, { location: `${elsewhere.url}/mcp` }).end(),
  );
  const both = await connect(bearer([vendor.host, elsewhere.host]));
  const other = await connect(bearer(["127.0.0.1:1"]));
  for (const connection of [both, other]) {
    const { body } = await alice.post("/api/mcp-servers", {
      name: "x",
      url: `${vendor.url}/mcp`,
      connection,
    });
    const { task } = await runStep({ type: "mcp", server: body.server.id, tool: "x" });
    expect(task.status).toBe("failed");
    if (connection === other) expect(task.error.code).toBe("connection_host_not_allowed");
  }
  expect(vendor.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer hush-hush"]);
  expect(elsewhere.requests).toEqual([]);
});

test("an MCP server names only a connection of its owner that is sent by HTTP, and nothing beside it", async () => {
  const connection = await connect(bearer(["a.example"]));
  const bobs = await connect(bearer(["a.example"]), bob);
  const mail = await connect({
    kind: "smtp",
    settings: { host: "mail.example", port: 465, security: "tls", user: "ada" },
    secrets: { password: "hush" },
  });
  const create = (given: object) =>
    alice.post("/api/mcp-servers", { name: "x", url: "https://a.example", ...given });
  const missing = { status: 404, body: { error: "connection_not_found" } };
  expect(await create({ connection: bobs })).toMatchObject(missing);
  expect(await create({ connection: "conn_unknown" })).toMatchObject(missing);
  for (const given of [
    { connection: mail },
    { connection, headers: { a: "b" } },
    { connection, oauth: { clientId: "x" } },
    { connection, auth: "none" },
    { auth: "connection" },
  ])
    expect((await create(given)).status, JSON.stringify(given)).toBe(400);

  const { body } = await create({ headers: { "X-Token": "hush-hush" } });
  const patch = async (change: object) => alice.patch(`/api/mcp-servers/${body.server.id}`, change);
  expect(await patch({ connection: bobs })).toMatchObject(missing);
  expect(await patch({ auth: "connection" })).toMatchObject({ status: 400 });
  const changed = await patch({ connection });
  expect(changed.body.server).toMatchObject({ auth: "connection", connection, headerNames: [] });
  expect((await patch({ name: "Renamed" })).body.server).toMatchObject({ auth: "connection", connection });
  const back = await patch({ headers: { "X-Token": "hush-2" } });
  expect(back.body.server).toMatchObject({ auth: "headers", connection: null, headerNames: ["X-Token"] });
});

/** An OpenAI-compatible answer that repeats the credential. */
const chatAnswer = (request: IncomingMessage, response: ServerResponse) =>
  sendJson(response, 200, {
    id: "1",
    object: "chat.completion",
    created: 0,
    model: "mine",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: `you sent ${request.headers.authorization}` },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

test("a model takes a connection in an llm step and an agent: renewed, redacted, and no key of the instance", async () => {
  const vendor = await startTokenVendor(chatAnswer);
  const connection = await connect(vendor.connection);
  const chosen = { provider: "openai-compatible", model: "mine", connection, baseUrl: `${vendor.url}/v1` };
  const ask = () => runStep({ type: "llm", prompt: "Hello", ...chosen });
  const result = await ask();
  expect(result.task).toMatchObject({ status: "completed", result: { output: "you sent Bearer •••" } });
  vendor.expireTokens();
  expect((await ask()).task.status).toBe("completed");
  expect(vendor.requests.filter(({ url }) => url === "/token")).toHaveLength(2);

  const { body } = await alice.post("/api/agents", { name: "Ann", ...chosen });
  expect(body.agent).toMatchObject(chosen);
  const answer = await alice.post(`/api/agents/${body.agent.id}/run`, { input: "Hello" });
  expect(answer.body).toMatchObject({ output: "you sent Bearer •••", model: "openai-compatible/mine" });
  const chat = await alice.post(`/api/agents/${body.agent.id}/chat`, {
    messages: [{ role: "user", content: "Hello" }],
  });
  expect(chat.status).toBe(200);
  const { usedBy } = await read(connection);
  expect(usedBy).toMatchObject({ agents: [{ id: body.agent.id, name: "Ann" }] });
  expect(usedBy.workflows.length).toBeGreaterThan(0);

  vendor.refuseAll();
  const refused = await ask();
  expect(refused.task.error).toMatchObject({ code: "connection_authorization_required" });
  expect(JSON.stringify([result, answer, chat, refused])).not.toMatch(/hush/);
  expect(JSON.stringify(vendor.requests)).not.toContain("sk-stub-key");
  expect(model.requests).toEqual([]);
});

test("a model with a connection goes to no other host, nor to a server of the instance that steps cannot reach", async () => {
  const vendor = await startVendor(chatAnswer);
  const other = await connect(bearer(["127.0.0.1:1"]));
  const chosen = { type: "llm", prompt: "Hello", provider: "openai-compatible", model: "mine" };
  const { task } = await runStep({ ...chosen, connection: other, baseUrl: `${vendor.url}/v1` });
  expect(task.error).toMatchObject({ code: "connection_host_not_allowed" });
  expect(vendor.requests).toEqual([]);

  const app = await useTestApp({ ...stubModelSettings(model), PUBLIC_URL: "https://baton.example" });
  const eve = await registerUser(app, "eve");
  const { host } = new URL(model.baseUrl);
  const { body } = await eve.post("/api/connections", { name: "x", ...bearer([host]) });
  const connection = body.connection.id;
  const agent = await eve.post("/api/agents", {
    name: "Eve",
    provider: "openai-compatible",
    model: "mine",
    connection,
    baseUrl: model.baseUrl,
  });
  const denied = await eve.post(`/api/agents/${agent.body.agent.id}/run`, { input: "Hello" });
  expect(denied.body.error).toBe("egress_denied");
  expect(model.requests).toEqual([]);
});

test("an agent and an llm step with a connection need a provider, and an address needs a connection", async () => {
  const connection = await connect(bearer(["a.example"]));
  const bobs = await connect(bearer(["a.example"]), bob);
  const create = (given: object) => alice.post("/api/agents", { name: "Ann", ...given });
  const missing = { status: 404, body: { error: "connection_not_found" } };
  expect(await create({ provider: "openai", connection: bobs })).toMatchObject(missing);
  expect(await create({ provider: "openai", connection: "conn_unknown" })).toMatchObject(missing);
  expect((await create({ connection })).status).toBe(400);
  expect((await create({ provider: "openai", baseUrl: "https://a.example" })).status).toBe(400);
  const { body } = await create({ provider: "openai", connection, baseUrl: "https://a.example" });
  const patch = (change: object) => alice.patch(`/api/agents/${body.agent.id}`, change);
  expect(await patch({ connection: bobs })).toMatchObject(missing);
  expect((await patch({ provider: null })).status).toBe(400);
  expect((await patch({ connection: null })).body.agent).toMatchObject({ connection: null, baseUrl: null });
  for (const fields of [{ connection }, { baseUrl: "https://a.example" }, { connection: "{{input.id}}" }]) {
    const steps = [{ stepId: "ask", type: "llm", prompt: "x", ...fields }];
    const { status } = await alice.post("/api/workflows", { name: "x", metadata: { steps, edges: [] } });
    expect(status, JSON.stringify(fields)).toBe(422);
  }
});
