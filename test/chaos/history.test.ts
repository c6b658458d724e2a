import { expect, test } from "vitest";
import {
  changesOf,
  faultsOf,
  type HistoryEntry,
  historyOf,
  lostOf,
  repeatsOf,
  wrongEnds,
} from "./history.ts";

const task = (status = "completed", output: unknown = 1) => ({
  id: "task",
  workflowId: "wf",
  status,
  input: "{}",
  result: JSON.stringify({ output }),
});
const entry = (seq: number, path: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  taskId: "task",
  seq,
  kind: "step",
  path,
  status: "completed",
  output: "1",
  at: seq * 10,
  ...more,
});
const end = (seq: number) => entry(seq, "", { kind: "status" });
const good = historyOf([task()], [entry(1, "a"), entry(2, "b"), end(3)]);
const expected = new Map([["task", { output: "1" }]]);

test("a good history has no faults", () => {
  expect(faultsOf(good)).toEqual([]);
  expect(lostOf(good, expected)).toEqual([]);
  expect(wrongEnds(good, expected)).toEqual([]);
  expect(repeatsOf(good, new Map([["task:a", [1, 5]]]))).toEqual([]);
});

test.each([
  ["a hole in the journal", [entry(1, "a"), entry(3, "b"), end(4)], /entry 2 has number 3/],
  ["a step recorded twice", [entry(1, "a"), entry(2, "a"), end(3)], /a recorded twice/],
  ["a step after the end", [entry(1, "a"), end(2), entry(3, "b")], /after the end/],
  ["an end that the journal does not know", [entry(1, "a")], /has not ended/],
])("%s is reported", (_name, entries, text) => {
  expect(faultsOf(historyOf([task()], entries)).join()).toMatch(text);
});

test("a missing or unfinished task is lost", () => {
  expect(lostOf(historyOf([], []), expected)).toEqual(["task: gone"]);
  expect(lostOf(historyOf([task("running")], []), expected)).toEqual(["task: running"]);
});

test("an output that does not follow from the input is reported", () => {
  expect(wrongEnds(historyOf([task("completed", 2)], []), expected).join()).toMatch(
    "ended with 2 instead of 1",
  );
});

test("a child is cancelled only with a parent that was given up", () => {
  const parent = { ...task("failed"), id: "parent", error: '{"code":"poison_task"}' };
  const child = { ...task("cancelled"), id: "child", parentTaskId: "parent" };
  expect(wrongEnds(historyOf([parent, child], []), new Map())).toEqual([]);
  const alive = { ...task(), id: "parent" };
  expect(wrongEnds(historyOf([alive, child], []), new Map())).toEqual(["child: ended cancelled"]);
  const failed = { ...child, status: "failed" };
  expect(wrongEnds(historyOf([parent, failed], []), new Map())).toEqual(["child: ended failed"]);
});

test("an effect after its step was recorded is a repeat, unless a rerun caused it", () => {
  const arrivals = new Map([["task:a", [5, 15]]]);
  expect(repeatsOf(good, arrivals)).toMatchObject([{ path: "a", recordedAt: 10, arrivedAt: 15 }]);
  const rerun = entry(2, "", { kind: "rerun", output: '["a"]', at: 12 });
  expect(repeatsOf(historyOf([task()], [entry(1, "a"), rerun, entry(3, "a"), end(4)]), arrivals)).toEqual([]);
});

test("later changes are reported", () => {
  const later = historyOf([task("failed")], [entry(1, "a", { output: "2" }), entry(2, "b"), end(3)]);
  expect(changesOf(good, later)).toEqual([
    "task: went from completed to failed",
    "task: entry 1 has changed",
  ]);
});
