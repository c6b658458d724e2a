import { expect, test } from "vitest";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import { openBench } from "../testing/open-engine.ts";

const CALL = { trigger: "api", input: { name: "Ada" } } as const;

test.each([
  ["that fits into a response is returned as its view", 0, "seen"],
  ["that does not fit is returned with links instead", 10, undefined],
])("a finished run %s", async (_name, maxBytes, expected) => {
  const bench = await openBench();
  const engine = await bench.engine({ limits: limitsOf({ response_bytes: maxBytes }) });
  const workflow = bench.workflow("w", { steps: [value("a", "{{input.name}} Lovelace")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  const settled = await engine.settledAs(taskId, 5000, () => "seen");
  if (expected !== undefined) return expect(settled).toBe(expected);
  expect(settled).toMatchObject({
    task: { result: { output: "Ada Lovelace" } },
    stepResults: [{ output: { truncated: true } }],
  });
});

test("a view that returns nothing leaves the task with its steps", async () => {
  const bench = await openBench();
  const engine = await bench.engine();
  const workflow = bench.workflow("w", { steps: [value("a", "x")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  expect(await engine.settledAs(taskId, 5000, () => undefined)).toMatchObject({
    task: { status: "completed", result: { output: "x" } },
    stepResults: [{ stepId: "a", output: "x" }],
  });
});
