import { expect, test } from "vitest";
import type { Graph, Step } from "../../../contract/graph.ts";
import { AppError } from "../../lib/errors.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { openBench } from "../testing/open-engine.ts";

const work: Step = { stepId: "work", type: "http", method: "GET", url: "{{item}}" };
const loopOf = (more: object, items: unknown = [1, 2, 3, 4]): Graph => ({
  steps: [{ stepId: "each", type: "foreach", items, concurrency: 1, steps: [work], ...more }],
  edges: [],
});

async function open() {
  const calls: string[] = [];
  const bench = await openBench({
    http({ fields }) {
      const url = JSON.stringify(fields["url"]);
      calls.push(url);
      if (url === "2") return Promise.reject(new AppError("http_error", "two is down"));
      return Promise.resolve({ output: fields["url"] ?? null });
    },
  });
  return { ...bench, calls };
}

const error = { code: "http_error", message: "two is down" };

test("with onItemError continue the other items run, and the output of a failed one is its error", async () => {
  const { engine, workflow, calls } = await open();
  const run = await engine();
  const { taskId } = await run.start({
    workflow: workflow("wf", loopOf({ onItemError: "continue" })),
    trigger: "manual",
    input: {},
  });
  const { task, stepResults } = await run.settled(taskId, 5000);
  expect(task.result?.output).toEqual([1, { error }, 3, 4]);
  expect(stepResults[0]).toMatchObject({ failedItems: 1, itemErrors: [{ index: 1, ...error }] });
  expect(calls).toEqual(["1", "2", "3", "4"]);
  const { items } = (await run.loopItems(taskId, "each"))!;
  expect(items.map(({ status }) => status)).toEqual(["completed", "failed", "completed", "completed"]);
});

test("without it the first failed item fails the step", async () => {
  const { engine, workflow } = await open();
  const run = await engine();
  const { taskId } = await run.start({ workflow: workflow("wf", loopOf({})), trigger: "manual", input: {} });
  expect((await run.settled(taskId, 5000)).task.error).toMatchObject({
    code: "http_error",
    // Counted from 1, as on the page.
    message: "Item 2: two is down",
    stepId: "each",
  });
});

test("a failed item is not repeated after a crash or a rerun", async () => {
  const { engine, workflow, calls, store } = await open();
  const graph = loopOf({ onItemError: "continue" });
  const last = { stepId: "last", type: "http", method: "GET", url: 2 };
  const its = workflow("wf", { ...graph, steps: [...graph.steps, last] });
  let crashed = false;
  const one = await engine({
    store: crashingStore(store, { write: 3, stored: true }, () => (crashed = true)),
  });
  let taskId = "";
  void one
    .start({ workflow: its, trigger: "manual", input: {} })
    .then((started) => (taskId = started.taskId));
  await expect.poll(() => crashed && taskId !== "").toBe(true);
  const two = await engine();
  await expect.poll(async () => (await store.task(taskId))?.status, { timeout: 5000 }).toBe("failed");
  await two.rerunFromFailed(taskId);
  await expect.poll(() => calls.length, { timeout: 5000 }).toBe(6);
  expect(calls).toEqual(["1", "2", "3", "4", "2", "2"]);
});

test("batchSize makes each item a list of so many items", async () => {
  const { engine, workflow, calls } = await open();
  const run = await engine();
  const { taskId } = await run.start({
    workflow: workflow("wf", loopOf({ batchSize: 3 }, [5, 6, 7, 8])),
    trigger: "manual",
    input: {},
  });
  expect((await run.settled(taskId, 5000)).task.result?.output).toEqual([[5, 6, 7], [8]]);
  expect(calls).toEqual(["[5,6,7]", "[8]"]);
});
