import { expect, test } from "vitest";
import type { Graph, Step } from "../../../contract/graph.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { openBench } from "../testing/open-engine.ts";

const work: Step = { stepId: "work", type: "http", method: "GET", url: "{{item}}" };
const loopOf = (steps: Step[], more: object = {}): Graph => ({
  steps: [
    { stepId: "loop", type: "while", left: "{{item}}", operator: "lt", right: 3, initial: 0, steps, ...more },
  ],
  edges: [],
});

async function open(graph: Graph, http?: (url: number) => Promise<JsonValue>) {
  const calls: number[] = [];
  const bench = await openBench({
    async http({ fields }) {
      const url = Number(fields["url"]);
      calls.push(url);
      return { output: http === undefined ? url + 1 : await http(url) };
    },
  });
  const workflow = bench.workflow("wf_1", graph);
  const engine = await bench.engine();
  const start = (input: JsonValue = {}) => engine.start({ workflow, trigger: "manual", input });
  const settled = async (taskId: string) => (await engine.settled(taskId, 10_000)).task;
  return { ...bench, run: engine, start, settled, calls };
}

test("a while repeats its steps with the output of the iteration before until the comparison fails", async () => {
  const { start, settled, calls, run } = await open(loopOf([work]));
  const { taskId } = await start();
  expect((await settled(taskId)).result?.output).toEqual({ iterations: 3, last: 3 });
  expect(calls).toEqual([0, 1, 2]);
  const { items } = (await run.loopItems(taskId, "loop"))!;
  expect(items.map(({ status, steps }) => [status, steps.map(({ stepId }) => stepId)])).toEqual([
    ["completed", ["loop[0]/work"]],
    ["completed", ["loop[1]/work"]],
    ["completed", ["loop[2]/work"]],
  ]);
});

test("a while whose comparison fails at once runs nothing and has its initial item", async () => {
  const { start, settled, calls } = await open(loopOf([work], { initial: 7 }));
  expect((await settled((await start()).taskId)).result?.output).toEqual({ iterations: 0, last: 7 });
  expect(calls).toEqual([]);
});

test.each([
  ["fail", "failed", "iteration_limit"],
  ["end", "completed", undefined],
])("at maxIterations a while with onLimit %s is %s", async (onLimit, status, code) => {
  const { start, settled, calls } = await open(loopOf([work], { maxIterations: 2, onLimit, right: 100 }));
  const task = await settled((await start()).taskId);
  expect([task.status, task.error?.code]).toEqual([status, code]);
  expect(calls).toEqual([0, 1]);
});

test("a rerun after a failed iteration repeats neither completed iterations nor their checks", async () => {
  let fails = true;
  const { start, settled, calls, run, store } = await open(loopOf([work]), (url) =>
    url === 1 && fails ? Promise.reject(new AppError("http_error", "down")) : Promise.resolve(url + 1),
  );
  const { taskId } = await start();
  const failed = await settled(taskId);
  expect(failed.error).toMatchObject({ code: "http_error", message: "Iteration 2: down", stepId: "loop" });
  fails = false;
  await run.rerunFromFailed(taskId);
  await expect.poll(async () => (await store.task(taskId))?.status).toBe("completed");
  expect(calls).toEqual([0, 1, 1, 2]);
  const checks = (await store.heads(taskId)).filter((entry) => "path" in entry && entry.type === "condition");
  expect(checks.map((entry) => "path" in entry && entry.path)).toEqual([
    "loop[0]",
    "loop[1]",
    "loop[2]",
    "loop[3]",
  ]);
});

test("an iteration waits for a person, and the loop continues after the decision", async () => {
  const ask = { stepId: "ask", type: "approval", message: "Item {{item}}?" };
  const { start, run, store, calls } = await open(
    loopOf([work, ask, { ...work, stepId: "more", url: "{{item}}" }]),
  );
  const { taskId } = await start();
  const decision = { decision: "approve", comment: null, data: null, decidedBy: "user_1" } as const;
  for (const index of [0, 1, 2]) {
    await expect.poll(() => store.openApprovals(taskId)).toMatchObject([{ path: `loop[${index}]/ask` }]);
    await run.decide(taskId, decision);
  }
  await expect
    .poll(async () => (await store.task(taskId))?.result?.output)
    .toEqual({ iterations: 3, last: 3 });
  expect(calls).toEqual([0, 0, 1, 1, 2, 2]);
});

test("the comparison of a nested while sees the item of its own loop and steps around it", async () => {
  const inner = {
    stepId: "inner",
    type: "while",
    left: "{{item}}",
    operator: "lt",
    right: "{{steps.bound.output}}",
    initial: "{{item}}",
    steps: [work],
  };
  const { start, settled, calls } = await open({
    steps: [
      { stepId: "bound", type: "transform", template: "{{input.bound}}" },
      { stepId: "each", type: "foreach", items: [10, 11], concurrency: 1, steps: [inner] },
    ],
    edges: [{ id: "e", source: "bound", target: "each" }],
  });
  const { taskId } = await start({ bound: 12 });
  expect((await settled(taskId)).result?.output).toEqual([
    { iterations: 2, last: 12 },
    { iterations: 1, last: 12 },
  ]);
  expect(calls).toEqual([10, 11, 11]);
});

test("a time limit ends a while that waits", async () => {
  const nap = { stepId: "nap", type: "delay", seconds: 3600 };
  const { start, store } = await open(loopOf([work, nap], { timeoutMs: 30 }));
  const { taskId } = await start();
  await expect
    .poll(async () => (await store.task(taskId))?.error?.code, { timeout: 5000 })
    .toBe("step_timeout");
});
