import { expect, test } from "vitest";
import type { Task } from "../api/types.ts";
import { compareRuns, comparedValue, keyOfText, outcomeOf } from "./compare-runs.ts";

const step = (stepId: string, output: unknown, more: object = {}) => ({
  stepId,
  type: "http",
  status: "completed",
  output,
  error: null,
  attempts: 1,
  durationMs: 900,
  ...more,
});
const task = (...stepResults: object[]): Task => ({ stepResults }) as unknown as Task;

test("only what differs is marked: status, output, error, and steps of one run", () => {
  const before = task(
    step("same", { n: 1 }),
    step("time", { at: "2030-01-01T00:00:00Z" }),
    step("pay", null, { status: "failed", error: { code: "x", message: "no" } }),
    step("grade", { grade: "A" }),
    step("old", 1),
  );
  const after = task(
    step("same", { n: 1 }, { durationMs: 5 }),
    step("time", { at: "2031-01-01T00:00:00Z" }),
    step("pay", { ok: true }),
    step("grade", { grade: "B" }),
    step("mail", 1),
  );
  const summaries = (ignore: boolean) =>
    compareRuns(before, after, keyOfText(ignore)).map(({ stepId, summary }) => `${stepId}: ${summary}`);
  expect(summaries(true)).toEqual([
    "same: equal",
    "time: equal",
    "pay: Failed → Completed",
    "grade: output differs",
    "old: only in A",
    "mail: only in B",
  ]);
  expect(summaries(false)).toContain("time: output differs");
});

test("sentences are compared as prose, everything else as JSON", () => {
  expect(comparedValue("one two", "one three").isProse).toBe(true);
  expect(comparedValue("one", "two").isProse).toBe(false);
  expect(comparedValue({ a: 1 }, undefined)).toEqual({ before: '{\n  "a": 1\n}', after: "", isProse: false });
  expect(outcomeOf(step("a", 1, { attempts: 2 }) as never)).toBe("Completed · 900 ms · 2 attempts");
});
