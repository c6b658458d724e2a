import { expect, test } from "vitest";
import type { StepResult, Task } from "../api/types.ts";
import { knownResults } from "./known-results.ts";

const result = (stepId: string, output: unknown, status: StepResult["status"] = "completed"): StepResult => ({
  stepId,
  type: "transform",
  status,
  input: null,
  output,
  error: null,
  attempts: 1,
  startedAt: null,
  completedAt: null,
  durationMs: null,
});
const run = (
  id: string,
  trigger: Task["trigger"],
  stepResults: StepResult[],
  input: unknown = { of: id },
): Task => ({
  id,
  taskId: id,
  workflowId: "wf",
  workflowVersion: 1,
  status: "completed",
  trigger,
  error: null,
  createdAt: "",
  startedAt: null,
  completedAt: null,
  input,
  result: null,
  stepResults,
});

const older = run("older", "manual", [result("a", "old"), result("b", "old")]);
const whole = run("whole", "manual", [result("a", 1), result("b", 2), result("c", 3)]);

test("steps that were run alone add to the last whole run, and runs before that one count no more", () => {
  const known = knownResults([run("second", "partial", [result("b", 21)]), whole, older]);
  expect([...known.results.values()].map(({ output }) => output)).toEqual([1, 21, 3]);
  expect(known.input).toEqual({ of: "whole" });
});

test("the next step alone gets the whole run, what was tried since, and the input", () => {
  const known = knownResults([
    run("third", "partial", [result("c", 31)]),
    run("second", "partial", [result("b", 21)]),
    whole,
  ]);
  expect(known.partialRunInputs(["c"])).toEqual({
    fromTaskId: "whole",
    outputs: { b: 21 },
    input: { of: "whole" },
  });
});

test("a step that failed when it was tried alone leaves what it gave before", () => {
  const known = knownResults([run("second", "partial", [result("b", null, "failed")]), whole]);
  expect(known.results.get("b")?.status).toBe("failed");
  expect(known.partialRunInputs(["c"])).toEqual({ fromTaskId: "whole", input: { of: "whole" } });
});

test("what is pinned to a step goes before everything it gave, but not when the step itself runs", () => {
  const pins = new Map([["b", "pinned"]]);
  const known = knownResults([run("second", "partial", [result("b", 21)]), whole], pins);
  expect(known.outputs).toEqual(
    new Map<string, unknown>([
      ["a", 1],
      ["b", "pinned"],
      ["c", 3],
    ]),
  );
  expect(known.partialRunInputs(["c"]).outputs).toEqual({ b: "pinned" });
  expect(known.partialRunInputs(["b", "c"]).outputs).toBeUndefined();
  expect(knownResults([], pins).partialRunInputs(["c"])).toEqual({ outputs: { b: "pinned" } });
});

test("without a whole run only what was tried alone is given, and without any run nothing", () => {
  const tried = knownResults([run("first", "partial", [result("a", 1)])]);
  expect(tried.partialRunInputs(["b"])).toEqual({ outputs: { a: 1 }, input: { of: "first" } });
  expect(knownResults([])).toMatchObject({ hasRun: false, input: undefined });
  expect(knownResults([]).partialRunInputs(["a"])).toEqual({});
});
