import { expect, test } from "vitest";
import { shareApp } from "../support/shared-app.ts";
import { until } from "../teams/team-app.ts";
import { connectClient, createKey, exposeWorkflow, messagesOf, text } from "./mcp-app.ts";

const { app, alice } = await shareApp(["alice"]);
const url = await app.listen();
const key = await createKey(alice);
await exposeWorkflow(alice, "wait", [
  text("first", 1),
  { stepId: "pause", type: "delay", seconds: 3600 },
  text("end", "done"),
]);
await exposeWorkflow(alice, "publish", [
  { stepId: "review", type: "approval", message: "Publish?" },
  text("published", "{{steps.review.output.decision}}"),
]);

await exposeWorkflow(alice, "long", [text("first", 1), text("end", '{{= "x".repeat(6000000) }}')]);

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** The response of a request, as JSON or as the last message of its stream. */
async function answerOf(response: Response): Promise<Record<string, any>> {
  if (response.headers.get("content-type")?.startsWith("application/json"))
    return (await response.json()) as Record<string, any>;
  let last: Record<string, any> = {};
  for await (const message of messagesOf(response)) last = message;
  return last;
}

const send = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    ...(signal && { signal }),
  });

function sendModern(method: string, params: object, capabilities: object = {}, signal?: AbortSignal) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    progressToken: "p1",
  };
  const { name } = params as { name?: string };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name && { "mcp-name": name }),
  };
  return send({ id: "r1", method, params: { ...params, _meta } }, headers, signal);
}

async function openSession(capabilities: object): Promise<Record<string, string>> {
  const response = await send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } },
  });
  return { "mcp-session-id": response.headers.get("mcp-session-id")! };
}

async function openStreams(): Promise<number> {
  const { body } = await alice.get("/api/limits");
  return body.limits.find(({ name }: { name: string }) => name === "streams").used;
}

const statusOf = async (taskId: string) =>
  (await alice.get(`/api/tasks/${taskId}`)).body.task.status as string;

test("a client that disconnects loses nothing: its run continues and has the id it was told", async () => {
  const left = new AbortController();
  const response = await sendModern("tools/call", { name: "wait", arguments: {} }, {}, left.signal);
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  const messages = messagesOf(response);
  const started = (await messages.next()).value!;
  const taskId = started["params"]._meta["baton/taskId"] as string;
  // The second message: the run is under way.
  expect((await messages.next()).value!["params"]).toMatchObject({ progress: 1, message: "first completed" });
  left.abort();
  // The service has noticed: the request no longer counts as a stream of its owner.
  await until(openStreams, (count) => count === 0);
  expect(
    await until(
      () => statusOf(taskId),
      (status) => status !== "running",
    ),
  ).toBe("waiting");
});

test("notifications/cancelled cancels the run of the request, of this session only", async () => {
  const [session, other] = [await openSession({}), await openSession({})];
  const call = { name: "wait", arguments: {}, _meta: { progressToken: 1 } };
  const messages = messagesOf(await send({ id: 7, method: "tools/call", params: call }, session));
  const taskId = (await messages.next()).value!["params"]._meta["baton/taskId"] as string;
  const cancel = { method: "notifications/cancelled", params: { requestId: 7 } };
  expect((await send(cancel, other)).status).toBe(202);
  expect(await statusOf(taskId)).toMatch(/running|waiting/);
  expect((await send(cancel, session)).status).toBe(202);
  // The stream ends without a response.
  for await (const message of messages) expect(message).toMatchObject({ method: "notifications/progress" });
  expect(await statusOf(taskId)).toBe("cancelled");
});

test("the official client cancels a call and receives nothing more of it", async () => {
  const client = await connectClient(url, { version: "2025-11-25", key });
  const unexpected: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => void unexpected.push(error) });
  const cancel = new AbortController();
  let taskId = "";
  const call = client.callTool(
    { name: "wait", arguments: {} },
    {
      signal: cancel.signal,
      onprogress: ({ message = "" }) => {
        taskId ||= /task_\w+/.exec(message)?.[0] ?? "";
        if (message === "first completed") cancel.abort("No longer needed");
      },
    },
  );
  await expect(call).rejects.toThrow("No longer needed");
  await until(
    () => statusOf(taskId),
    (status) => status === "cancelled",
  );
  await until(openStreams, (count) => count === 0);
  await client.listTools();
  expect(unexpected).toEqual([]);
});

test("a cancelled request without a stream gets an empty response", async () => {
  const session = await openSession({});
  let response: Response | undefined;
  const params = { name: "wait", arguments: {} };
  void send({ id: "c", method: "tools/call", params }, session).then((answer) => (response = answer));
  // A notification that arrives before the run has started is ignored.
  const cancel = { method: "notifications/cancelled", params: { requestId: "c" } };
  await until(
    () => send(cancel, session),
    () => response !== undefined,
  );
  expect([response!.status, await response!.text()]).toEqual([202, ""]);
});

test("the answer to a form decides the approval that was asked, and no answer without its id does", async () => {
  const session = await openSession({ elicitation: {} });
  const call = { name: "publish", arguments: {} };
  const messages = messagesOf(await send({ id: 1, method: "tools/call", params: call }, session));
  const question = (await messages.next()).value!;
  expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Publish?" } });
  const taskId = question["params"]._meta["io.modelcontextprotocol/related-task"].taskId as string;
  const accept = { action: "accept", content: {} };
  for (const answer of [
    { id: `${question["id"]}x`, result: accept },
    { id: 1, result: accept },
    { id: question["id"], error: { code: -1, message: "The user is away." } },
    { id: question["id"], result: { action: "cancel" } },
  ])
    expect((await send(answer, session)).status).toBe(202);
  expect(await statusOf(taskId)).toBe("waiting_approval");
  await send({ id: question["id"], result: accept }, session);
  expect((await messages.next()).value).toMatchObject({ id: 1, result: { content: [{ text: "approve" }] } });
});

test("a dismissed form of a newer client leaves the run waiting and says where to decide", async () => {
  const ask = async (more: object) =>
    answerOf(
      await sendModern("tools/call", { name: "publish", arguments: {}, ...more }, { elicitation: {} }),
    );
  const { resultType, inputRequests, requestState } = (await ask({}))["result"];
  expect([resultType, Object.keys(inputRequests)]).toEqual(["input_required", ["review"]]);
  const dismissed = await ask({ requestState, inputResponses: { review: { action: "cancel" } } });
  expect(dismissed["result"]).toMatchObject({ structuredContent: { status: "waiting_approval" } });
  // The state belongs to these arguments.
  const accepted = { inputResponses: { review: { action: "accept" } } };
  const other = await ask({ requestState, arguments: { a: 1 }, ...accepted });
  expect(other["error"]).toMatchObject({ code: -32_602 });
  const decided = await ask({ requestState, ...accepted });
  expect(decided["result"]).toMatchObject({ content: [{ text: "approve" }] });
});

test("a subscription sends every change of a task until it has ended", async () => {
  const created = await sendModern("tools/call", { name: "publish", arguments: {} }, TASKS);
  const { taskId } = (await answerOf(created))["result"];
  const capabilities = { ...TASKS, elicitation: {} };
  const params = { notifications: { taskIds: [taskId, "task_unknown"], toolsListChanged: true } };
  const messages = messagesOf(await sendModern("subscriptions/listen", params, capabilities));
  const tag = { _meta: { "io.modelcontextprotocol/subscriptionId": "r1" } };
  expect((await messages.next()).value).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { taskIds: [taskId] }, ...tag },
  });
  const next = async (status: string) => {
    for await (const { params: task } of { [Symbol.asyncIterator]: () => ({ next: () => messages.next() }) })
      if (task.status === status) return task;
    throw new Error("The stream ended.");
  };
  expect(await next("input_required")).toMatchObject({ taskId, ...tag });
  await alice.post(`/api/tasks/${taskId}/resume`, {});
  expect(await next("completed")).toMatchObject({ result: { content: [{ text: "approve" }] } });
  await messages.return(undefined);
});

test("a result of megabytes reaches a client that follows the progress", async () => {
  const response = await sendModern("tools/call", { name: "long", arguments: {} });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const { result } = await answerOf(response);
  expect(result.content[0].text.length).toBeGreaterThan(5_999_999);
});
