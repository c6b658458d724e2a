import { describe, expect, test } from "vitest";
import { applyEvent, initialProgress, newestProgress, type RunEvent } from "./run-progress.ts";

const at = (second: number): string => new Date(second * 1000).toISOString();
const follow = (events: RunEvent[]) =>
  events.reduce((now, event) => applyEvent(now, event, at(100)), initialProgress("queued"));
const ended = (seq: number, stepId: string, status = "completed"): RunEvent => ({
  kind: "step",
  seq,
  stepId,
  type: "http",
  status,
  attempt: 1,
  startedAt: at(seq),
  at: at(seq + 1),
});

describe("the progress of a run", () => {
  test("a step starts, ends, and the task ends", () => {
    const started: RunEvent = { stepId: "a", type: "http", status: "running" };
    expect(follow([started]).steps.get("a")).toMatchObject({ status: "running", endedAt: null });
    const done = follow([started, ended(1, "a"), { kind: "status", seq: 2, status: "completed" }]);
    expect(done).toMatchObject({ status: "completed", lastSeq: 2 });
    expect(done.steps.get("a")).toMatchObject({ status: "completed", endedAt: at(2) });
  });

  test("of what was read and what was streamed, the newer one is shown", () => {
    const failed = follow([ended(1, "a"), { kind: "status", seq: 2, status: "failed" }]);
    const rerun = { ...initialProgress("running"), lastSeq: 3 };
    expect(newestProgress(rerun, failed)).toBe(rerun);
    expect(newestProgress(rerun, undefined)).toBe(rerun);
    const streamed = { ...rerun, lastSeq: 4 };
    expect(newestProgress(rerun, streamed)).toBe(streamed);
    // The stream also has what is not stored: steps that have started, log lines.
    expect(newestProgress(rerun, { ...rerun }).status).toBe("running");
  });

  test("log lines are added to the running step, and the next attempt starts without them", () => {
    const started: RunEvent = { stepId: "a", type: "http", status: "running" };
    const line: RunEvent = { stepId: "a", type: "http", level: "info", message: "one", at: at(1) };
    const logged = follow([started, line, { ...line, message: "two" }]);
    expect(logged.steps.get("a")?.logs?.map(({ message }) => message)).toEqual(["one", "two"]);
    expect(logged.status).toBe("running");
    const tried = applyEvent(logged, { ...ended(1, "a", "waiting"), kind: "attempt" }, at(100));
    expect(tried.steps.get("a")?.logs).toHaveLength(2);
    expect(applyEvent(tried, started, at(100)).steps.get("a")?.logs).toBeUndefined();
    expect(follow([line]).steps.size).toBe(0);
  });

  test("a run with only waiting steps is waiting until a step continues", () => {
    const waits: RunEvent = {
      kind: "wait",
      seq: 2,
      stepId: "nap",
      status: "waiting",
      dueAt: at(90),
      at: at(3),
    };
    const parked = follow([ended(1, "a"), waits]);
    expect(parked.status).toBe("waiting");
    expect(parked.steps.get("nap")).toMatchObject({ status: "waiting", dueAt: at(90) });
    expect(follow([ended(1, "a"), waits, { stepId: "b", status: "running" }]).status).toBe("running");
    expect(follow([ended(1, "a"), waits, ended(3, "nap")]).status).toBe("running");
  });

  test("a pending approval sets the status until it is decided", () => {
    const asks: RunEvent = { kind: "wait", seq: 1, stepId: "ok", status: "waiting_approval", at: at(1) };
    expect(follow([asks, { stepId: "b", status: "running" }]).status).toBe("waiting_approval");
    expect(follow([asks, ended(2, "ok")]).status).toBe("running");
  });

  test("a repeated event changes nothing", () => {
    const once = follow([ended(1, "a")]);
    expect(applyEvent(once, ended(1, "a"), at(5))).toBe(once);
  });

  test("a failed attempt shows its error until the next attempt ends", () => {
    const failed: RunEvent = {
      kind: "attempt",
      seq: 1,
      stepId: "a",
      type: "http",
      status: "waiting",
      attempt: 1,
      error: { code: "x", message: "no" },
      at: at(1),
    };
    expect(follow([failed]).steps.get("a")).toMatchObject({ status: "waiting", attempt: 1, endedAt: null });
    expect(follow([failed]).steps.get("a")?.error?.message).toBe("no");
    expect(follow([failed, ended(2, "a")]).steps.get("a")).toMatchObject({
      status: "completed",
      error: null,
    });
  });

  test("an approval makes the task wait, and a rerun clears failed steps but keeps completed ones", () => {
    expect(
      follow([{ kind: "wait", seq: 1, stepId: "a", type: "approval", status: "waiting_approval" }]).status,
    ).toBe("waiting_approval");
    const again = follow([ended(1, "a"), ended(2, "b", "failed"), { kind: "rerun", seq: 3 }]);
    expect([...again.steps.keys()]).toEqual(["a"]);
    expect(again.status).toBe("running");
  });

  test("iterations of a loop advance the sequence and are not shown", () => {
    const progress = follow([ended(1, "each[3]/fetch")]);
    expect(progress).toMatchObject({ lastSeq: 1, steps: new Map() });
  });
});
