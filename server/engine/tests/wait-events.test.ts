import { expect, test } from "vitest";
import type { Graph } from "../../../contract/graph.ts";
import { createWaitEventStore, type NewEvent } from "../../wait-events/wait-event.sql.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { openBench } from "../testing/open-engine.ts";

const wait = { stepId: "wait", type: "wait_event", event: "paid", key: "{{input.order}}" };
const graph: Graph = { steps: [wait], edges: [] };
const LIMITS = { events: 100, bytes: 10_000 };

let count = 0;
const event = (more: Partial<NewEvent> = {}): NewEvent => ({
  id: `evt_${count++}`,
  ownerId: "user_1",
  name: "paid",
  key: "7",
  data: '{"amount":5}',
  sentId: null,
  createdAt: Date.now(),
  expiresAt: Date.now() + 60_000,
  ...more,
});

async function open(its: Graph = graph) {
  const bench = await openBench();
  const engine = await bench.engine();
  const events = createWaitEventStore(bench.db);
  const workflow = bench.workflow("wf_1", its);
  return {
    ...bench,
    run: engine,
    events,
    start: async () => (await engine.start({ workflow, trigger: "manual", input: { order: 7 } })).taskId,
    async send(more: Partial<NewEvent> = {}) {
      const sent = await events.send(event(more), LIMITS);
      if (sent.taskId !== undefined) engine.nudge(sent.taskId, "task");
      return sent;
    },
    async reach(taskId: string, status: string) {
      await expect.poll(async () => (await bench.store.task(taskId))?.status, { timeout: 5000 }).toBe(status);
    },
    output: async (taskId: string) => (await bench.store.task(taskId))?.result?.output,
    waits: () => bench.db.query("select * from event_wait"),
    kept: () => bench.db.query("select * from event where taken_at is null"),
  };
}

test("a step waits for an event with its name and key, and its output is the data", async () => {
  const { start, send, reach, output, waits } = await open();
  const taskId = await start();
  await reach(taskId, "waiting");
  expect(await send({ key: "8" })).toEqual({ stored: true, taskId: undefined });
  expect(await send({ ownerId: "user_2" })).toEqual({ stored: true, taskId: undefined });
  expect(await send()).toEqual({ stored: true, taskId });
  await reach(taskId, "completed");
  expect(await output(taskId)).toEqual({
    data: { amount: 5 },
    receivedAt: expect.any(String),
    timedOut: false,
  });
  expect(await waits()).toEqual([]);
});

test("an event that is sent before a step waits is kept, and the first step takes it", async () => {
  const { start, send, reach, kept } = await open();
  expect(await send()).toEqual({ stored: true, taskId: undefined });
  const first = await start();
  await reach(first, "completed");
  expect(await kept()).toEqual([]);
  const second = await start();
  await reach(second, "waiting");
});

test("an expired event is not taken", async () => {
  const { start, send, reach } = await open();
  await send({ expiresAt: Date.now() });
  await reach(await start(), "waiting");
});

test("the same id is accepted once, before and after a step has taken the event", async () => {
  const { start, send, reach, events } = await open();
  expect(await send({ sentId: "a" })).toEqual({ stored: true, taskId: undefined });
  expect(await send({ sentId: "a" })).toEqual({ stored: false, taskId: undefined });
  expect(await events.findSent("user_1", "a")).toEqual({ taken: false });
  await reach(await start(), "completed");
  const second = await start();
  await reach(second, "waiting");
  expect(await send({ sentId: "a" })).toEqual({ stored: false, taskId: undefined });
  expect(await events.findSent("user_1", "a")).toEqual({ taken: true });
  await reach(second, "waiting");
});

test("one event continues one of two waiting steps, the one that has waited longest", async () => {
  const { start, send, reach, store } = await open();
  const first = await start();
  await reach(first, "waiting");
  const second = await start();
  await reach(second, "waiting");
  expect((await send()).taskId).toBe(first);
  await reach(first, "completed");
  expect((await store.task(second))?.status).toBe("waiting");
  expect((await send()).taskId).toBe(second);
  await reach(second, "completed");
});

test("an event is refused when it would have to be kept and there is no room", async () => {
  const { start, events, reach } = await open();
  const full = { events: 0, bytes: 10_000 };
  expect(await events.send(event(), full)).toEqual({ stored: false, taskId: undefined });
  expect(await events.send(event(), { events: 10, bytes: 3 })).toEqual({ stored: false, taskId: undefined });
  const taskId = await start();
  await reach(taskId, "waiting");
  expect(await events.send(event(), full)).toEqual({ stored: true, taskId });
});

test.each([
  ["fails", {}, [], "failed", "event_timeout", undefined],
  ["continues", { onTimeout: "continue" }, [], "completed", undefined, { after: "on" }],
  [
    "takes the timeout edge",
    {},
    [{ id: "t", source: "wait", target: "late", condition: "timeout" }],
    "completed",
    undefined,
    { late: "late" },
  ],
])("when no event arrives in time the run %s", async (_, more, edges, status, code, outputs) => {
  const { start, reach, store } = await open({
    steps: [
      { ...wait, ...more, timeoutMs: 20 },
      { stepId: "after", type: "transform", template: "on" },
      ...(edges.length === 0 ? [] : [{ stepId: "late", type: "transform", template: "late" }]),
    ],
    edges: [{ id: "e", source: "wait", target: "after" }, ...edges],
  });
  const taskId = await start();
  await reach(taskId, status);
  const task = await store.task(taskId);
  expect([task?.error?.code, task?.result?.outputs]).toEqual([code, outputs]);
});

test("an event takes the plain edge, not that of the timeout", async () => {
  const { start, send, reach, store } = await open({
    steps: [
      { ...wait, timeoutMs: 60_000 },
      { stepId: "after", type: "transform", template: "{{steps.wait.output.data.amount}}" },
      { stepId: "late", type: "transform", template: "late" },
    ],
    edges: [
      { id: "e", source: "wait", target: "after" },
      { id: "t", source: "wait", target: "late", condition: "timeout" },
    ],
  });
  const taskId = await start();
  await reach(taskId, "waiting");
  await send();
  await reach(taskId, "completed");
  expect((await store.task(taskId))?.result?.outputs).toEqual({ after: 5 });
});

test("a cancelled task takes no event", async () => {
  const { start, send, reach, run, waits } = await open();
  const taskId = await start();
  await reach(taskId, "waiting");
  await run.cancel(taskId);
  expect(await send()).toEqual({ stored: true, taskId: undefined });
  expect(await waits()).toEqual([]);
});

test("a resume URL continues its own step once, also when it is called before the step waits", async () => {
  const { start, reach, events, store } = await open({
    steps: [{ stepId: "nap", type: "delay", seconds: 0.2 }, wait],
    edges: [],
  });
  const taskId = await start();
  const target = { taskId, path: "wait" };
  expect(await events.findWaiting(target)).toEqual({ ownerId: "user_1" });
  expect(await events.resume(event(), target, LIMITS)).toEqual({ stored: true, taskId: undefined });
  expect(await events.resume(event(), target, LIMITS)).toEqual({ stored: false, taskId: undefined });
  await reach(taskId, "completed");
  expect((await store.task(taskId))?.result?.output).toMatchObject({ data: { amount: 5 } });
  expect(await events.findWaiting(target)).toBeUndefined();
});

test.each([0, 1, 2, 3, 4, 5])(
  "a process that crashes at write %i of a wait neither loses nor repeats an event",
  async (write) => {
    const { engine, db, store, workflow } = await openBench();
    const events = createWaitEventStore(db);
    await events.send(event({ sentId: "early" }), LIMITS);
    for (const stored of [true, false]) {
      let crashed = false;
      const one = await engine({ store: crashingStore(store, { write, stored }, () => (crashed = true)) });
      const idempotency = { scope: "s", key: `${write}${stored}`, bodyHash: "" };
      const start = {
        workflow: workflow(`wf_${stored}`, graph),
        trigger: "manual" as const,
        input: { order: 7 },
        idempotency,
      };
      let taskId = "";
      void one.start(start).then((started) => (taskId = started.taskId));
      await expect
        .poll(async () => crashed || (await store.task(taskId))?.status === "completed", { timeout: 5000 })
        .toBe(true);
      const two = await engine();
      const again = await two.start(start);
      await expect
        .poll(async () => (await store.task(again.taskId))?.status, { timeout: 5000 })
        .toBe("completed");
      const taken = await db.query("select id from event where taken_at is not null");
      expect(taken).toHaveLength(stored ? 1 : 2);
      if (stored) await events.send(event({ sentId: "second" }), LIMITS);
      await two.close();
    }
  },
);

test("a stored step whose key is a secret fails, and the secret is not stored", async () => {
  const { start, reach, waits } = await open({ steps: [{ ...wait, key: "{{secrets.key}}" }], edges: [] });
  await reach(await start(), "failed");
  expect(await waits()).toEqual([]);
});
