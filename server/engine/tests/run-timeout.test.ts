import { expect, test } from "vitest";
import type { Graph, Step } from "../../../contract/graph.ts";
import { openBench } from "../testing/open-engine.ts";

const nap: Step = { stepId: "nap", type: "delay", seconds: 3600 };
const work: Step = { stepId: "work", type: "http", method: "GET", url: "x" };
const graphOf = (...steps: Step[]): Graph => ({ steps, edges: [] });

async function open(
  graph: Graph,
  timeoutMs: number,
  http: () => Promise<null> = () => Promise.resolve(null),
) {
  const bench = await openBench({ http: async () => ({ output: await http() }) });
  const engine = await bench.engine();
  const workflow = { ...bench.workflow("wf_1", graph), settings: { timeoutMs } };
  return {
    ...bench,
    run: engine,
    add: bench.workflow,
    start: async () => (await engine.start({ workflow, trigger: "manual", input: {} })).taskId,
    async fails(taskId: string) {
      await expect
        .poll(async () => (await bench.store.task(taskId))?.error?.code, { timeout: 5000 })
        .toBe("run_timeout");
    },
  };
}

test("a run that takes longer than its time limit fails, in a step that never ends", async () => {
  const { start, fails } = await open(graphOf(work), 30, () => new Promise(() => undefined));
  await fails(await start());
});

test("a run that waits fails at its time limit, also after a restart", async () => {
  const { start, fails, store, run, engine } = await open(graphOf(nap), 300);
  const taskId = await start();
  await expect.poll(async () => (await store.task(taskId))?.status).toBe("waiting");
  await run.close();
  await engine();
  await fails(taskId);
});

test("the time limit cancels the tasks that the run started", async () => {
  const sub = { stepId: "sub", type: "workflow", workflowId: "wf_sub" };
  const bench = await open(graphOf(sub), 200);
  bench.add("wf_sub", graphOf(nap));
  await bench.fails(await bench.start());
  await expect
    .poll(() => bench.db.query("select status from task where parent_task_id is not null"))
    .toEqual([{ status: "cancelled" }]);
});

test("a rerun has the whole time again, and a run within its limit is not affected", async () => {
  let isSlow = true;
  const { start, fails, run, store } = await open(graphOf(work), 200, () =>
    isSlow ? new Promise(() => undefined) : Promise.resolve(null),
  );
  const taskId = await start();
  await fails(taskId);
  isSlow = false;
  await run.rerunFromFailed(taskId);
  await expect.poll(async () => (await store.task(taskId))?.status).toBe("completed");
});
