import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDueLoop, type DueLoopDeps } from "./due-loop.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function loopOf(deps: Partial<DueLoopDeps> = {}) {
  const errors: unknown[] = [];
  const takeDue = vi.fn<DueLoopDeps["takeDue"]>(deps.takeDue ?? (() => Promise.resolve(false)));
  const loop = createDueLoop({
    clock: { now: () => Date.now(), monotonic: () => Date.now() },
    nextDue: () => Promise.resolve(null),
    onError: (error) => errors.push(error),
    ...deps,
    takeDue,
  });
  return { loop, takeDue, errors };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("polls on request, then when the next task is due", async () => {
  const due = Date.now() + 500;
  const { loop, takeDue } = loopOf({ nextDue: () => Promise.resolve(due) });
  loop.poll();
  await pass(499);
  expect(takeDue).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(takeDue).toHaveBeenCalledTimes(2);
});

test("polls every ten seconds when nothing is due, in case a hint was lost", async () => {
  const { loop, takeDue } = loopOf({ nextDue: () => Promise.resolve(null) });
  loop.poll();
  await pass(9999);
  expect(takeDue).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(takeDue).toHaveBeenCalledTimes(2);
});

test("does not read the next due time while more is due than it can claim", async () => {
  const nextDue = vi.fn<DueLoopDeps["nextDue"]>(() => Promise.resolve(0));
  const { loop, takeDue } = loopOf({ takeDue: () => Promise.resolve(true), nextDue });
  loop.poll();
  await pass(9000);
  expect(takeDue).toHaveBeenCalledTimes(1);
  expect(nextDue).not.toHaveBeenCalled();
});

test("does not read the next due time when it polls again at once", async () => {
  const nextDue = vi.fn<DueLoopDeps["nextDue"]>(() => Promise.resolve(null));
  let requests = 1;
  const { loop, takeDue } = loopOf({
    async takeDue() {
      await Promise.resolve();
      if (requests-- > 0) loop.poll();
      return false;
    },
    nextDue,
  });
  loop.poll();
  await pass(1);
  expect(takeDue).toHaveBeenCalledTimes(2);
  expect(nextDue).toHaveBeenCalledTimes(1);
});

test("polls once more after requests during a poll", async () => {
  let finish: (more: boolean) => void = () => undefined;
  const { loop, takeDue } = loopOf({ takeDue: () => new Promise((resolve) => (finish = resolve)) });
  loop.poll();
  loop.poll();
  loop.poll();
  expect(takeDue).toHaveBeenCalledTimes(1);
  finish(false);
  await pass(0);
  expect(takeDue).toHaveBeenCalledTimes(2);
  finish(false);
  await pass(0);
  expect(takeDue).toHaveBeenCalledTimes(2);
});

test("reports an error and polls again a second later", async () => {
  const { loop, takeDue, errors } = loopOf({ takeDue: () => Promise.reject(new Error("no answer")) });
  loop.poll();
  await pass(999);
  expect(errors).toEqual([new Error("no answer")]);
  expect(takeDue).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(takeDue).toHaveBeenCalledTimes(2);
});

test("polls no more after close, and close waits for the poll in flight", async () => {
  let finish: (more: boolean) => void = () => undefined;
  const { loop, takeDue } = loopOf({ takeDue: () => new Promise((resolve) => (finish = resolve)) });
  loop.poll();
  let closed = false;
  const closing = loop.close().then(() => (closed = true));
  await pass(0);
  expect(closed).toBe(false);
  finish(false);
  await closing;
  loop.poll();
  await pass(60_000);
  expect(takeDue).toHaveBeenCalledTimes(1);
});
