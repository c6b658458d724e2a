import { expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import { crashingStore } from "../engine/testing/crashing-store.ts";
import { type Bench, openBench } from "../engine/testing/open-engine.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { systemClock } from "../lib/clock.ts";
import { createStoreValues } from "../store/store.sql.ts";
import { createKeyValueStore } from "../store/key-value-store.ts";
import type { Step } from "../../contract/graph.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { createStoreRunner } from "./store.ts";
import { sampleCall } from "./testing/sample-call.ts";

const CALL = { trigger: "manual", input: {} } as const;

/** An engine whose `store` steps write to its own database. */
async function openStoreBench(afterEffect: () => void = () => undefined) {
  let runner: StepRunner | undefined;
  const effects: number[] = [];
  const bench: Bench = await openBench({
    async store(call) {
      const output = await runner!.run(call);
      effects.push(call.attempt);
      afterEffect();
      return output;
    },
  });
  await bench.db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user_1', '', 'personal', 1)" },
  ]);
  const store = createKeyValueStore({
    values: createStoreValues(bench.db),
    clock: systemClock,
    limits: limitsOf(),
    requireScope: () => Promise.resolve(),
  });
  runner = createStoreRunner(store);
  return { bench, store, effects, runner };
}

const increment: Step = { stepId: "count", type: "store", action: "increment", key: "runs" };
const runs = { ownerId: "user_1", scope: "wf_1", key: "runs" };

test("an increment whose process crashes before its result is recorded happens once", async () => {
  const { bench, store, effects } = await openStoreBench();
  const workflow = bench.workflow("wf_1", { steps: [increment], edges: [] });
  let crashed = false;
  // Writes: the insert of the task, then the result of the step, which is not stored.
  const point = { write: 1, stored: false };
  const first = await bench.engine({ store: crashingStore(bench.store, point, () => (crashed = true)) });
  const { taskId } = await first.start({ ...CALL, workflow });
  await expect.poll(() => crashed, { timeout: 10_000 }).toBe(true);
  expect((await store.get(runs)).value).toBe(1);
  await store.increment(runs, 10, undefined);
  await bench.engine();
  await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("completed");
  expect(effects).toHaveLength(2);
  expect((await store.get(runs)).value).toBe(11);
  expect((await bench.store.task(taskId))?.result?.output).toEqual({ value: 1 });
});

test("a retry of a step that has written does not write again", async () => {
  let fails = true;
  const { bench, store } = await openStoreBench(() => {
    if (fails) {
      fails = false;
      throw new AppError("http_error", "lost", { retryAfterMs: 0 });
    }
  });
  const engine = await bench.engine();
  const steps = [{ ...increment, amount: 5, maxRetries: 1, backoffMultiplier: 1 }];
  const { taskId } = await engine.start({ ...CALL, workflow: bench.workflow("wf_1", { steps, edges: [] }) });
  expect((await engine.settled(taskId, 20_000)).task.result?.output).toEqual({ value: 5 });
  expect((await store.get(runs)).value).toBe(5);
});

test("a set that an edited workflow repeats with another value writes it", async () => {
  const { runner, store, bench } = await openStoreBench();
  const engine = await bench.engine();
  const workflow = bench.workflow("wf_1", { steps: [increment], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  for (const value of ["first", "second"])
    await runner.run(sampleCall({ action: "set", key: "x", value }, { ownerId: "user_1", taskId }));
  expect((await store.get({ ownerId: "user_1", scope: "wf_1", key: "x" })).value).toBe("second");
});

test("every action has its output, and the scope is the workflow or the workspace", async () => {
  const { bench } = await openStoreBench();
  const engine = await bench.engine();
  const step = (stepId: string, fields: object): Step => ({
    stepId,
    type: "store",
    scope: "workspace",
    ...fields,
  });
  const steps = [
    step("a", { action: "set", key: "x", value: { n: 1 }, expiresInMs: 60_000 }),
    step("b", { action: "get", key: "x" }),
    step("c", { action: "compare_and_set", key: "x", expected: { n: 1 }, value: 2 }),
    step("d", { action: "list", prefix: "x" }),
    step("e", { action: "get", key: "x", scope: "workflow" }),
    step("f", { action: "delete", key: "x" }),
  ];
  const edges = steps.slice(1).map(({ stepId }, i) => ({ source: steps[i]!.stepId, target: stepId }));
  const { taskId } = await engine.start({ ...CALL, workflow: bench.workflow("wf_1", { steps, edges }) });
  const { stepResults } = await engine.settled(taskId, 20_000);
  expect(stepResults.map(({ output }) => output)).toEqual([
    { key: "x", expiresAt: expect.stringMatching(/Z$/) },
    { found: true, value: { n: 1 } },
    { swapped: true, value: 2 },
    { items: [{ key: "x", value: 2, bytes: 1, expiresAt: null, updatedAt: expect.any(String) }], next: null },
    { found: false, value: null },
    { deleted: true },
  ]);
});

test("a secret is stored redacted, and bad fields fail the step for good", async () => {
  const { runner, store, bench } = await openStoreBench();
  const engine = await bench.engine();
  const workflow = bench.workflow("wf_1", { steps: [increment], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  const call = (fields: Parameters<typeof sampleCall>[0]) =>
    runner.run(
      sampleCall(fields, {
        ownerId: "user_1",
        taskId,
        redact: (value) => Promise.resolve(value === "hunter2" ? "•••" : value),
      }),
    );
  for (const fields of [
    { action: "get", key: ".." },
    { action: "set", key: "hunter2", value: 1 },
    { action: "get", key: "x", scope: "planet" },
    { action: "increment", key: "x", amount: "many" },
    { action: "set", key: "x", value: 1, expiresInMs: -1 },
    { action: "steal", key: "x" },
  ])
    await expect(call(fields)).rejects.toMatchObject({ code: "invalid_field", permanent: true });
  await call({ action: "set", key: "x", value: "hunter2" });
  expect((await store.get({ ownerId: "user_1", scope: "wf_1", key: "x" })).value).toBe("•••");
});
