import { expect, test } from "vitest";
import { createId } from "../lib/ids.ts";
import type { ToolUse } from "../models/language-model.ts";
import { toolCallsOf } from "./tool-calls.ts";

function stepWith(...toolUses: ToolUse[]) {
  return { text: "", toolUses, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
}

const use: ToolUse = { id: "1", name: "search", input: { q: "lamp" }, output: "none", failed: false };

test("calls of all model calls are listed in order, and a task is named", () => {
  const taskId = createId("task", 1);
  const calls = toolCallsOf([
    stepWith(use),
    stepWith({ ...use, output: { taskId, output: 5 } }, { ...use, output: "timed out", failed: true }),
  ]);
  expect(calls).toEqual([
    { name: "search", input: { q: "lamp" }, output: "none", failed: false },
    { name: "search", input: { q: "lamp" }, output: { taskId, output: 5 }, failed: false, taskId },
    { name: "search", input: { q: "lamp" }, output: "timed out", failed: true },
  ]);
});

test("a server's own task id is no link to a run", () => {
  expect(toolCallsOf([stepWith({ ...use, output: { taskId: "../settings" } })])[0]).not.toHaveProperty(
    "taskId",
  );
});

test("long values are shortened and keep their task; calls beyond 50 are left out", () => {
  const taskId = createId("task", 1);
  const long = { ...use, input: "x".repeat(5000), output: { taskId, text: "y".repeat(5000) } };
  const calls = toolCallsOf(Array.from({ length: 60 }, () => stepWith(long)));
  expect(calls).toHaveLength(50);
  expect(calls[0]).toMatchObject({ input: `${"x".repeat(2000)}…`, taskId });
  expect(calls[0]!.output).toHaveLength(2001);
});
