import { expect, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { openBench } from "../testing/open-engine.ts";

const request = { method: "POST", headers: { "x-event": "order" }, query: {} };

const reads = (template: unknown): Step[] => [{ stepId: "a", type: "transform", template }];

test.each<[string, Step[], boolean]>([
  ["nothing of the trigger", reads("{{input}}"), false],
  ["the kind of the trigger", reads("{{trigger.kind}}"), false],
  ["a header", reads("{{trigger.headers.x-event}}"), true],
  ["the whole trigger", reads({ all: "{{trigger}}" }), true],
  ["an expression", [{ stepId: "a", type: "transform", expression: "$$.trigger.method" }], true],
  [
    "the query in a loop",
    [{ stepId: "each", type: "foreach", items: [], steps: reads("{{trigger.query}}"), edges: [] }],
    true,
  ],
])("a workflow that reads %s: whether the task stores the request", async (_what, steps, isStored) => {
  const bench = await openBench();
  const engine = await bench.engine();
  const workflow = bench.workflow("wf_1", { steps, edges: [] });
  const { taskId } = await engine.start({ workflow, trigger: "webhook", input: {}, request });
  const task = await bench.store.task(taskId);
  expect(task?.options?.request).toEqual(isStored ? request : undefined);
});
