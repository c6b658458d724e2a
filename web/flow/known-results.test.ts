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
const fullRun = run("fullRun", "manual", [result("a", 1), result("b", 2), result("c", 3)]);

test("partial runs add to the last full run, and older runs are ignored", () => {
  const known = knownResults([run("second", "partial", [result("b", 21)]), fullRun, older]);
  expect([...known.results.values()].map(({ output }) => output)).toEqual([1, 21, 3]);
  expect(known.input).toEqual({ of: "fullRun" });
});

test("a partial run gets the last full run, newer partial outputs, and the input", () => {
  const known = knownResults([
    run("third", "partial", [result("c", 31)]),
    run("second", "partial", [result("b", 21)]),
    fullRun,
  ]);
  expect(known.partialRunInputs(["c"])).toEqual({
    fromTaskId: "fullRun",
    outputs: { b: 21 },
    input: { of: "fullRun" },
  });
});

test("a step that fails in a partial run keeps its previous output", () => {
  const known = knownResults([run("second", "partial", [result("b", null, "failed")]), fullRun]);
  expect(known.results.get("b")?.status).toBe("failed");
  expect(known.partialRunInputs(["c"])).toEqual({ fromTaskId: "fullRun", input: { of: "fullRun" } });
});

test("a pinned output takes precedence, except when the step itself runs", () => {
  const pins = new Map([["b", "pinned"]]);
  const known = knownResults([run("second", "partial", [result("b", 21)]), fullRun], pins);
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

test("without a full run only partial outputs are passed, and without any run nothing", () => {
  const tried = knownResults([run("first", "partial", [result("a", 1)])]);
  expect(tried.partialRunInputs(["b"])).toEqual({ outputs: { a: 1 }, input: { of: "first" } });
  expect(knownResults([])).toMatchObject({ hasRun: false, input: undefined });
  expect(knownResults([]).partialRunInputs(["a"])).toEqual({});
});

test("a renamed step keeps the result of its old name, also for partial runs", () => {
  const known = knownResults([fullRun], new Map(), new Map([["renamed", "a"]]));
  expect(known.results.get("renamed")?.output).toBe(1);
  expect(known.taskIds.get("renamed")).toBe("fullRun");
  expect(known.partialRunInputs(["b"]).outputs).toEqual({ renamed: 1 });
});

test("a pinned input replaces that of the runs, also when there is no run yet", () => {
  const pinned = { title: "News" };
  const known = knownResults([], new Map(), new Map(), pinned);
  expect([known.input, known.hasRun, known.partialRunInputs(["a"])]).toEqual([
    pinned,
    true,
    { input: pinned },
  ]);
  expect(knownResults([]).partialRunInputs(["a"])).toEqual({});
});
