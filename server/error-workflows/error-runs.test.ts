import { expect, test } from "vitest";
import type { Engine, StartTask } from "../engine/engine-api.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { openBench } from "../engine/testing/open-engine.ts";
import { createErrorRuns } from "./error-runs.ts";
import { createErrorWorkflowStore, type ErrorWorkflowStore } from "./error-workflow.sql.ts";

const broken = { steps: [{ stepId: "call", type: "http", method: "GET", url: "x" }], edges: [] };

async function open() {
  const bench = await openBench({ http: () => Promise.reject(new AppError("http_error", "down")) });
  const engine = await bench.engine();
  const handler = bench.workflow("wf_handler", {
    steps: [{ stepId: "a", type: "transform", template: 1 }],
    edges: [],
  });
  const workflow = { ...bench.workflow("wf_1", broken), settings: { errorWorkflowId: "wf_handler" } };
  const { taskId } = await engine.start({ workflow, trigger: "api", input: {} });
  await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("failed");
  const sql = createErrorWorkflowStore(bench.db);
  const store: Pick<ErrorWorkflowStore, "oldest" | "remove"> = {
    // The workflows of this test are not stored.
    oldest: async (limit) =>
      (await sql.oldest(limit)).map((failed) => ({ ...failed, errorWorkflowIds: ["wf_handler"] })),
    remove: sql.remove,
  };
  const loopOf = (more: Partial<typeof store> = {}, its: Pick<Engine, "read" | "start"> = engine) =>
    createErrorRuns({
      store: { ...store, ...more },
      engine: its,
      findWorkflow: () => Promise.resolve({ ...handler, isActive: true }),
      serviceUrl: "http://x",
      clock: systemClock,
      onError: () => undefined,
    });
  const errorRuns = () => bench.db.query("select id from task where trigger = 'error'");
  const rows = () => bench.db.query("select task_id from failed_run");
  return { engine, taskId, loopOf, errorRuns, rows };
}

test("a process that crashes after the start, before it removes the row, starts no second run", async () => {
  const { loopOf, errorRuns, rows, taskId } = await open();
  expect(await rows()).toEqual([{ task_id: taskId }]);
  const crashing = loopOf({ remove: () => new Promise(() => undefined) });
  crashing.poll();
  await expect.poll(errorRuns).toHaveLength(1);
  const next = loopOf();
  next.poll();
  await expect.poll(rows).toEqual([]);
  expect(await errorRuns()).toHaveLength(1);
  await next.close();
});

test("two processes start one run, and a full queue keeps the failure for later", async () => {
  const { engine, loopOf, errorRuns, rows } = await open();
  let attempts = 0;
  const full = (request: StartTask) => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new AppError("limit_reached", "full")) : engine.start(request);
  };
  const refused = loopOf({}, { read: engine.read, start: full });
  refused.poll();
  await expect.poll(() => attempts).toBe(1);
  expect(await rows()).toHaveLength(1);
  const loops = [loopOf(), loopOf()];
  for (const loop of loops) loop.poll();
  await expect.poll(rows).toEqual([]);
  expect(await errorRuns()).toHaveLength(1);
  for (const loop of [...loops, refused]) await loop.close();
});
