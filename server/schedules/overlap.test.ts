import { expect, test } from "vitest";
import type { overlapPolicies } from "../../contract/schedules.ts";
import { planRuns } from "./overlap.ts";

type Policy = (typeof overlapPolicies)[number];
const [T1, T2, T3] = [1, 2, 3] as const;
const plan = (overlap: Policy, previousRuns: boolean, times: number[], waitingAt: number | null = null) =>
  planRuns({ overlap, previousRuns, waitingAt }, times);
const starts = (...times: number[]) => ({ starts: times, waitsFor: null, cancelsPrevious: false });

test("without a previous run every policy starts the due run", () => {
  for (const policy of ["allow", "skip", "queue", "cancel_previous"] as const)
    expect(plan(policy, false, [T1])).toEqual(starts(T1));
});

test("while the previous run has not ended: allow starts, skip does not, queue waits, cancel_previous cancels it", () => {
  expect(plan("allow", true, [T1])).toEqual(starts(T1));
  expect(plan("skip", true, [T1])).toEqual(starts());
  expect(plan("queue", true, [T1])).toEqual({ ...starts(), waitsFor: T1 });
  expect(plan("cancel_previous", true, [T1])).toEqual({ ...starts(T1), cancelsPrevious: true });
});

test("queue lets one run wait, the oldest, and starts it when the previous one has ended", () => {
  expect(plan("queue", true, [T2], T1)).toEqual({ ...starts(), waitsFor: T1 });
  expect(plan("queue", false, [], T1)).toEqual(starts(T1));
  expect(plan("queue", false, [T2], T1)).toEqual({ ...starts(T1), waitsFor: T2 });
});

test("runs caught up together overlap as well: skip keeps the first, cancel_previous the last, queue two", () => {
  expect(plan("allow", false, [T1, T2, T3])).toEqual(starts(T1, T2, T3));
  expect(plan("skip", false, [T1, T2, T3])).toEqual(starts(T1));
  expect(plan("cancel_previous", false, [T1, T2, T3])).toEqual(starts(T3));
  expect(plan("queue", false, [T1, T2, T3])).toEqual({ ...starts(T1), waitsFor: T2 });
});

test("a queued run is not lost when the policy changes, and nothing due cancels nothing", () => {
  expect(plan("allow", true, [], T1)).toEqual(starts(T1));
  expect(plan("cancel_previous", true, [])).toEqual(starts());
});
