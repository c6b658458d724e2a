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
import { stepResultsOf } from "./step-results.ts";

const blobs = {
  put: () => Promise.resolve(),
  get: (key: string) => Promise.resolve(JSON.stringify(`blob ${key}`)),
  removeFolder: () => Promise.resolve(),
};

function resultsOf(entries: JournalEntry[], running: Record<string, string> = {}) {
  const steps = new Map(Object.entries(running).map(([path, type]) => [path, { type, startedAt: 4 }]));
  return stepResultsOf(
    entries.map((entry, index) => ({ ...entry, seq: index + 1, at: entry.at || (index + 1) * 10 })),
    steps,
    blobs,
  );
}

test("one result a step, with what its runner added and how long it took from its first beginning", async () => {
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

test("a step that waits says until when and has no output yet", async () => {
  expect(
    await resultsOf([attemptEntry({ attempt: 1, due: 99 }), itemsEntry({ output: "[1,2]" })]),
  ).toMatchObject([
    { status: "waiting", dueAt: 99, output: null, completedAt: null, durationMs: null },
    { stepId: "each", status: "running", output: null },
  ]);
});

test("a step under way is running, whether the journal knows it or not", async () => {
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

test("what a rerun cleared is shown no more, and what ran again in its place", async () => {
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

test("what the rounds of a foreach have used is told with it", async () => {
  const usage = { inputTokens: 2, outputTokens: 1 };
  const [each] = await resultsOf([
    stepEntry({ path: "each[0]/x", extra: { usage } }),
    stepEntry({ path: "each", type: "foreach" }),
  ]);
  expect(each).toMatchObject({ stepId: "each", usage });
});

test("rounds of a foreach stand in its output, and a large output beside its row", async () => {
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
