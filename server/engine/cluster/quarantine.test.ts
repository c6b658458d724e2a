import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineTask } from "../store.ts";
import { createQuarantine } from "./quarantine.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(settleMs: number) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const quarantine = createQuarantine({
    settleMs,
    claim: (id) => Promise.resolve(id === "cancelled" ? undefined : ({ id } as EngineTask)),
    work({ id }) {
      begun.push(id);
      return new Promise((resolve) => ends.push(resolve));
    },
    onError: (error) => {
      throw error;
    },
  });
  const endOne = async (): Promise<void> => {
    ends.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { quarantine, begun, endOne };
}

test("are taken up only by a process that has lived for a while, then one at a time", async () => {
  const { quarantine, begun, endOne } = open(3000);
  quarantine.add(["a", "cancelled", "b"]);
  await vi.advanceTimersByTimeAsync(2999);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["a"]);
  await endOne();
  expect(begun).toEqual(["a", "b"]);
});

test("that come later are taken up at once", async () => {
  const { quarantine, begun } = open(3000);
  await vi.advanceTimersByTimeAsync(3000);
  quarantine.add(["a"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a"]);
});

test("stay held back when the process stops", async () => {
  const { quarantine, begun } = open(3000);
  quarantine.add(["a"]);
  quarantine.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toEqual([]);
});
