import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Edge, Step } from "../contract/graph.ts";
import { http, reach, read, run, save, serve, start, stepOf } from "../server/engine/testing/workbench.ts";
import { clientOf } from "./support/client.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, ada, bob } = await shareApp(["ada", "bob"]);

const wait = { stepId: "wait", type: "wait_event", event: "paid", key: "{{input.order}}" };
const event = { name: "paid", key: "A-1", data: { amount: 30 } };

/** The graphs of the documentation page. */
const examples = [
  ...readFileSync(new URL("../docs/build/flow.md", import.meta.url), "utf8").matchAll(
    /```json\n([\s\S]+?)```/g,
  ),
]
  .map(([, json = ""]) => JSON.parse(json) as { steps: Step[]; edges: Edge[]; stepId?: string })
  .filter(({ stepId }) => stepId === undefined);

async function waiting(input: object): Promise<string> {
  const taskId = await start(ada, await save(ada, [wait]), input);
  await reach(ada, taskId, "waiting");
  return taskId;
}

test("an event continues the step that waits for its name and key, with a login or an API key", async () => {
  const first = await waiting({ order: "A-1" });
  expect((await bob.post("/api/events", event)).body).toEqual({
    ok: true,
    delivered: false,
    duplicate: false,
  });
  expect((await ada.post("/api/events", event)).body).toEqual({
    ok: true,
    delivered: true,
    duplicate: false,
  });
  expect(stepOf(await reach(ada, first, "completed"), "wait").output).toMatchObject({
    data: { amount: 30 },
    timedOut: false,
  });
  const second = await waiting({ order: 2 });
  const { rawKey } = (await ada.post("/api/keys", {})).body;
  const program = clientOf(app.http, rawKey as string);
  expect((await program.post("/api/events", { name: "paid", key: 2 })).body).toMatchObject({
    delivered: true,
  });
  expect(stepOf(await reach(ada, second, "completed"), "wait").output).toMatchObject({ data: null });
});

test("a key that no event can have fails the step instead of waiting forever", async () => {
  const workflow = await save(ada, [wait]);
  for (const order of ["A\0", "\uD800", "x".repeat(501)]) {
    const task = await reach(ada, await start(ada, workflow, { order }), "failed");
    expect(stepOf(task, "wait").error).toMatchObject({ code: "invalid_field" });
  }
});

test("the owner of a run sees what it waits for, with a resume URL that works", async () => {
  await ada.put("/api/variables/shop_token", { value: "very-secret-token", secret: true });
  const each = {
    stepId: "each",
    type: "foreach",
    items: ["x", "very-secret-token"],
    steps: [{ stepId: "inner", type: "wait_event", event: "seen", key: "{{item}}", timeoutMs: 60_000 }],
    edges: [],
  };
  const first = { stepId: "first", type: "transform", template: "{{secrets.shop_token}}" };
  const edges = [wait, each].map(({ stepId }) => ({ id: stepId, source: "first", target: stepId }));
  const taskId = await start(ada, await save(ada, [first, wait, each], edges), { order: 7 });
  const waitsOf = async (query = "") => (await ada.get(`/api/tasks/${taskId}/event-waits${query}`)).body;
  await expect.poll(async () => (await waitsOf()).waits.length).toBe(3);
  const { waits } = await waitsOf();
  expect(waits).toMatchObject([
    { stepId: "each[0]/inner", event: "seen", key: "x", dueAt: expect.stringMatching(/^20/) },
    { stepId: "each[1]/inner", event: "seen" },
    { stepId: "wait", event: "paid", key: "7", dueAt: null },
  ]);
  expect(JSON.stringify(waits)).not.toContain("very-secret-token");
  const { nextCursor } = await waitsOf("?limit=2");
  expect((await waitsOf(`?limit=2&cursor=${encodeURIComponent(nextCursor)}`)).waits).toEqual([waits[2]]);
  expect((await waitsOf("?stepId=wait")).waits).toEqual([waits[2]]);
  expect(await bob.get(`/api/tasks/${taskId}/event-waits`)).toMatchObject({ status: 403 });
  expect((await app.anonymous.get(`/api/tasks/${taskId}/event-waits`)).status).toBe(401);

  const { pathname } = new URL(waits[2].resumeUrl);
  expect((await app.anonymous.post(pathname, { done: true })).body).toMatchObject({ delivered: true });
  await expect.poll(async () => (await waitsOf()).waits.length).toBe(2);
  await ada.post(`/api/tasks/${taskId}/cancel`);
  expect((await waitsOf()).waits).toEqual([]);
});

test("an event without credentials, or with a key that lacks the scope, is refused", async () => {
  expect(await app.anonymous.post("/api/events", event)).toMatchObject({
    status: 401,
    body: { error: "missing_token" },
  });
  const { rawKey } = (await ada.post("/api/keys", { scopes: ["mcp"] })).body;
  expect(await clientOf(app.http, rawKey as string).post("/api/events", event)).toMatchObject({
    status: 403,
    body: { error: "insufficient_scope" },
  });
  expect(await ada.post("/api/events", { key: "x" })).toMatchObject({
    status: 400,
    body: { error: "invalid_request" },
  });
});

test("an event with an id that is sent twice, before any step waits, continues one run", async () => {
  const sent = { ...event, key: "twice", id: "evt-1" };
  expect((await ada.post("/api/events", sent)).body).toEqual({
    ok: true,
    delivered: false,
    duplicate: false,
  });
  expect((await ada.post("/api/events", sent)).body).toEqual({ ok: true, delivered: false, duplicate: true });
  const workflowId = await save(ada, [wait]);
  await reach(ada, await start(ada, workflowId, { order: "twice" }), "completed");
  expect((await ada.post("/api/events", sent)).body).toEqual({ ok: true, delivered: true, duplicate: true });
  await reach(ada, await start(ada, workflowId, { order: "twice" }), "waiting");
});

test("a resume URL is sent by an earlier step and works once, without a login", async () => {
  const callbacks: string[] = [];
  const other = await serve((request, response) => {
    callbacks.push(new URL(request.url ?? "", "http://x").searchParams.get("callback") ?? "");
    response.end("ok");
  });
  const loop = {
    stepId: "each",
    type: "foreach",
    items: [1, 2],
    steps: [http("call", other.url, { query: { callback: "{{task.resumeUrls.wait}}" } }), wait],
  };
  const taskId = await start(ada, await save(ada, [loop]));
  await reach(ada, taskId, "waiting");
  expect(new Set(callbacks).size).toBe(2);
  const paths = callbacks.map((url) => new URL(url).pathname);
  expect(await app.anonymous.get(paths[0]!)).toMatchObject({ status: 404 });
  for (const [index, path] of paths.entries())
    expect(await app.anonymous.post(path, { index })).toMatchObject({
      status: 200,
      body: { taskId, delivered: true },
    });
  expect(await app.anonymous.post(paths[0]!, {})).toMatchObject({
    status: 409,
    body: { error: "task_not_waiting" },
  });
  expect(await app.anonymous.post("/resume/forged.token", {})).toMatchObject({
    status: 404,
    body: { error: "resume_url_not_found" },
  });
  const task = await reach(ada, taskId, "completed");
  expect(stepOf(task, "each").output).toHaveLength(2);
});

test("kept events are limited for each account", async () => {
  const limited = (await ada.get("/api/limits")).body.limits.find(
    ({ name }: { name: string }) => name === "kept_events",
  );
  expect(limited).toMatchObject({
    setting: "KEPT_EVENTS_PER_OWNER",
    limit: 10_000,
    used: expect.any(Number),
  });
});

test("the examples of the page run", async () => {
  const [loop, batches, order] = examples;
  expect((await run(ada, batches!.steps, batches!.edges)).result.output).toEqual([3, 7, 5]);
  expect((await run(ada, loop!.steps, loop!.edges)).result.output).toEqual({ iterations: 7, last: 128 });
  const taskId = await start(ada, await save(ada, order!.steps, order!.edges), { order: "A-17" });
  await reach(ada, taskId, "waiting");
  await ada.post("/api/events", {
    name: "payment.received",
    key: "A-17",
    data: { amount: 30 },
    id: "pay_123",
  });
  expect((await reach(ada, taskId, "completed")).result.output).toBe("Ship A-17: 30");
  for (const { steps, edges } of examples) expect(await save(ada, steps, edges)).toMatch(/^wf_/);
  expect((await read(ada, taskId)).status).toBe("completed");
});
