import { describe, expect, test } from "vitest";
import { createDeadline } from "../../lib/deadline.ts";
import { noPeers } from "../cluster/peers.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import type { Engine } from "../engine-api.ts";
import type { StepRunner } from "../run/step-runner.ts";
import type { EngineStore } from "../store.ts";
import { reaches, work } from "../testing/gated.ts";
import { openBench } from "../testing/open-engine.ts";

/** Steps that end when the test says so, with the number of running ones by owner. */
function slowSteps() {
  const waiting: { ownerId: string; end(): void }[] = [];
  const run: StepRunner["run"] = ({ ownerId, signal }) =>
    new Promise((resolve, reject) => {
      const entry = { ownerId, end: () => resolve({ output: null }) };
      waiting.push(entry);
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  return {
    run,
    runningOf: (ownerId: string) => waiting.filter((each) => each.ownerId === ownerId).length,
    end(ownerId: string) {
      const index = waiting.findIndex((each) => each.ownerId === ownerId);
      waiting.splice(index, 1)[0]?.end();
    },
  };
}

const SLOW = { steps: [work("slow")], edges: [] };
const foreachOf = (workflowId: string, items: number, concurrency: number) => ({
  stepId: "each",
  type: "foreach",
  items: Array.from({ length: items }, (_, i) => i),
  workflowId,
  concurrency,
});

const usageOf = async (engine: Engine, ownerId: string) => ({
  running: engine.usage.running(ownerId),
  queued: await engine.usage.queued(ownerId),
});

/** Another process on the same database that has slots. */
const isAlive = (store: EngineStore, id: string) =>
  store.heartbeat(id, Date.now(), { slots: 2, aliveSince: 0 });

describe("slots are shared by owners", () => {
  test("an owner with many slow tasks leaves slots for others", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 4, limits: limitsOf({ running_tasks: 2 }) });
    const heavy = bench.workflow("heavy", SLOW, "ann");
    const light = bench.workflow("light", SLOW, "bob");
    const tasks = await Promise.all(
      Array.from({ length: 6 }, () => engine.start({ workflow: heavy, trigger: "manual", input: {} })),
    );
    await expect.poll(() => slow.runningOf("ann")).toBe(2);
    expect(tasks.filter(({ status }) => status === "queued")).toHaveLength(4);
    expect(await usageOf(engine, "ann")).toEqual({ running: 2, queued: 4 });

    const { taskId, status } = await engine.start({ workflow: light, trigger: "manual", input: {} });
    expect(status).toBe("running");
    await expect.poll(() => slow.runningOf("bob")).toBe(1);
    slow.end("bob");
    await reaches(bench, taskId, "completed");
    for (const _task of tasks) {
      await expect.poll(() => slow.runningOf("ann")).toBeGreaterThan(0);
      expect(slow.runningOf("ann")).toBeLessThanOrEqual(2);
      slow.end("ann");
    }
    for (const { taskId: id } of tasks) await reaches(bench, id, "completed");
  });

  test("a slot that becomes free goes to the owner who holds none, not to the longest queue", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 2 });
    const heavy = bench.workflow("heavy", SLOW, "ann");
    const light = bench.workflow("light", SLOW, "bob");
    for (let i = 0; i < 40; i += 1) await engine.start({ workflow: heavy, trigger: "manual", input: {} });
    await engine.start({ workflow: light, trigger: "manual", input: {} });
    await expect.poll(() => slow.runningOf("ann")).toBe(2);
    slow.end("ann");
    await expect.poll(() => slow.runningOf("bob")).toBe(1);
    expect(slow.runningOf("ann")).toBe(1);
  });

  test("a loop over sub-workflows uses the owner's share and no more", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 8, limits: limitsOf({ running_tasks: 4 }) });
    bench.workflow("inner", SLOW, "ann");
    const outer = bench.workflow("outer", { steps: [foreachOf("inner", 20, 100)], edges: [] }, "ann");
    const light = bench.workflow("light", SLOW, "bob");
    const loop = await engine.start({ workflow: outer, trigger: "manual", input: {} });
    await expect.poll(() => slow.runningOf("ann")).toBe(4);
    expect((await engine.start({ workflow: light, trigger: "manual", input: {} })).status).toBe("running");
    // The other iterations wait in memory: the loop fills no queue.
    expect(await usageOf(engine, "ann")).toEqual({ running: 4, queued: 0 });
    for (let ended = 0; ended < 20; ended += 1) {
      await expect.poll(() => slow.runningOf("ann")).toBeGreaterThan(0);
      expect(slow.runningOf("ann")).toBeLessThanOrEqual(4);
      slow.end("ann");
    }
    await reaches(bench, loop.taskId, "completed");
    expect(await usageOf(engine, "ann")).toEqual({ running: 0, queued: 0 });
  });

  test("with peers, sub-workflows without a slot are queued for them", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    await isAlive(bench.store, "peer");
    const engine = await bench.engine({ concurrency: 2, leaseMs: 60_000, peers: noPeers });
    bench.workflow("inner", SLOW);
    const outer = bench.workflow("outer", { steps: [foreachOf("inner", 6, 6)], edges: [] });
    const loop = await engine.start({ workflow: outer, trigger: "manual", input: {} });
    await expect.poll(() => usageOf(engine, "user_1")).toEqual({ running: 2, queued: 4 });
    const other = await bench.engine({ concurrency: 2, leaseMs: 60_000, peers: noPeers });
    await expect.poll(() => slow.runningOf("user_1")).toBe(4);
    for (let ended = 0; ended < 6; ended += 1) {
      await expect.poll(() => slow.runningOf("user_1")).toBeGreaterThan(0);
      slow.end("user_1");
      for (const each of [engine, other]) each.nudge(loop.taskId, "task");
    }
    await reaches(bench, loop.taskId, "completed");
  });

  test.each([
    ["peers", true, 10],
    ["no peers", false, 15],
  ])(
    "a process with %s runs this many of fifteen sub-workflows without the queue",
    async (_, hasPeer, here) => {
      const slow = slowSteps();
      const bench = await openBench({ http: slow.run });
      if (hasPeer) await isAlive(bench.store, "peer");
      const engine = await bench.engine({ concurrency: 40, leaseMs: 60_000, peers: noPeers });
      bench.workflow("inner", SLOW);
      const outer = bench.workflow("outer", { steps: [foreachOf("inner", 15, 15)], edges: [] });
      const loop = await engine.start({ workflow: outer, trigger: "manual", input: {} });
      await expect.poll(() => slow.runningOf("user_1")).toBe(15);
      const epochs = await bench.db.query("select epoch from task where parent_task_id = $1", [loop.taskId]);
      // A task from the queue has been claimed, which raises its epoch.
      expect(epochs.filter((row) => Number(row["epoch"]) === 1)).toHaveLength(here);
      for (let ended = 0; ended < 15; ended += 1) slow.end("user_1");
      await reaches(bench, loop.taskId, "completed");
    },
  );

  test("a loop that is cancelled or times out stops waiting for slots", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 2 });
    bench.workflow("inner", SLOW);
    const limited = { ...foreachOf("inner", 6, 6), timeoutMs: 100 };
    const late = bench.workflow("late", { steps: [limited], edges: [] });
    const timed = await engine.start({ workflow: late, trigger: "manual", input: {} });
    await reaches(bench, timed.taskId, "failed");
    expect(await bench.store.task(timed.taskId)).toMatchObject({ error: { code: "step_timeout" } });
    const outer = bench.workflow("outer", { steps: [foreachOf("inner", 6, 6)], edges: [] });
    const loop = await engine.start({ workflow: outer, trigger: "manual", input: {} });
    await expect.poll(() => usageOf(engine, "user_1")).toEqual({ running: 2, queued: 0 });
    await engine.cancel(loop.taskId);
    await expect.poll(() => usageOf(engine, "user_1")).toEqual({ running: 0, queued: 0 });
    expect(await bench.store.countDescendants(loop.taskId, 100)).toBe(2);
  });

  test("a sub-workflow runs in the slot of the task that waits for it", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 1 });
    bench.workflow("inner", SLOW);
    const steps = [{ stepId: "call", type: "workflow", workflowId: "inner" }];
    const workflow = bench.workflow("outer", { steps, edges: [] });
    const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
    await expect.poll(() => slow.runningOf("user_1")).toBe(1);
    expect(await usageOf(engine, "user_1")).toEqual({ running: 1, queued: 0 });
    expect(await bench.store.task(taskId)).toMatchObject({ status: "running" });
    slow.end("user_1");
    await reaches(bench, taskId, "completed");
    expect(await usageOf(engine, "user_1")).toEqual({ running: 0, queued: 0 });
  });

  test("tasks that wait for their sub-workflows hold no slot, however deep they are", async () => {
    const bench = await openBench({ http: () => Promise.resolve({ output: "done" }) });
    const engine = await bench.engine({ concurrency: 1 });
    bench.workflow("level0", { steps: [work("leaf")], edges: [] });
    for (let level = 1; level <= 5; level += 1) {
      const steps = [1, 2].map((n) => ({
        stepId: `call${n}`,
        type: "workflow",
        workflowId: `level${level - 1}`,
      }));
      bench.workflow(`level${level}`, { steps, edges: [] });
    }
    const workflow = bench.workflow("top", { steps: [foreachOf("level5", 2, 2)], edges: [] });
    const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
    await reaches(bench, taskId, "completed");
  });

  test("sub-workflows that end together give their slots to the tasks that waited for them", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 8, limits: limitsOf({ running_tasks: 4 }) });
    bench.workflow("inner", SLOW, "ann");
    const steps = [{ stepId: "call", type: "workflow", workflowId: "inner" }, work("after")];
    const outer = bench.workflow("outer", { steps, edges: [{ source: "call", target: "after" }] }, "ann");
    const heavy = bench.workflow("heavy", SLOW, "ann");
    const light = bench.workflow("light", SLOW, "bob");
    const begin = async (workflow: typeof outer) =>
      (await engine.start({ workflow, trigger: "manual", input: {} })).taskId;
    const outers = await Promise.all([1, 2, 3, 4].map(() => begin(outer)));
    await expect.poll(() => slow.runningOf("ann")).toBe(4);
    const queued = await Promise.all(Array.from({ length: 8 }, () => begin(heavy)));
    for (let ended = 0; ended < 4; ended += 1) slow.end("ann");
    await expect.poll(() => slow.runningOf("ann")).toBe(4);
    // With their sub-workflows ended, the outer tasks and the queued ones all want to continue.
    for (const id of outers)
      await expect
        .poll(async () => (await bench.store.task((await bench.store.childId(id, "call"))!))?.status)
        .toBe("completed");
    expect((await engine.start({ workflow: light, trigger: "manual", input: {} })).status).toBe("running");
    for (let ended = 0; ended < 12; ended += 1) {
      await expect.poll(() => slow.runningOf("ann")).toBeGreaterThan(0);
      expect((await usageOf(engine, "ann")).running).toBeLessThanOrEqual(4);
      slow.end("ann");
    }
    for (const id of [...outers, ...queued]) await reaches(bench, id, "completed");
    expect(await usageOf(engine, "ann")).toEqual({ running: 0, queued: 0 });
  });

  test("a step that waits for a task it started holds no slot, and that task waits for one", async () => {
    const bench = await openBench({
      async http({ path, taskId, signal, lendSlot }) {
        if (path !== "agent") return { output: "done" };
        const takeSlotBack = lendSlot();
        const started = await engine.start({
          workflow: tool,
          trigger: "workflow",
          input: {},
          parentTaskId: taskId,
          parentStep: path,
          depth: 1,
          waitLimit: () => createDeadline(undefined, { outer: signal }),
        });
        const { task } = await engine.settled(started.taskId, 60_000);
        await takeSlotBack();
        return { output: task.status };
      },
    });
    const engine: Engine = await bench.engine({ concurrency: 1 });
    bench.workflow("inner", { steps: [work("leaf")], edges: [] });
    const tool = bench.workflow("tool", {
      steps: [{ stepId: "call", type: "workflow", workflowId: "inner" }],
      edges: [],
    });
    const workflow = bench.workflow("outer", { steps: [work("agent")], edges: [] });
    const tasks = await Promise.all(
      [1, 2, 3].map(() => engine.start({ workflow, trigger: "manual", input: {} })),
    );
    for (const { taskId } of tasks) {
      await reaches(bench, taskId, "completed");
      expect(await bench.store.task(taskId)).toMatchObject({ result: { output: "completed" } });
    }
    expect(await usageOf(engine, "user_1")).toEqual({ running: 0, queued: 0 });
  });
});

describe("limits on tasks", () => {
  test("a workflow that calls itself ends at the limit of descendants", async () => {
    const bench = await openBench({ http: () => Promise.resolve({ output: null }) });
    const engine = await bench.engine({ concurrency: 4, limits: limitsOf({ descendants: 60 }) });
    const workflow = bench.workflow("loop", {
      steps: [work("effect"), foreachOf("loop", 10, 10)],
      edges: [{ source: "effect", target: "each" }],
    });
    const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
    await reaches(bench, taskId, "failed");
    expect(await bench.store.task(taskId)).toMatchObject({
      error: { code: "limit_reached", details: { limit: "DESCENDANTS_PER_TASK" } },
    });
    expect(await bench.store.countDescendants(taskId, 1000)).toBeLessThanOrEqual(60);
    // No task of the run is left, however deep.
    await expect
      .poll(async () => (await bench.db.query("select 1 from task where completed_at is null")).length)
      .toBe(0);
  });

  test("a loop that reaches a limit which no retry helps against is not retried", async () => {
    const bench = await openBench();
    const engine = await bench.engine({ limits: limitsOf({ journal_entries: 20 }) });
    const one = { stepId: "one", type: "transform", template: 1 };
    const inner = {
      stepId: "inner",
      type: "foreach",
      items: Array.from({ length: 50 }, () => 0),
      steps: [one],
    };
    const outer = { stepId: "each", type: "foreach", items: [1], steps: [inner], maxRetries: 5 };
    const workflow = bench.workflow("root", { steps: [outer], edges: [] });
    const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
    await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("failed");
    const attempts = await bench.store.attempts(taskId, "each", Number.MAX_SAFE_INTEGER, 9);
    expect(attempts).toMatchObject([
      { attempt: 1, status: "failed", error: { details: { limit: "MAX_JOURNAL_ENTRIES" } } },
    ]);
  });

  test("reading what runs does not count the queue in the database", async () => {
    const bench = await openBench();
    let counts = 0;
    const countDue: EngineStore["countDue"] = (...call) => {
      counts += 1;
      return bench.store.countDue(...call);
    };
    const engine = await bench.engine({ store: { ...bench.store, countDue } });
    expect(await usageOf(engine, "ann")).toEqual({ running: 0, queued: 0 });
    expect(counts).toBe(1);
    await engine.close();
  });

  test("a full queue refuses further calls and names the setting", async () => {
    const slow = slowSteps();
    const bench = await openBench({ http: slow.run });
    const engine = await bench.engine({ concurrency: 1, limits: limitsOf({ queued_tasks: 3 }) });
    const heavy = bench.workflow("heavy", SLOW, "ann");
    const call = () => engine.start({ workflow: heavy, trigger: "manual", input: {} });
    for (let i = 0; i < 4; i += 1) await call();
    await expect(call()).rejects.toMatchObject({
      code: "limit_reached",
      details: { limit: "QUEUED_TASKS_PER_OWNER" },
      retryAfterMs: 5000,
    });
    const light = bench.workflow("light", SLOW, "bob");
    expect(await engine.start({ workflow: light, trigger: "manual", input: {} })).toMatchObject({
      status: "queued",
    });
  });
});
