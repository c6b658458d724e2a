import { expect, test } from "vitest";
import type { Accepted, EngineStore } from "../store.ts";
import { unavailable } from "../../lib/errors.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { reaches } from "../testing/gated.ts";
import { type Bench, openBench } from "../testing/open-engine.ts";
import { http } from "../testing/workbench.ts";

const CALL = { trigger: "api", input: {} } as const;

/** The store and the log of its writes. */
function counted(bench: Bench): { store: EngineStore; writes: string[] } {
  const writes: string[] = [];
  const store: EngineStore = {
    ...bench.store,
    accept(task, first) {
      writes.push(`accept ${first?.entries.length ?? "alone"}`);
      return bench.store.accept(task, first);
    },
    record(write) {
      writes.push(`record ${write.entries.length}`);
      return bench.store.record(write);
    },
  };
  return { store, writes };
}

/** A store that inserts a task only when the test releases the insert. */
function held(bench: Bench) {
  let answer: (accepting: Promise<Accepted> | undefined) => void = () => undefined;
  const inserted = new Promise<Promise<Accepted> | undefined>((resolve) => (answer = resolve));
  const released: string[] = [];
  const store: EngineStore = {
    ...bench.store,
    accept: async (...call) => (await inserted) ?? bench.store.accept(...call),
    releaseTask(task, now) {
      released.push(task.id);
      return bench.store.releaseTask(task, now);
    },
  };
  return { store, answer, released };
}

const aTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test("a run of pure steps is one write, including its task and its end", async () => {
  const bench = await openBench();
  const { store, writes } = counted(bench);
  const engine = await bench.engine({ store });
  const steps = [value("a"), value("b"), value("c")];
  const workflow = bench.workflow("w", { steps, edges: [edge("a", "b"), edge("b", "c")] });
  const { taskId, status } = await engine.start({ ...CALL, workflow });
  expect(status).toBe("running");
  expect(writes).toEqual(["accept 4"]);
  expect((await engine.settled(taskId, 5000)).task).toMatchObject({
    status: "completed",
    parentTaskId: null,
  });
  expect(await bench.store.task(taskId)).toMatchObject({ status: "completed" });
  await engine.close();
});

test("so is a failing run, and a sub-workflow wakes its parent in the write that inserts it", async () => {
  const bench = await openBench({ transform: () => Promise.reject(new Error("no")) });
  const { store, writes } = counted(bench);
  const engine = await bench.engine({ store });
  bench.workflow("inner", { steps: [value("a")], edges: [] });
  const workflow = bench.workflow("outer", {
    steps: [{ stepId: "sub", type: "workflow", workflowId: "inner", input: {} }],
    edges: [],
  });
  const { taskId } = await engine.start({ ...CALL, workflow });
  expect((await engine.settled(taskId, 5000)).task).toMatchObject({ status: "failed" });
  expect(writes).toContain("accept alone");
  expect(writes).toContain("accept 1");
  await engine.close();
});

test("needs no slot: a task of pure steps does not queue behind slow tasks", async () => {
  const bench = await openBench({ http: () => new Promise(() => undefined) });
  const engine = await bench.engine({ concurrency: 1 });
  const slow = bench.workflow("slow", { steps: [http("call", "x")], edges: [] });
  const quick = bench.workflow("quick", { steps: [value("a")], edges: [] });
  await engine.start({ ...CALL, workflow: slow });
  expect(await engine.start({ ...CALL, workflow: slow })).toMatchObject({ status: "queued" });
  const { taskId } = await engine.start({ ...CALL, workflow: quick });
  expect(await bench.store.task(taskId)).toMatchObject({ status: "completed" });
});

test("no effect happens before the task is stored, not even in the first step", async () => {
  let calls = 0;
  const bench = await openBench({ http: () => Promise.resolve({ output: ++calls }) });
  const { store, answer } = held(bench);
  const engine = await bench.engine({ store });
  const workflow = bench.workflow("w", { steps: [http("effect", "x"), http("beside", "x")], edges: [] });
  const started = engine.start({ ...CALL, workflow });
  await aTurn();
  expect(calls).toBe(0);
  answer(undefined);
  const { taskId } = await started;
  await reaches(bench, taskId, "completed");
  expect(calls).toBe(2);
  await engine.close();
});

test.each([
  ["the disk is full", () => Promise.reject(unavailable("full")), undefined],
  [
    "another came first",
    () => Promise.resolve({ inserted: false, taskId: "task_1", bodyHash: "h" } as const),
    "task_1",
  ],
])("a task that is not stored because %s has no effect and holds no slot", async (_why, answering, first) => {
  let calls = 0;
  const bench = await openBench({ http: () => Promise.resolve({ output: ++calls }) });
  const { store, answer, released } = held(bench);
  const errors: string[] = [];
  const engine = await bench.engine({ store, concurrency: 1, onError: (_error, what) => errors.push(what) });
  const workflow = bench.workflow("w", {
    steps: [value("a"), http("effect", "x")],
    edges: [edge("a", "effect")],
  });
  const idempotency = { scope: "s", key: "k", bodyHash: "h" };
  const started = engine.start({ ...CALL, workflow, idempotency });
  started.catch(() => undefined);
  await aTurn();
  answer(answering() as Promise<Accepted>);
  if (first === undefined) await expect(started).rejects.toMatchObject({ code: "unavailable" });
  else expect(await started).toMatchObject({ taskId: first, existing: true });
  await aTurn();
  expect(calls).toBe(0);
  expect(await bench.db.query("select id from task")).toEqual([]);
  expect((await engine.stats()).running).toBe(0);
  // Nothing is released and nothing is reported.
  expect([...released, ...errors]).toEqual([]);
  await engine.close();
});

test("the caller waits for pure steps at most until the end of the turn", async () => {
  const bench = await openBench({ transform: () => new Promise(() => undefined) });
  const { store, writes } = counted(bench);
  const engine = await bench.engine({ store });
  const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  expect(writes).toEqual(["accept alone"]);
  expect(await bench.store.task(taskId)).toMatchObject({ status: "running" });
  await engine.cancel(taskId);
});
