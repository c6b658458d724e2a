import { expect, test } from "vitest";
import type { TaskStreamEvent } from "../../contract/task-events.ts";
import { logRows } from "./run-log.ts";
import { initialProgress, type RunProgress, type StepProgress } from "./run-progress.ts";

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const line = (second: number, message: string) => ({ at: at(second), level: "info" as const, message });

function ended(
  seq: number,
  stepId: string,
  attempt: number,
  logs: ReturnType<typeof line>[] = [],
): TaskStreamEvent {
  const kind = attempt === 1 && stepId === "a" ? "attempt" : "step";
  return { event: kind, kind, seq, at: at(seq), stepId, type: "code", attempt, status: "completed", logs };
}

function withLines(stepId: string, logs: StepProgress["logs"]): RunProgress {
  const step = {
    stepId,
    type: "code",
    status: "running",
    attempt: 1,
    startedAt: null,
    endedAt: null,
    dueAt: null,
  };
  return {
    ...initialProgress("running"),
    steps: new Map([[stepId, { ...step, error: null, logs } as StepProgress]]),
  };
}

const textsOf = (rows: ReturnType<typeof logRows>) =>
  rows.map(({ event, line: shown }) => shown?.message ?? (event as { seq: number }).seq);

test("lines of every attempt and of steps inside loops are between the events, with path and attempt", () => {
  const events = [
    ended(2, "a", 1, [line(1, "first")]),
    ended(4, "a", 2, [line(3, "second")]),
    ended(6, "each[1]/b", 1, [line(5, "inner")]),
  ];
  const rows = logRows(events, initialProgress("completed"), false);
  expect(textsOf(rows)).toEqual(["first", 2, "second", 4, "inner", 6]);
  expect(rows[2]?.line).toMatchObject({ stepId: "a", attempt: 2 });
  expect(rows[4]?.line).toMatchObject({ stepId: "each[1]/b" });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test("lines of a running step are shown until they are recorded, and then once", () => {
  const lines = [line(1, "one"), line(2, "two")];
  expect(textsOf(logRows([], withLines("a", lines), false))).toEqual(["one", "two"]);
  expect(textsOf(logRows([ended(3, "a", 1, lines)], withLines("a", lines), false))).toEqual([
    "one",
    "two",
    3,
  ]);
});

test("lines of a page that is not loaded yet are left out", () => {
  const rows = logRows([ended(3, "b", 1)], withLines("a", [line(1, "early"), line(9, "late")]), true);
  expect(textsOf(rows)).toEqual(["early", 3]);
});
