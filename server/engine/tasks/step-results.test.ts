import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { JournalEntry } from "../journal/journal-entry.ts";
import {
  attemptEntry,
  itemsEntry,
  rerunEntry,
  statusEntry,
  stepEntry,
  waitEntry,
} from "../testing/entry-samples.ts";
import { createResponseBudget } from "./response-budget.ts";
import { stepResultsOf } from "./step-results.ts";

const blobs = {
  put: () => Promise.resolve(),
  get: (key: string) => Promise.resolve(JSON.stringify(`blob ${key}`)),
  open: () => Promise.resolve({ stream: Readable.from([]), bytes: 1 }),
  removeFolder: () => Promise.resolve(),
};

function resultsOf(entries: JournalEntry[], running: Record<string, string> = {}) {
  const steps = new Map(Object.entries(running).map(([path, type]) => [path, { type, startedAt: 4 }]));
  return stepResultsOf(
    entries.map((entry, index) => ({ ...entry, seq: index + 1, at: entry.at || (index + 1) * 10 })),
    steps,
    createResponseBudget("task_1", 0, blobs),
  );
}

test("one result per step, with the fields of its runner and the duration since its first attempt", async () => {
  const [result, ...others] = await resultsOf([
    attemptEntry({
      status: "waiting",
      attempt: 1,
      due: 15,
      startedAt: 3,
      input: '{"url":1}',
      error: { code: "http_error", message: "m" },
    }),
    stepEntry({ attempt: 2, startedAt: 18, output: '{"x":1}', extra: { response: { status: 200 } } }),
    statusEntry(),
  ]);
  expect(others).toEqual([]);
  expect(result).toEqual({
    stepId: "a",
    type: "http",
    status: "completed",
    input: { url: 1 },
    output: { x: 1 },
    error: null,
    attempts: 2,
    startedAt: 3,
    completedAt: 20,
    durationMs: 17,
    response: { status: 200 },
  });
});

test("a waiting step has a due time and no output", async () => {
  expect(
    await resultsOf([attemptEntry({ attempt: 1, due: 99 }), itemsEntry({ output: "[1,2]" })]),
  ).toMatchObject([
    { status: "waiting", dueAt: 99, output: null, completedAt: null, durationMs: null },
    { stepId: "each", status: "running", output: null },
  ]);
});

test("a step in flight is running, with or without a journal entry", async () => {
  const results = await resultsOf([attemptEntry({ attempt: 1, due: 5 }), stepEntry({ path: "done" })], {
    a: "http",
    done: "http",
    fresh: "llm",
    each: "foreach",
    "each[1]/x": "http",
  });
  expect(results.map(({ stepId, status, attempts }) => [stepId, status, attempts])).toEqual([
    ["a", "running", 1],
    ["done", "completed", 0],
    ["fresh", "running", 1],
    ["each", "running", 1],
  ]);
});

test("a step cleared by a rerun is hidden until it has run again", async () => {
  const results = await resultsOf([
    stepEntry({ path: "kept" }),
    stepEntry({ status: "failed", error: { code: "http_error", message: "" } }),
    rerunEntry({ cleared: ["a"] }),
    rerunEntry(),
    stepEntry({ path: "a", output: "1" }),
  ]);
  expect(results.map(({ stepId, status, output }) => [stepId, status, output])).toEqual([
    ["kept", "completed", null],
    ["a", "completed", 1],
  ]);
});

test("usage of the iterations is in the result of their foreach", async () => {
  const usage = { inputTokens: 2, outputTokens: 1 };
  const [each] = await resultsOf([
    stepEntry({ path: "each[0]/x", extra: { usage } }),
    stepEntry({ path: "each", type: "foreach" }),
  ]);
  expect(each).toMatchObject({ stepId: "each", usage });
});

test("iterations of a foreach are in its output, and a large output is loaded from its blob", async () => {
  const results = await resultsOf([
    stepEntry({ path: "each[0]/x" }),
    stepEntry({ path: "each[0]" }),
    waitEntry({ path: "each", input: "1" }),
    itemsEntry(),
    stepEntry({ path: "each", outputRef: "t/1", startedAt: 20, at: 30 }),
  ]);
  expect(results).toMatchObject([{ stepId: "each", output: "blob t/1", input: 1, durationMs: 10 }]);
});

test("a step whose id ends like an iteration has a result of its own", async () => {
  const results = await resultsOf(
    [stepEntry({ path: "a[0]" }), itemsEntry(), stepEntry({ path: "each[0]/b[1]" })],
    { "c[2]": "http", "each[1]/b[1]": "http" },
  );
  expect(results.map(({ stepId }) => stepId)).toEqual(["a[0]", "each", "c[2]"]);
});
