import { expect, test } from "vitest";
import type { Engine } from "../engine-api.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { gate, storeWithHooks, reaches, start, statusOf, work } from "../testing/gated.ts";
import { openBench } from "../testing/open-engine.ts";
import { pathOf } from "../testing/entry-samples.ts";

test("a shutdown between the start of a step and its sub-workflow is not retried: the next process starts it", async () => {
  const bench = await openBench();
  const inner = bench.workflow("inner", { steps: [value("leaf")], edges: [] });
  let first: Engine | undefined;
  let closing: Promise<void> | undefined;
  let asked = 0;
  const store = storeWithHooks(bench.store, {
    // The step has started and is about to start its sub-workflow when the process shuts down.
    childId: (call) => {
      closing ??= first!.close();
      return call();
    },
  });
  const currentWorkflow = () => {
    asked += 1;
    return Promise.resolve(inner);
  };
  first = await bench.engine({ store, currentWorkflow, closeGraceMs: 5000 });
  const taskId = await start(bench, first, "w", [{ stepId: "call", type: "workflow", workflowId: "inner" }]);
  await expect.poll(() => closing !== undefined).toBe(true);
  await closing;
  // Without the check for shutdown it would be retried until the grace period ends.
  expect(asked).toBe(0);
  expect(await statusOf(bench, taskId)()).toBe("queued");
  await bench.engine();
  await reaches(bench, taskId, "completed");
});

test("an internal error stops parallel branches, and nothing of them is recorded", async () => {
  const { run, open, isAt } = gate();
  const stopped: string[] = [];
  const bench = await openBench({
    http: (call) => {
      call.signal.addEventListener("abort", () => stopped.push(call.path));
      return run(call);
    },
  });
  const store = storeWithHooks(bench.store, {
    record: (call, write) =>
      pathOf(write.entries[0]) === "broken" ? Promise.reject(new Error("corrupt")) : call(),
  });
  const engine = await bench.engine({ store });
  const steps = [work("broken"), work("beside"), value("end")];
  const taskId = await start(bench, engine, "w", steps, [edge("broken", "end"), edge("beside", "end")]);
  await expect.poll(() => isAt("broken") && isAt("beside")).toBe(true);
  open("broken");
  await reaches(bench, taskId, "failed");
  expect(stopped).toEqual(["beside"]);
  open("beside");
  await engine.close();
  const recorded = await bench.store.entries(taskId, 0, 99);
  expect(recorded.filter(({ kind }) => kind === "step")).toEqual([]);
});
