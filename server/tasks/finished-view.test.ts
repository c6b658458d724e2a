import { expect, test } from "vitest";
import { toSyncResponse } from "../endpoints/sync-response.ts";
import type { FinishedRun } from "../engine/engine-api.ts";
import type { JournalEntry, StepEntry } from "../engine/journal/journal-entry.ts";
import { createResponseBudget } from "../engine/tasks/response-budget.ts";
import { stepResultsOf } from "../engine/tasks/step-results.ts";
import type { TaskResult } from "../engine/tasks/task.ts";
import { finishedBody } from "./finished-view.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

function step(path: string, more: Partial<StepEntry> = {}): StepEntry {
  return {
    seq: 1,
    kind: "step",
    path,
    type: "transform",
    status: "completed",
    attempt: 1,
    final: true,
    input: JSON.stringify({ template: 'é " \u2028' }),
    output: '{"a":[1,null,true,"x"]}',
    outputRef: null,
    error: null,
    extra: null,
    startedAt: AT,
    at: AT + 7,
    ...more,
  };
}

const END: JournalEntry = { seq: 9, kind: "status", status: "completed", error: null, at: AT + 9 };

function finished(entries: JournalEntry[]): FinishedRun {
  return {
    task: {
      id: "task_1",
      ownerId: "user_1",
      workflowId: "wf_1",
      workflowVersion: 1,
      status: "completed",
      trigger: "api",
      input: {},
      error: null,
      parentTaskId: null,
      createdAt: AT,
      startedAt: AT,
      completedAt: AT + 9,
    },
    resultJson: '{"output":"x","outputs":{"a":"x"}}',
    entries: [...entries, END],
  };
}

/** The response that is built from parsed values. */
async function expected({ task, resultJson, entries }: FinishedRun): Promise<unknown> {
  const stepResults = await stepResultsOf(entries, new Map(), createResponseBudget(task.id, 0, {} as never));
  const result = JSON.parse(resultJson ?? "null") as TaskResult;
  const response = toSyncResponse({ task: { ...task, result }, stepResults }, (value) => value);
  return response.kind === "done" ? response.body : response;
}

test.each<[string, StepEntry[]]>([
  ["steps", [step("a"), step('quote " in [0]/id'), step("nothing", { output: null, input: null })]],
  ["what a runner returns beside the output", [step("a", { extra: { response: { status: 200 } } })]],
  ["nothing beside it", [step("a", { extra: {} })]],
  [
    "skipped and failed steps that the graph handles",
    [
      step("a", { status: "failed", error: { code: "http_error", message: "no" }, output: "null" }),
      step("b", {
        status: "skipped",
        attempt: 0,
        startedAt: null,
        input: null,
        output: null,
        extra: { reason: "disabled" },
      }),
    ],
  ],
])("the body has the bytes of the general way: %s", async (_name, entries) => {
  const run = finished(entries);
  expect(finishedBody(run)).toBe(JSON.stringify(await expected(run)));
});

test.each<[string, JournalEntry[]]>([
  ["a loop", [step("a", { type: "foreach" })]],
  ["a value outside its row", [step("a", { output: null, outputRef: "task_1/x.300000" })]],
  ["log lines", [step("a", { extra: { logs: [] } })]],
  ["tokens", [step("a", { extra: { usage: { totalTokens: 1 } } })]],
  ["a field of the result itself", [step("a", { extra: { output: 1 } })]],
  ["a rerun", [{ seq: 1, kind: "rerun", status: "queued", cleared: [], at: AT }, step("a")]],
])("takes the general way for %s", (_name, entries) => {
  expect(finishedBody(finished(entries))).toBeUndefined();
});

test("a task that did not complete has no such body", () => {
  const run = finished([step("a")]);
  expect(finishedBody({ ...run, task: { ...run.task, status: "failed" } })).toBeUndefined();
});
