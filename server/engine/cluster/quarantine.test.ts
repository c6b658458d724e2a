import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineTask } from "../tasks/engine-task.ts";
import { createQuarantine } from "./quarantine.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(settleMs: number) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const quarantine = createQuarantine({
    settleMs,
    onError: (error) => {
      throw error;
    },
  });
  quarantine.start({
    claim: (id) => Promise.resolve(id === "cancelled" ? undefined : ({ id } as EngineTask)),
    run({ id }) {
      started.push(id);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const endOne = async (): Promise<void> => {
    ends.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { quarantine, started, endOne };
}

test("quarantined tasks run one at a time, after the process has been up for a while", async () => {
  const { quarantine, started, endOne } = open(3000);
  quarantine.add(["a", "cancelled", "b"]);
  await vi.advanceTimersByTimeAsync(2999);
  expect(started).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(["a"]);
  await endOne();
  expect(started).toEqual(["a", "b"]);
});

test("tasks quarantined later run immediately", async () => {
  const { quarantine, started } = open(3000);
  await vi.advanceTimersByTimeAsync(3000);
  quarantine.add(["a"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual(["a"]);
});

test("quarantined tasks stay quarantined when the process stops", async () => {
  const { quarantine, started } = open(3000);
  quarantine.add(["a"]);
  quarantine.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toEqual([]);
});
