import { afterAll, expect, test } from "vitest";
import { answer, listen, mcpHandler, scriptedServer } from "../server/mcp-client/testing/http-servers.ts";
import { type OauthServer, startOauthServer } from "../server/mcp-client/testing/oauth-server.ts";
import { shareApp } from "./support/shared-app.ts";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import type { RegisteredUser } from "./support/test-app.ts";

const model = await startStubModelServer();
afterAll(() => model.close());
const { app, alice, bob } = await shareApp(["alice", "bob"], stubModelSettings(model));

async function store(user: RegisteredUser, given: object) {
  const { status, body } = await user.post("/api/mcp-servers", { name: "Weather", ...given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.server;
}

/** Stores the server and takes the user through the consent. */
async function connect(oauth: OauthServer, given: object = {}) {
  const server = await store(alice, { url: oauth.url, auth: "oauth", ...given });
  const { body } = await alice.post(`/api/mcp-servers/${server.id}/authorize`, {});
  const answer = await oauth.consent(body.authorizationUrl);
  const finished = await alice.post("/api/mcp-servers/callback", answer);
  return { id: server.id as string, answer, finished, authorizationUrl: new URL(body.authorizationUrl) };
}

async function runStep(fields: object) {
  const steps = [{ stepId: "call", type: "mcp", maxRetries: 0, ...fields }];
  const created = await alice.post("/api/workflows", { name: "Calls", metadata: { steps, edges: [] } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { body } = await alice.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {});
  const { body: result } = await alice.get(`/api/tasks/${body.taskId}`);
  return { workflow: created.body.workflow, result };
}

test("a stored server keeps its headers to itself, and steps use them", async () => {
  const seen: unknown[] = [];
  const { url } = await listen((request, response) => {
    seen.push(request.headers["x-token"]);
    return mcpHandler(request, response);
  });
  const server = await store(alice, { url, headers: { "X-Token": "very-secret-1" } });
  expect(server).toMatchObject({ name: "Weather", url, auth: "headers", headerNames: ["X-Token"] });
  const { body: listed } = await alice.get("/api/mcp-servers");
  expect(JSON.stringify([server, listed])).not.toContain("very-secret-1");
  const rows = await app.sql("select * from mcp_server");
  expect(JSON.stringify(rows)).not.toContain("very-secret-1");

  const tools = await alice.get(`/api/mcp-servers/${server.id}/tools`);
  expect(tools.body.tools[0]).toMatchObject({
    name: "forecast",
    description: "The weather of the next days",
    inputSchema: { properties: { city: { type: "string" } } },
  });
  const resources = await alice.get(`/api/mcp-servers/${server.id}/resources`);
  expect(resources.body.resources).toMatchObject([{ uri: "weather://stations", isTemplate: false }]);
  const prompts = await alice.get(`/api/mcp-servers/${server.id}/prompts`);
  expect(prompts.body.prompts).toMatchObject([
    { name: "packing", arguments: [{ name: "city", required: true }] },
  ]);
  expect((await alice.post(`/api/mcp-servers/${server.id}/test`, {})).body.test).toMatchObject({
    status: "connected",
    serverName: "weather",
    protocolVersion: "2026-07-28",
    tools: 6,
  });
  expect(new Set(seen)).toEqual(new Set(["very-secret-1"]));
});

test("lists of a server are kept for a minute, and forgotten when it changes", async () => {
  const { url, requests } = await listen(mcpHandler);
  const { id } = await store(alice, { url });
  await alice.get(`/api/mcp-servers/${id}/tools`);
  const first = requests.length;
  await alice.get(`/api/mcp-servers/${id}/tools`);
  expect(requests.length).toBe(first);
  await alice.patch(`/api/mcp-servers/${id}`, { name: "Renamed" });
  await alice.get(`/api/mcp-servers/${id}/tools`);
  expect(requests.length).toBeGreaterThan(first);
});

test("a URL of another host drops the headers, which were meant for the old one", async () => {
  const { url } = await listen(mcpHandler);
  const server = await store(alice, { url, headers: { "X-Token": "t" } });
  const same = await alice.patch(`/api/mcp-servers/${server.id}`, { url: `${url}/other` });
  expect(same.body.server.headerNames).toEqual(["X-Token"]);
  const moved = await alice.patch(`/api/mcp-servers/${server.id}`, { url: "https://evil.example/mcp" });
  expect(moved.body.server).toMatchObject({ url: "https://evil.example/mcp", headerNames: [] });
});

test("a server is connected by OAuth: discovery, registration, PKCE, and the token in every call", async () => {
  const oauth = await startOauthServer();
  const { id, finished, authorizationUrl } = await connect(oauth);
  expect(finished.body.server).toMatchObject({ authorization: "connected", auth: "oauth" });
  expect(oauth.registrations).toMatchObject([
    { client_name: "Baton", redirect_uris: [expect.stringMatching(/\/mcp-servers\/callback$/)] },
  ]);
  expect(Object.fromEntries(authorizationUrl.searchParams)).toMatchObject({
    code_challenge_method: "S256",
    client_id: "client-1",
    resource: oauth.url,
  });
  const { workflow, result } = await runStep({ server: id, tool: "forecast", arguments: { city: "Oslo" } });
  expect(result.task).toMatchObject({ status: "completed", result: { output: { degrees: 21 } } });
  expect(JSON.stringify(result)).not.toMatch(/access-|refresh-/);
  const rows = await app.sql(`select * from mcp_server where id = '${id}'`);
  expect(JSON.stringify(rows)).not.toMatch(/access-1|refresh-1|client-secret/);
  const uses = await alice.get(`/api/mcp-servers/${id}/used-by`);
  expect(uses.body).toMatchObject({ workflows: [{ id: workflow.id, name: "Calls" }], agents: [] });
});

test("an authorization ends once, for the user who started it, and only from the issuer that was asked", async () => {
  const oauth = await startOauthServer();
  const server = await store(alice, { url: oauth.url, auth: "oauth" });
  const start = async () =>
    (await alice.post(`/api/mcp-servers/${server.id}/authorize`, {})).body.authorizationUrl;
  const failed = { status: 400, body: { error: "mcp_authorization_failed" } };

  const answer = await oauth.consent(await start());
  expect(await bob.post("/api/mcp-servers/callback", answer)).toMatchObject(failed);
  expect(await alice.post("/api/mcp-servers/callback", answer)).toMatchObject({ status: 200 });
  expect(await alice.post("/api/mcp-servers/callback", answer)).toMatchObject(failed);

  await alice.post(`/api/mcp-servers/${server.id}/disconnect`, {});
  oauth.options.iss = "https://evil.example";
  const calls = oauth.tokenCalls.length;
  const mixedUp = await oauth.consent(await start());
  expect(await alice.post("/api/mcp-servers/callback", mixedUp)).toMatchObject(failed);
  const { iss: _iss, ...without } = await oauth.consent(await start());
  expect(await alice.post("/api/mcp-servers/callback", without)).toMatchObject(failed);
  // The code is never sent when the issuer is wrong or missing.
  expect(oauth.tokenCalls.length).toBe(calls);
  expect((await alice.get(`/api/mcp-servers/${server.id}`)).body.server.authorization).toBe("needed");
});

test("a refused token is refreshed once for many calls, and a refused refresh asks to connect again", async () => {
  const oauth = await startOauthServer();
  const { id } = await connect(oauth);
  oauth.expireAccessTokens();
  const calls = Array.from({ length: 5 }, () =>
    runStep({ server: id, tool: "forecast", arguments: { city: "Oslo" } }),
  );
  for (const { result } of await Promise.all(calls)) expect(result.task.status).toBe("completed");
  const refreshes = oauth.tokenCalls.filter((form) => form["grant_type"] === "refresh_token");
  expect(refreshes).toHaveLength(1);
  expect(refreshes[0]).toMatchObject({ refresh_token: "refresh-1", resource: oauth.url });

  oauth.expireAccessTokens();
  oauth.refuseTokens("invalid_grant");
  const { result } = await runStep({ server: id, tool: "forecast", arguments: { city: "Oslo" } });
  expect(result.task).toMatchObject({ status: "failed", error: { code: "mcp_authorization_required" } });
  expect((await alice.get(`/api/mcp-servers/${id}`)).body.server.authorization).toBe("needed");
  expect((await alice.get(`/api/mcp-servers/${id}/tools`)).body.error).toBe("mcp_authorization_required");
  expect((await alice.post(`/api/mcp-servers/${id}/test`, {})).body.test.status).toBe(
    "authorization_required",
  );
});

test("a server that asks for more scopes gets them at the next connection", async () => {
  const oauth = await startOauthServer({ requiredScope: "write" });
  const { id } = await connect(oauth);
  const { result } = await runStep({ server: id, tool: "as-text" });
  expect(result.task.error.code).toBe("mcp_authorization_required");
  const { body } = await alice.post(`/api/mcp-servers/${id}/authorize`, {});
  expect(new URL(body.authorizationUrl).searchParams.get("scope")).toBe("read write");
  await alice.post("/api/mcp-servers/callback", await oauth.consent(body.authorizationUrl));
  expect((await runStep({ server: id, tool: "as-text" })).result.task.result.output).toBe("12 degrees");
});

test("[S6] metadata of a server cannot send the user to a script or another issuer's client to it", async () => {
  const script = await startOauthServer({ metadata: { authorization_endpoint: "javascript:alert(1)" } });
  const server = await store(alice, { url: script.url, auth: "oauth" });
  const refused = await alice.post(`/api/mcp-servers/${server.id}/authorize`, {});
  expect(refused).toMatchObject({ status: 400, body: { error: "mcp_authorization_failed" } });
  const foreign = await startOauthServer({ metadata: { issuer: "https://other.example" } });
  const second = await store(alice, { url: foreign.url, auth: "oauth" });
  const mismatch = await alice.post(`/api/mcp-servers/${second.id}/authorize`, {});
  expect(mismatch).toMatchObject({ status: 400, body: { error: "mcp_authorization_failed" } });
});

test("a client that the user configured is used in place of a registration", async () => {
  const oauth = await startOauthServer();
  const { authorizationUrl } = await connect(oauth, {
    oauth: { clientId: "mine", clientSecret: "configured-secret", scope: "mail" },
  });
  expect(oauth.registrations).toEqual([]);
  expect(authorizationUrl.searchParams.get("client_id")).toBe("mine");
  expect(authorizationUrl.searchParams.get("scope")).toBe("mail");
  expect(JSON.stringify((await alice.get("/api/mcp-servers")).body)).not.toContain("configured-secret");
});

test("invalid servers are rejected, and a step needs exactly one of server and url", async () => {
  for (const given of [
    {},
    { url: "file:///etc/passwd" },
    { url: "http://user:password@example.com/" },
    { url: "https://example.com", stdio: "files" },
    { url: "https://example.com", headers: { "bad name": "x" } },
    { url: "https://example.com", headers: { a: "x\r\ny: z" } },
  ])
    expect((await alice.post("/api/mcp-servers", { name: "x", ...given })).status).toBe(400);
  for (const fields of [
    { tool: "x" },
    { server: "mcp_1", url: "https://example.com", tool: "x" },
    { server: "mcp_1", headers: { a: "b" }, tool: "x" },
    { server: "mcp_1" },
    { server: "mcp_1", operation: "resource" },
  ]) {
    const steps = [{ stepId: "call", type: "mcp", ...fields }];
    const { status } = await alice.post("/api/workflows", { name: "x", metadata: { steps, edges: [] } });
    expect(status, JSON.stringify(fields)).toBe(422);
  }
});

test("a step cannot use the server of another user", async () => {
  const { url, requests } = await listen(mcpHandler);
  const { body } = await bob.post("/api/mcp-servers", { name: "Bob's", url });
  const { result } = await runStep({ server: body.server.id, tool: "as-text" });
  expect(result.task).toMatchObject({ status: "failed", error: { code: "forbidden" } });
  expect(requests).toEqual([]);
});

test("[S20] a server that returns its own credentials does not get them into a run", async () => {
  const secret = "sk-live-0123456789";
  const { url } = await listen(
    scriptedServer("modern", ({ id, params, headers }, response) => {
      const isError = (params["arguments"] as { fail?: boolean }).fail === true;
      const content = [{ type: "text", text: `you sent ${String(headers.authorization)}` }];
      return answer(response, id, { resultType: "complete", isError, content });
    }),
  );
  const { id } = await store(alice, { url, headers: { Authorization: `Bearer ${secret}` } });
  for (const fail of [false, true]) {
    const { result } = await runStep({ server: id, tool: "work", arguments: { fail } });
    expect(result.task.status).toBe(fail ? "failed" : "completed");
    expect(JSON.stringify(result)).toContain("you sent");
    expect(JSON.stringify(result)).not.toContain(secret);
  }
});

test("authorization servers can fetch the client metadata of a public service", async () => {
  const { body } = await app.anonymous.get("/client-metadata.json");
  expect(body).toMatchObject({
    client_id: expect.stringMatching(/\/client-metadata\.json$/),
    redirect_uris: [expect.stringMatching(/\/mcp-servers\/callback$/)],
    token_endpoint_auth_method: "none",
  });
});

test("saving a workflow warns about servers and tools that do not exist", async () => {
  const { url } = await listen(mcpHandler);
  const { id } = await store(alice, { url });
  await alice.get(`/api/mcp-servers/${id}/tools`);
  const step = (stepId: string, fields: object) => ({ stepId, type: "mcp", ...fields });
  const steps = [
    step("good", { server: id, tool: "forecast" }),
    step("any", { server: "{{input.server}}", tool: "x" }),
    step("other-tool", { server: id, tool: "tides" }),
    {
      stepId: "each",
      type: "foreach",
      items: "{{input.items}}",
      steps: [step("gone", { server: "mcp_gone", tool: "x" })],
      edges: [],
    },
  ];
  const edges = ["any", "other-tool", "each"].map((target, index) => ({
    id: `e${index}`,
    source: steps[index]!.stepId,
    target,
  }));
  const { body } = await alice.post("/api/workflows", { name: "x", metadata: { steps, edges } });
  const found = (warnings: { code: string; stepId: string }[]) =>
    warnings.map(({ code, stepId }) => [code, stepId]).filter(([code]) => code!.startsWith("unknown_mcp"));
  const expected = [
    ["unknown_mcp_tool", "other-tool"],
    ["unknown_mcp_server", "gone"],
  ];
  expect(found(body.warnings)).toEqual(expected);
  const draft = await alice.put(`/api/workflows/${body.workflow.id}/draft`, { metadata: { steps, edges } });
  expect(found(draft.body.warnings)).toEqual(expected);
});

test("an agent names only servers of its owner, and calls their tools", async () => {
  const { url } = await listen(mcpHandler);
  const { id } = await store(alice, { url });
  const bobs = await store(bob, { url });
  const create = (server: string) =>
    alice.post("/api/agents", { name: "Ann", tools: { workflows: [], documents: [], mcp: [{ server }] } });
  expect(await create(bobs.id)).toMatchObject({ status: 403 });
  expect(await create("mcp_gone")).toMatchObject({ status: 404, body: { error: "mcp_server_not_found" } });
  const { body } = await create(id);
  expect(body.agent.tools.mcp).toEqual([{ server: id }]);
  expect((await alice.get(`/api/mcp-servers/${id}/used-by`)).body.agents).toEqual([
    { id: body.agent.id, name: "Ann" },
  ]);
  const call = { name: "weather_forecast", arguments: { city: "Oslo" } };
  model.answerWith({ toolCalls: [call] }, "It is 21 degrees.");
  const answer = await alice.post(`/api/agents/${body.agent.id}/run`, { input: "Weather in Oslo?" });
  expect(answer.body.output).toBe("It is 21 degrees.");
  expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toContain("21");
});

test("an agent's MCP tool that asks waits under Approvals with its arguments, and runs once it is approved", async () => {
  let calls = 0;
  const { url } = await listen((request, response) => {
    calls += request.headers["mcp-method"] === "tools/call" ? 1 : 0;
    return mcpHandler(request, response);
  });
  const { id } = await store(alice, { url });
  const tools = { workflows: [], documents: [], mcp: [{ server: id, permission: "ask" }] };
  const { agent } = (await alice.post("/api/agents", { name: "Ann", tools })).body;
  model.answerWith(({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? `The tool said: ${JSON.stringify(messages.at(-1))}`
      : { toolCalls: [{ name: "weather_forecast", arguments: { city: "Oslo" } }] },
  );
  const steps = [{ stepId: "ann", type: "agent", agentId: agent.id, input: "Weather in Oslo?" }];
  const { workflow } = (await alice.post("/api/workflows", { name: "Ask", metadata: { steps } })).body;
  const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run`, {})).body;
  const approvals = async () => (await alice.get("/api/approvals")).body.approvals;
  await expect.poll(approvals, { timeout: 20_000 }).toHaveLength(1);
  const [approval] = await approvals();
  expect(approval).toMatchObject({
    message: expect.stringMatching(/^Allow Ann to use Weather: /),
    context: { city: "Oslo" },
  });
  expect(calls).toBe(0);
  await alice.post(`/api/tasks/${approval.taskId}/resume`, { decision: "approve" });
  const output = async () => (await alice.get(`/api/tasks/${taskId}`)).body.task.result?.output;
  await expect.poll(output, { timeout: 20_000 }).toContain("21");
  expect(calls).toBe(1);
});
