import { TaskState } from "@a2a-js/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { watchLongestTurn } from "../support/longest-turn.ts";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import { until } from "../teams/team-app.ts";
import { type Binding, clientFor, dataPart, say, sendFor, textPart } from "./a2a-client.ts";

let app: TestApp;
let address: string;
let ada: RegisteredUser;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_WEBHOOK_PER_MINUTE: "0", SYNC_TIMEOUT_MS: "20000" });
  address = await app.listen();
  ada = await registerUser(app, "ada");
  headers = await keyOf(ada);
});

afterAll(() => app.close());

async function keyOf(owner: RegisteredUser, scopes = ["a2a"]): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await owner.post("/api/keys", { scopes })).body.rawKey}` };
}

/** A published workflow that is an A2A agent. */
async function makeWorkflow(steps: object[], more: object = {}): Promise<string> {
  const { body } = await ada.post("/api/workflows", {
    name: "Greeter",
    description: "Greets people",
    metadata: { steps, ...more },
  });
  const { id } = body.workflow;
  expect((await ada.put(`/api/exposures/workflow/${id}`, { a2a: true })).status).toBe(200);
  return id;
}

const echo = [{ stepId: "echo", type: "transform", template: "{{input}}" }];
const urlOf = (id: string) => `${address}/a2a/${id}`;
const taskOf = async (id: string) => (await ada.get(`/api/tasks/${id}`)).body.task;

describe.each<Binding>(["JSONRPC", "HTTP+JSON", "0.3"])("a workflow as an A2A agent over %s", (binding) => {
  test("runs with text, data and files as input, under the id of its task, and returns the result as an artifact", async () => {
    const client = await clientFor(urlOf(await makeWorkflow(echo)), binding, headers);
    const file = (value: object) => ({
      metadata: undefined,
      filename: "a.txt",
      mediaType: "text/plain",
      ...value,
    });
    const task = await sendFor(client, [
      textPart("Hello"),
      dataPart({ amount: 5 }),
      file({ content: { $case: "url", value: "https://example.com/a.txt" } }) as never,
      file({ content: { $case: "raw", value: Buffer.from("Hi") } }) as never,
    ]);
    const input = {
      message: "Hello",
      amount: 5,
      files: [
        { name: "a.txt", mediaType: "text/plain", url: "https://example.com/a.txt" },
        { name: "a.txt", mediaType: "text/plain", bytes: "SGk=" },
      ],
    };
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: "data", value: input });
    expect(await taskOf(task.id)).toMatchObject({ trigger: "a2a", status: "completed", input });
    expect(task.history[0]?.parts[0]?.content).toEqual({ $case: "text", value: "Hello" });
    const again = await client.getTask({ tenant: "", id: task.id, historyLength: 0 });
    expect([again.contextId, again.history]).toEqual([task.contextId, []]);
  });

  test("asks for the decision of an approval, and continues or is rejected by the reply", async () => {
    const id = await makeWorkflow(
      [
        { stepId: "ask", type: "approval", message: "Pay 5?", context: { amount: 5 } },
        { stepId: "done", type: "transform", template: "Paid: {{steps.ask.output.comment}}" },
      ],
      { edges: [{ id: "e", source: "ask", target: "done" }] },
    );
    const client = await clientFor(urlOf(id), binding, headers);
    const task = await sendFor(client, "Pay");
    expect([task.status?.state, task.status?.message?.parts.map(({ content }) => content)]).toEqual([
      TaskState.TASK_STATE_INPUT_REQUIRED,
      [
        { $case: "text", value: "Pay 5?" },
        { $case: "data", value: { amount: 5 } },
      ],
    ]);
    const unclear = await sendFor(client, "No problem", { taskId: task.id });
    expect([unclear.id, unclear.status?.state]).toEqual([task.id, TaskState.TASK_STATE_INPUT_REQUIRED]);
    const paid = await sendFor(client, "Yes, it is cheap", { taskId: task.id, contextId: task.contextId });
    expect([paid.status?.state, paid.artifacts[0]?.parts[0]?.content]).toEqual([
      TaskState.TASK_STATE_COMPLETED,
      { $case: "text", value: "Paid: it is cheap" },
    ]);
    expect(paid.history.map(({ role }) => role)).toEqual([1, 2, 1, 1]);
    const other = await sendFor(client, "Pay");
    const rejected = await sendFor(client, [dataPart({ decision: "reject" })], { taskId: other.id });
    expect(rejected.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
  });

  test("streams its steps and its end; a failure has its reason", async () => {
    const slow = await makeWorkflow(
      [
        { stepId: "rest", type: "delay", seconds: 0.3 },
        { stepId: "done", type: "transform", template: "Done" },
      ],
      { edges: [{ id: "e", source: "rest", target: "done" }] },
    );
    const client = await clientFor(urlOf(slow), binding, headers);
    const events: unknown[] = [];
    for await (const { payload } of client.sendMessageStream(say("Hello")))
      events.push(
        payload?.$case === "statusUpdate"
          ? (payload.value.metadata?.["stepId"] ?? payload.value.status?.state)
          : payload?.$case,
      );
    expect(events[0]).toBe("task");
    expect(events).toContain("rest");
    expect(events.slice(-2)).toEqual(["artifactUpdate", TaskState.TASK_STATE_COMPLETED]);
    const failing = await makeWorkflow([
      { stepId: "stop", type: "file", action: "read", path: "missing.txt" },
    ]);
    const failed = await sendFor(await clientFor(urlOf(failing), binding, headers), "Print");
    expect([failed.status?.state, failed.status?.message?.parts[0]?.content]).toEqual([
      TaskState.TASK_STATE_FAILED,
      { $case: "text", value: expect.stringContaining("missing") },
    ]);
  });

  test("is followed from another connection, takes no message while it works, and is cancelled", async () => {
    const id = await makeWorkflow([{ stepId: "rest", type: "delay", seconds: 600 }]);
    const client = await clientFor(urlOf(id), binding, headers);
    const task = await sendFor(client, "Wait", {}, { returnImmediately: true });
    await expect(sendFor(client, "More", { taskId: task.id })).rejects.toThrow(/while it works/);
    const states: unknown[] = [];
    const events = client.resubscribeTask({ tenant: "", id: task.id });
    for await (const { payload } of events) {
      if (payload?.$case === "task")
        await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
      if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
    }
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await taskOf(task.id)).status).toBe("cancelled");
    const ended = client.resubscribeTask({ tenant: "", id: task.id });
    await expect(ended.next()).rejects.toThrow(/ended/);
    await expect(client.cancelTask({ tenant: "", id: task.id, metadata: undefined })).rejects.toThrow(
      /ended/,
    );
  });
});

test("a repeated message is the same task, and a known id with other content is refused", async () => {
  const client = await clientFor(urlOf(await makeWorkflow(echo)), "JSONRPC", headers);
  const first = await sendFor(client, "Hello", { messageId: "same" });
  expect((await sendFor(client, "Hello", { messageId: "same" })).id).toBe(first.id);
  await expect(sendFor(client, "Other", { messageId: "same" })).rejects.toMatchObject({
    name: "RequestMalformedError",
  });
});

test("a caller is not asked what approvers must decide", async () => {
  const approvers = ada.user.email;
  const id = await makeWorkflow([{ stepId: "ask", type: "approval", message: "Go?", approvers }]);
  const client = await clientFor(urlOf(id), "JSONRPC", headers);
  const sending = sendFor(client, "Start");
  let taskId = "";
  await until(
    () => ada.get(`/api/approvals`),
    ({ body }) => {
      taskId = body.approvals.find((each: { workflowId: string }) => each.workflowId === id)?.taskId ?? "";
      return taskId !== "";
    },
  );
  const answer = say("approve", { taskId });
  await expect(client.sendMessage(answer)).rejects.toMatchObject({ name: "UnsupportedOperationError" });
  expect((await ada.post(`/api/tasks/${taskId}/resume`)).body.status).toBe("running");
  expect((await sending).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
});

test("an answer decides the question that the caller saw, and no later one", async () => {
  const names = ["first", "second", "third"];
  const id = await makeWorkflow(
    names.map((stepId) => ({ stepId, type: "approval", message: `Go ${stepId}?` })),
    {
      edges: [
        { id: "a", source: "first", target: "second" },
        { id: "b", source: "second", target: "third" },
      ],
    },
  );
  const client = await clientFor(urlOf(id), "JSONRPC", headers);
  const asked = ({ status }: Awaited<ReturnType<typeof sendFor>>) => status?.message?.parts[0]?.content;
  const { id: taskId, ...first } = await sendFor(client, "Start");
  const repeated = { taskId, messageId: "first answer" };
  expect(asked(await sendFor(client, "approve", repeated))).toMatchObject({ value: "Go second?" });
  expect(asked(await sendFor(client, "approve", repeated))).toMatchObject({ value: "Go second?" });
  await ada.post(`/api/tasks/${taskId}/resume`, { stepId: "second", decision: "approve" });
  await until(
    () => ada.get(`/api/approvals?taskId=${taskId}`),
    ({ body }) => body.approvals.some(({ stepId }: { stepId: string }) => stepId === "third"),
  );
  expect(asked(await sendFor(client, "approve", { taskId }))).toMatchObject({ value: "Go third?" });
  const old = dataPart({ decision: "approve", question: first.status?.message?.messageId });
  expect(asked(await sendFor(client, [old], { taskId }))).toMatchObject({ value: "Go third?" });
  const done = await sendFor(client, "approve", { taskId });
  expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
});

test("tasks are listed by state and context for their caller only", async () => {
  const id = await makeWorkflow([{ stepId: "ask", type: "approval", message: "Go?" }]);
  const client = await clientFor(urlOf(id), "JSONRPC", headers);
  const open = await sendFor(client, "One", { contextId: "trip" });
  const done = await sendFor(client, "Two", { contextId: "trip" });
  await sendFor(client, "approve", { taskId: done.id });
  const list = async (more: object, as = client) => {
    const { tasks, totalSize } = await as.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      ...more,
    } as never);
    return [tasks.map((task) => task.id), totalSize];
  };
  expect(await list({ contextId: "trip" })).toEqual([[done.id, open.id], 2]);
  expect(await list({ status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([[open.id], 1]);
  expect(await list({ status: TaskState.TASK_STATE_COMPLETED })).toEqual([[done.id], 1]);
  const other = await clientFor(urlOf(id), "JSONRPC", await keyOf(ada));
  expect(await list({ contextId: "trip" }, other)).toEqual([[], 0]);
  await expect(other.getTask({ tenant: "", id: open.id, historyLength: undefined })).rejects.toMatchObject({
    name: "TaskNotFoundError",
  });
  await expect(other.sendMessage(say("approve", { taskId: open.id }))).rejects.toMatchObject({
    name: "TaskNotFoundError",
  });
});

test("only a workflow that is switched on for A2A is an agent, for keys of its owner with the scope", async () => {
  const id = await makeWorkflow(echo);
  const card = () => fetch(`${urlOf(id)}/.well-known/agent-card.json`);
  const read = async (given: Record<string, string>) => {
    const response = await fetch(`${urlOf(id)}/tasks`, { headers: { "a2a-version": "1.0", ...given } });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  expect(await (await card()).json()).toMatchObject({
    name: "Greeter",
    description: "Greets people",
    skills: [{ name: "Greeter" }],
    securitySchemes: { bearer: { type: "http" } },
  });
  expect(await read(headers)).toEqual([200, undefined]);
  expect(await read({})).toEqual([401, "missing_token"]);
  expect(await read(await keyOf(ada, ["endpoints"]))).toEqual([403, "insufficient_scope"]);
  expect(await read(await keyOf(await registerUser(app, "eve")))).toEqual([404, "workflow_not_found"]);
  await ada.put(`/api/exposures/workflow/${id}`, { a2a: false });
  expect([(await card()).status, await read(headers)]).toEqual([404, [404, "workflow_not_found"]]);
});

test("the extended card lists the fields of the input, and calls are listed for the owner", async () => {
  const id = await makeWorkflow(echo, {
    inputSchema: {
      type: "object",
      properties: { city: { type: "string", description: "Where" } },
      required: ["city"],
    },
  });
  const client = await clientFor(urlOf(id), "HTTP+JSON", headers);
  expect((await client.getAgentCard()).skills[0]?.description).toContain("city (string, required): Where");
  const task = await sendFor(client, "Rome");
  expect(task.artifacts[0]?.parts[0]?.content).toMatchObject({ value: { city: "Rome" } });
  await expect(sendFor(client, [dataPart({ city: 5 })])).rejects.toMatchObject({
    name: "RequestMalformedError",
  });
  const calls = await until(
    async () => (await ada.get("/api/client-calls?protocol=a2a")).body.calls,
    (found) => found.some(({ taskId }: { taskId: string }) => taskId === task.id),
  );
  expect(calls).toContainEqual(
    expect.objectContaining({ method: "SendMessage", recordId: id, taskId: task.id, status: "ok" }),
  );
  expect(calls).toContainEqual(expect.objectContaining({ recordId: id, status: "failed" }));
});

/** Of all work of this thread, most of which is the client: a response written at once takes an eighth, in turns a twentieth. */
const LONGEST_SHARE = 1 / 10;

test("a large result is sent in short turns of the event loop, alone and in a list", async () => {
  const id = await makeWorkflow([
    { stepId: "list", type: "transform", template: "{{= Array.from({ length: 300000 }, (_, i) => [i]) }}" },
  ]);
  const call = (method: string, params: object) =>
    fetch(urlOf(id), {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "a2a-version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Hi" }] };
  const { result } = (await (await call("SendMessage", { message })).json()) as any;
  const get = (path: string) => fetch(urlOf(id) + path, { headers: { ...headers, "a2a-version": "1.0" } });
  for (const request of [
    () => call("GetTask", { id: result.task.id }),
    () => get(`/tasks/${result.task.id}`),
    () => get("/tasks?includeArtifacts=true"),
  ]) {
    // Code that blocks does so every time; a long collection of garbage does not repeat.
    let longest = 1;
    for (let attempt = 0; attempt < 4 && longest >= LONGEST_SHARE; attempt += 1) {
      const stopWatching = watchLongestTurn();
      expect((await (await request()).arrayBuffer()).byteLength).toBeGreaterThan(2_000_000);
      longest = stopWatching();
    }
    expect(longest).toBeLessThan(LONGEST_SHARE);
  }
});
