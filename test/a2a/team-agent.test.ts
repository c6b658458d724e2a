import { TaskState } from "@a2a-js/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import {
  startStubModelServer,
  type StubModelServer,
  stubModelSettings,
} from "../support/stub-model-server.ts";
import { makeAgents, makeTeam, type MadeTeam, readLog, until } from "../teams/team-app.ts";
import { type Binding, clientFor, dataPart, say, sendFor } from "./a2a-client.ts";

let app: TestApp;
let stub: StubModelServer;
let ada: RegisteredUser;
let team: MadeTeam;
let base: string;

beforeAll(async () => {
  stub = await startStubModelServer();
  app = await createTestApp({ ...stubModelSettings(stub), RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const address = await app.listen();
  ada = await registerUser(app, "ada");
  team = await makeTeam(ada, {
    agents: await makeAgents(ada, "Ann"),
    externalAgents: [
      { name: "scout", capabilities: [] },
      { name: "rover", capabilities: [] },
    ],
  });
  base = `${address}/a2a/${team.id}`;
});

afterAll(async () => {
  await app.close();
  await stub.close();
});

const headersOf = (name: string) => ({ "x-a2a-secret": team.a2aSecret, "x-a2a-agent": name });

async function clientOf(name: string, binding: Binding = "JSONRPC") {
  return clientFor(base, binding, headersOf(name));
}

/** A request without the SDK. */
async function call(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "a2a-version": "1.0",
      ...headersOf("scout"),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

describe("errors of the bindings", () => {
  const rpcCode = async (body: unknown, headers?: Record<string, string>) => {
    const response = await call("", body, headers);
    return [response.status, response.body["error"].code, response.body["id"]];
  };

  test("a malformed JSON-RPC request gets the code of JSON-RPC", async () => {
    expect(await rpcCode('{"jsonrpc":')).toEqual([200, -32700, null]);
    expect(await rpcCode("")).toEqual([200, -32600, null]);
    expect(await rpcCode([])).toEqual([200, -32600, null]);
    expect(await rpcCode({ jsonrpc: "1.0", id: 1, method: "GetTask" })).toEqual([200, -32600, 1]);
    expect(await rpcCode({ jsonrpc: "2.0", id: 1 })).toEqual([200, -32600, 1]);
    expect(await rpcCode({ jsonrpc: "2.0", id: {}, method: "GetTask" })).toEqual([200, -32600, null]);
    expect(await rpcCode({ jsonrpc: "2.0", id: "a", method: "Nothing", params: {} })).toEqual([
      200,
      -32601,
      "a",
    ]);
  });

  test.each(["1.0", "0.3"])("a request of A2A %s may omit params", async (version) => {
    const headers = { "a2a-version": version };
    const method = version === "1.0" ? "ListTasks" : "agent/getAuthenticatedExtendedCard";
    expect((await call("", { jsonrpc: "2.0", id: 1, method }, headers)).body).toHaveProperty("result");
    expect(await rpcCode({ jsonrpc: "2.0", id: 1, method: "Nothing" }, headers)).toEqual([200, -32601, 1]);
  });

  test.each([
    [{ message: "text" }],
    [{ message: { messageId: "m", role: "ROLE_USER", parts: [null] } }],
    [{ message: { messageId: "m", role: "ROLE_USER", parts: [] } }],
    [{ message: { messageId: "m", role: "ROLE_USER", parts: [{}] } }],
    [{ message: { messageId: "m", parts: [{ text: "Hello" }] } }],
    [{ message: { role: "ROLE_USER", parts: [{ text: "Hello" }] } }],
    [{ message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "\0" }] } }],
  ])("a message such as %j is an invalid parameter in both bindings", async (params) => {
    expect(await rpcCode({ jsonrpc: "2.0", id: 1, method: "SendMessage", params })).toEqual([200, -32602, 1]);
    const { status, body } = await call("/message:send", params);
    expect([status, body]).toMatchObject([400, { error: { code: 400, status: "INVALID_ARGUMENT" } }]);
  });

  test("malformed JSON and another content type are errors of HTTP+JSON in its own shape", async () => {
    expect(await call("/message:send", "{")).toMatchObject({
      status: 400,
      body: { error: { code: 400, status: "INVALID_ARGUMENT" } },
    });
    expect(await call("/message:send", "Hello", { "content-type": "text/plain" })).toMatchObject({
      status: 415,
      body: { error: { code: 415 } },
    });
    expect(await rpcCode("Hello", { "content-type": "text/plain" })).toEqual([415, -32005, null]);
  });

  test("files that agents cannot read, and outputs that they cannot make, are refused by their type", async () => {
    const client = await clientOf("scout");
    const image = {
      content: { $case: "raw" as const, value: Buffer.from("x") },
      metadata: undefined,
      filename: "x.png",
      mediaType: "image/png",
    };
    await expect(client.sendMessage(say([image]))).rejects.toMatchObject({
      name: "ContentTypeNotSupportedError",
    });
    await expect(
      client.sendMessage(say("Draw", {}, { acceptedOutputModes: ["image/png"] })),
    ).rejects.toMatchObject({ name: "ContentTypeNotSupportedError" });
  });

  test("the address with a trailing slash is the same agent", async () => {
    const { body } = await call("/", { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } });
    expect(body["error"]).toMatchObject({
      code: -32001,
      message: expect.stringContaining('there is no task "x".'),
    });
  });

  test("an unknown version is refused, and the version may be a query parameter", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } };
    expect(await rpcCode(request, { "a2a-version": "2.0" })).toEqual([200, -32009, 1]);
    expect((await call("?A2A-Version=1.0", request, { "a2a-version": "" })).body["error"].code).toBe(-32601);
    const response = await fetch(`${base}/tasks/x?A2A-Version=1.0.0`, { headers: headersOf("scout") });
    expect(response.status).toBe(404);
  });
});

describe.each<Binding>(["JSONRPC", "HTTP+JSON"])("tasks of a caller over %s", (binding) => {
  test("are listed by their last change, in pages, with filters", async () => {
    const client = await clientOf("rover", binding);
    const first = await sendFor(client, "One");
    const second = await sendFor(client, "Two");
    const third = await sendFor(client, "Three", { contextId: first.contextId });
    const list = (more: object) =>
      client.listTasks({
        tenant: "",
        contextId: "",
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: undefined,
        pageToken: "",
        historyLength: undefined,
        statusTimestampAfter: undefined,
        includeArtifacts: undefined,
        ...more,
      });
    const page = await list({ pageSize: 2, historyLength: 1 });
    expect(page.tasks.map(({ id }) => id)).toEqual([third.id, second.id]);
    expect(page.tasks.map(({ history }) => history.length)).toEqual([1, 1]);
    expect(page.tasks.flatMap(({ artifacts }) => artifacts)).toEqual([]);
    const rest = await list({ pageSize: 2, pageToken: page.nextPageToken, includeArtifacts: true });
    expect(rest.tasks[0]).toMatchObject({ id: first.id, artifacts: [{ name: "result" }] });
    expect(rest.nextPageToken === "").toBe(rest.totalSize <= 4);

    const ofContext = await list({ contextId: first.contextId });
    expect([ofContext.tasks.map(({ id }) => id), ofContext.totalSize]).toEqual([[third.id, first.id], 2]);
    expect((await list({ contextId: first.contextId, status: TaskState.TASK_STATE_FAILED })).tasks).toEqual(
      [],
    );
    const after = await list({ statusTimestampAfter: "2100-01-01T00:00:00Z" });
    expect([after.tasks, after.totalSize, after.nextPageToken]).toEqual([[], 0, ""]);
    for (const wrong of [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageToken: "wrong" },
      { historyLength: -1 },
      { statusTimestampAfter: "yesterday" },
    ])
      await expect(list(wrong)).rejects.toMatchObject({ name: "RequestMalformedError" });
  });

  test("are visible to no other caller of the same team", async () => {
    const scout = await clientOf("scout", binding);
    const rover = await clientOf("rover", binding);
    const task = await sendFor(scout, "Mine");
    const id = { tenant: "", id: task.id };
    const unknown = { name: "TaskNotFoundError" };
    await expect(rover.getTask({ ...id, historyLength: undefined })).rejects.toMatchObject(unknown);
    await expect(rover.cancelTask({ ...id, metadata: undefined })).rejects.toMatchObject(unknown);
    await expect(rover.sendMessage(say("More", { taskId: task.id }))).rejects.toMatchObject(unknown);
    const { tasks } = await rover.listTasks({
      tenant: "",
      contextId: task.contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
    } as never);
    expect(tasks).toEqual([]);
  });

  test("a message with the id of a task continues it, and one with a known id and another text is refused", async () => {
    const client = await clientOf("scout", binding);
    stub.answerWith({ hang: true });
    const task = await sendFor(client, "Begin", {}, { returnImmediately: true });
    const continued = await sendFor(client, "Go on", { taskId: task.id }, { returnImmediately: true });
    expect(continued.id).toBe(task.id);
    expect(continued.history.map(({ parts }) => parts[0]?.content)).toEqual([
      { $case: "text", value: "Begin" },
      { $case: "text", value: "Go on" },
    ]);
    await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    stub.answerWith("Done");
    await expect(sendFor(client, "More", { taskId: task.id })).rejects.toMatchObject({
      name: "UnsupportedOperationError",
    });

    const messageId = `again-${binding}`;
    const once = await sendFor(client, "Same", { messageId });
    expect((await sendFor(client, "Same", { messageId })).id).toBe(once.id);
    await expect(sendFor(client, "Other", { messageId })).rejects.toMatchObject({
      name: "RequestMalformedError",
    });
    const { contextId } = once;
    const next = { messageId: `${messageId}-2`, contextId };
    await sendFor(client, "Same", next);
    await expect(sendFor(client, "Other", next)).rejects.toMatchObject({ name: "RequestMalformedError" });
  });

  test("an approval of a workflow that the team runs asks the caller, whose reply decides it", async () => {
    const { body } = await ada.post("/api/workflows", {
      name: "Pay",
      metadata: { steps: [{ stepId: "ask", type: "approval", message: "Pay 5?" }], edges: [] },
    });
    const { agent } = (
      await ada.post("/api/agents", { name: "Pia", tools: { workflows: [body.workflow.id] } })
    ).body;
    const payers = await makeTeam(ada, {
      agents: [agent.id],
      externalAgents: [{ name: "scout", capabilities: [] }],
    });
    const address = base.replace(team.id, payers.id);
    const client = await clientFor(address, binding, {
      ...headersOf("scout"),
      "x-a2a-secret": payers.a2aSecret,
    });
    stub.answerWith({ toolCalls: [{ name: "run_pay", arguments: { input: {} } }] }, "Paid");
    const task = await sendFor(client, "Pay it");
    expect([task.status?.state, task.status?.message?.parts[0]?.content]).toEqual([
      TaskState.TASK_STATE_INPUT_REQUIRED,
      { $case: "text", value: "Pay 5?" },
    ]);
    const unclear = await sendFor(client, "Hm", { taskId: task.id }, { returnImmediately: true });
    expect(unclear.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const paid = await sendFor(client, [dataPart({ decision: "approve" })], { taskId: task.id });
    expect([paid.id, paid.status?.state, paid.artifacts[0]?.parts[0]?.content]).toEqual([
      task.id,
      TaskState.TASK_STATE_COMPLETED,
      { $case: "text", value: "Paid" },
    ]);
  });
});

test("an answer decides the question that the caller saw, also when it is sent again", async () => {
  const names = ["first", "second", "third"];
  const { workflow } = (
    await ada.post("/api/workflows", {
      name: "Steps",
      metadata: {
        steps: names.map((stepId) => ({ stepId, type: "approval", message: `Go ${stepId}?` })),
        edges: [
          { id: "a", source: "first", target: "second" },
          { id: "b", source: "second", target: "third" },
        ],
      },
    })
  ).body;
  const { agent } = (await ada.post("/api/agents", { name: "Sia", tools: { workflows: [workflow.id] } }))
    .body;
  const goers = await makeTeam(ada, {
    agents: [agent.id],
    externalAgents: [{ name: "scout", capabilities: [] }],
  });
  const client = await clientFor(base.replace(team.id, goers.id), "JSONRPC", {
    ...headersOf("scout"),
    "x-a2a-secret": goers.a2aSecret,
  });
  stub.answerWith({ toolCalls: [{ name: "run_steps", arguments: { input: {} } }] }, "Asked");
  const { id } = await sendFor(client, "Go");
  const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflow.id}`)).body;
  const open = async (): Promise<string[]> =>
    (await ada.get(`/api/approvals?taskId=${tasks[0].id}`)).body.approvals.map(
      ({ stepId }: { stepId: string }) => stepId,
    );
  const opens = async (stepId: string) => {
    await until(open, (found) => found.includes(stepId));
    await until(
      async () => (await ada.get(`/api/tasks/${tasks[0].id}`)).body.task.status,
      (status) => status === "waiting_approval",
    );
  };
  const read = () => client.getTask({ tenant: "", id, historyLength: undefined });
  const answer = (parts: Parameters<typeof say>[0], messageId: string) =>
    sendFor(client, parts, { taskId: id, messageId }, { returnImmediately: true });

  await answer("approve", "one");
  await opens("second");
  await read();
  await answer("approve", "one");
  expect(await open()).toEqual(["second"]);

  await ada.post(`/api/tasks/${tasks[0].id}/resume`, { stepId: "second", decision: "approve" });
  await opens("third");
  await answer("approve", "two");
  expect(await open()).toEqual(["third"]);
  await answer([dataPart({ decision: "approve", question: "another" })], "three");
  expect(await open()).toEqual(["third"]);
  await until(read, ({ status }) => status?.state === TaskState.TASK_STATE_INPUT_REQUIRED);
  const seen = { sessionId: id.split(".")[0], from: { id: "scout", type: "external" }, content: {} };
  await app.anonymous.post(`/webhook/a2a/${goers.id}`, seen, { "x-a2a-secret": goers.a2aSecret });
  await answer("approve", "four");
  expect(await open()).toEqual([]);
  await until(read, ({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED);
  expect((await answer("approve", "four")).id).toBe(id);
});

test("a message of another agent at the webhook continues the open task, and leaves an ended one as it is", async () => {
  const client = await clientOf("scout");
  const hook = async (sessionId: string) => {
    const message = { sessionId, from: { id: "rover", type: "external" }, content: { text: "Seen" } };
    const { status } = await app.anonymous.post(`/webhook/a2a/${team.id}`, message, {
      "x-a2a-secret": team.a2aSecret,
    });
    expect(status).toBe(200);
  };
  const read = (id: string) => client.getTask({ tenant: "", id, historyLength: undefined });
  stub.answerWith({ hang: true });
  const open = await sendFor(client, "Look", {}, { returnImmediately: true });
  await hook(open.contextId);
  const { status, history } = await read(open.id);
  expect([status?.state, history.length]).toEqual([TaskState.TASK_STATE_WORKING, 2]);
  await client.cancelTask({ tenant: "", id: open.id, metadata: undefined });

  stub.answerWith("Done");
  const ended = await sendFor(client, "Look");
  stub.answerWith({ hang: true });
  await hook(ended.contextId);
  expect(await read(ended.id)).toMatchObject({
    status: { state: TaskState.TASK_STATE_COMPLETED },
    artifacts: [{ name: "result" }],
    history: ended.history,
  });
  await ada.post(`/api/agent-teams/sessions/${ended.contextId}/cancel`);
  stub.answerWith("Done");
});

test("an external agent neither decides nor cancels in a session that another caller started", async () => {
  const { workflow } = (
    await ada.post("/api/workflows", {
      name: "Spend",
      metadata: { steps: [{ stepId: "ask", type: "approval", message: "Spend 9?" }], edges: [] },
    })
  ).body;
  const { agent } = (await ada.post("/api/agents", { name: "Sam", tools: { workflows: [workflow.id] } }))
    .body;
  const spenders = await makeTeam(ada, {
    agents: [agent.id],
    externalAgents: ["lead", "scout"].map((name) => ({ name, capabilities: [] })),
  });
  const clientNamed = (name: string) =>
    clientFor(base.replace(team.id, spenders.id), "JSONRPC", {
      "x-a2a-agent": name,
      "x-a2a-secret": spenders.a2aSecret,
    });
  stub.answerWith({ toolCalls: [{ name: "run_spend", arguments: { input: {} } }] }, "Asked", "Noted");
  const { contextId, status } = await sendFor(await clientNamed("lead"), "Spend it");
  expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);

  const scout = await clientNamed("scout");
  const posted = await sendFor(scout, "approve", { contextId });
  expect(posted.status?.state).not.toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  await sendFor(scout, "approve", { taskId: posted.id }).catch(() => {});
  await expect(scout.cancelTask({ tenant: "", id: posted.id, metadata: undefined })).rejects.toThrow();
  const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflow.id}`)).body;
  expect(tasks).toMatchObject([{ status: "waiting_approval" }]);
});

describe("a client of 0.3", () => {
  test("reads the card, sends, streams, gets, continues and cancels", async () => {
    stub.answerWith("Hello back");
    const client = await clientOf("scout", "0.3");
    const task = await sendFor(client, "Hello");
    expect([task.status?.state, task.artifacts[0]?.parts[0]?.content]).toEqual([
      TaskState.TASK_STATE_COMPLETED,
      { $case: "text", value: "Hello back" },
    ]);
    const kinds: (string | undefined)[] = [];
    for await (const { payload } of client.sendMessageStream(say("And?", { contextId: task.contextId })))
      kinds.push(payload?.$case);
    expect([kinds[0], kinds.at(-1)]).toEqual(["task", "statusUpdate"]);
    const { history } = await client.getTask({ tenant: "", id: task.id, historyLength: 1 });
    expect(history).toHaveLength(1);
    stub.answerWith({ hang: true });
    const open = await sendFor(client, "Wait", {}, { returnImmediately: true });
    const cancelled = await client.cancelTask({ tenant: "", id: open.id, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await readLog(ada, open.contextId)).toHaveLength(2);
    await expect(client.getTask({ tenant: "", id: "x", historyLength: undefined })).rejects.toThrow(
      /no task/,
    );
  });

  test("gets errors of 0.3 for a message of the wrong form", async () => {
    const send = (message: unknown) =>
      call("", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } }, { "a2a-version": "" });
    expect((await send({ messageId: "m", role: "user", parts: [null] })).body["error"].code).toBe(-32602);
    expect((await send(7)).body["error"].code).toBe(-32602);
  });
});

describe("the card", () => {
  const path = "/.well-known/agent-card.json";

  test("is unchanged for a client that has its ETag, and changes with the team", async () => {
    const first = await fetch(base + path);
    const etag = first.headers.get("etag")!;
    expect(first.headers.get("cache-control")).toBe("public, max-age=60");
    const same = await fetch(base + path, { headers: { "if-none-match": `"other" , ${etag}` } });
    expect([same.status, await same.text()]).toEqual([304, ""]);
    await ada.patch(`/api/agent-teams/${team.id}`, { description: "New" });
    const changed = await fetch(base + path, { headers: { "if-none-match": etag } });
    expect([changed.status, ((await changed.json()) as { description: string }).description]).toEqual([
      200,
      "New",
    ]);
  });

  test("has the fields of 0.3 beside those of 1.0, except for a client that speaks 1.0", async () => {
    const current = await fetch(base + path, { headers: { "a2a-version": "1.0" } });
    const card = (await current.json()) as Record<string, any>;
    expect([card["url"], card["securitySchemes"]["secret"]]).toEqual([
      undefined,
      { apiKeySecurityScheme: expect.objectContaining({ location: "header" }) },
    ]);
    expect(await (await fetch(base + path)).json()).toMatchObject({
      protocolVersion: "0.3.0",
      url: base,
      preferredTransport: "JSONRPC",
      supportsAuthenticatedExtendedCard: true,
      security: [{ secret: [], agent: [] }, { bearer: [] }],
      securitySchemes: {
        secret: {
          type: "apiKey",
          in: "header",
          name: "x-a2a-secret",
          apiKeySecurityScheme: { location: "header", name: "x-a2a-secret" },
        },
      },
    });
  });

  test("is extended for authenticated callers by the members of the team", async () => {
    for (const binding of ["JSONRPC", "HTTP+JSON", "0.3"] as const) {
      const card = await (await clientOf("scout", binding)).getAgentCard();
      expect(card.skills.map(({ name }) => name)).toEqual(["Ann-work", "Ann", "scout", "rover"]);
    }
    expect((await fetch(`${base}/extendedAgentCard`)).status).toBe(401);
  });
});

describe("a key of the owner", () => {
  const bearer = async (owner: RegisteredUser, scopes: string[]) => ({
    authorization: `Bearer ${(await owner.post("/api/keys", { scopes })).body.rawKey}`,
  });

  test("with the scope a2a calls the team in its own name; other keys do not", async () => {
    stub.answerWith("Hello back");
    const key = await bearer(ada, ["a2a"]);
    const client = await clientFor(base, "JSONRPC", key);
    const task = await sendFor(client, "Hello");
    expect((await readLog(ada, task.contextId))[0]?.from).toMatchObject({ type: "user" });
    const other = await clientFor(base, "JSONRPC", await bearer(ada, ["a2a"]));
    await expect(other.getTask({ tenant: "", id: task.id, historyLength: undefined })).rejects.toMatchObject({
      name: "TaskNotFoundError",
    });
    const status = async (headers: Record<string, string>) => {
      const response = await fetch(`${base}/tasks`, { headers: { ...headers, "a2a-version": "1.0" } });
      return [response.status, ((await response.json()) as { error?: unknown }).error];
    };
    expect(await status(await bearer(ada, ["endpoints"]))).toEqual([403, "insufficient_scope"]);
    expect(await status({ authorization: "Bearer wrong" })).toEqual([401, "invalid_token"]);
    const eve = await registerUser(app, "eve");
    expect(await status(await bearer(eve, ["a2a"]))).toEqual([404, "team_not_found"]);
    expect(
      (
        await until(
          () => status(key),
          ([code]) => code === 200,
        )
      )[0],
    ).toBe(200);
  });
});
