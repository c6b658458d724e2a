import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPool, type PoolOptions, type WorkEnd } from "./pool.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const clock = { now: () => Date.now(), monotonic: () => Date.now() };

/** A pool whose items end when the test ends them. */
function manualPool(options: Partial<PoolOptions<string>> = {}) {
  const begun: string[] = [];
  const ends = new Map<string, { resolve(end: WorkEnd): void; reject(error: unknown): void }>();
  const pool = createPool<string>({
    limit: 2,
    waitingHoldsSlot: false,
    clock,
    stop: { aborted: false },
    onError: () => undefined,
    work(item) {
      begun.push(item);
      return new Promise((resolve, reject) => ends.set(item, { resolve, reject }));
    },
    ...options,
  });
  return {
    pool,
    begun,
    async end(item: string, end: WorkEnd = { kind: "done" }) {
      ends.get(item)!.resolve(end);
      await vi.advanceTimersByTimeAsync(0);
    },
    async reject(item: string, error: unknown) {
      ends.get(item)!.reject(error);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe("a pool", () => {
  test("is done at once without items", async () => {
    const { pool } = manualPool();
    pool.add([]);
    expect(await pool.end).toEqual({ kind: "done" });
  });

  test("runs items concurrently up to its limit", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["a", "b", "c"]);
    expect(begun).toEqual(["a", "b"]);
    await end("a");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("b");
    await end("c");
    expect(await pool.end).toEqual({ kind: "done" });
  });

  test("starts nothing more after a failure and lets items in flight end", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["a", "b", "c"]);
    await end("a", { kind: "failed" });
    await end("b", { kind: "waiting", due: Date.now() + 5 });
    expect(begun).toEqual(["a", "b"]);
    expect(await pool.end).toEqual({ kind: "failed" });
    pool.add(["d"]);
    pool.wake();
    expect(begun).toEqual(["a", "b"]);
  });

  test("starts nothing more after an error, lets items in flight end, and rejects with the first error", async () => {
    const onError = vi.fn<() => void>();
    const { pool, begun, reject, end } = manualPool({ limit: 3, onError });
    let isOver = false;
    const ended = pool.end.finally(() => (isOver = true));
    ended.catch(() => undefined);
    pool.add(["a", "b", "c", "d"]);
    await reject("a", new Error("broken"));
    expect(onError).toHaveBeenCalledTimes(1);
    await reject("b", new Error("later"));
    expect(isOver).toBe(false);
    await end("c");
    await expect(ended).rejects.toThrow("broken");
    expect(begun).toEqual(["a", "b", "c"]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  test("does not wait for items in flight when the run is aborted", async () => {
    const stop = { aborted: false };
    const { pool, reject } = manualPool({ limit: 3, stop });
    pool.add(["a", "b", "c"]);
    const ended = expect(pool.end).rejects.toThrow("broken");
    await reject("a", new Error("broken"));
    stop.aborted = true;
    await reject("b", new Error("aborted"));
    await ended;
  });

  test("ends when all remaining items wait, and returns until when and whether for a person", async () => {
    const { pool, end } = manualPool({ limit: 3 });
    pool.add(["a", "b", "c"]);
    await end("a", { kind: "waiting", due: Date.now() + 9000 });
    await end("b", { kind: "waiting", due: null, forApproval: true });
    await end("c", { kind: "waiting", due: Date.now() + 5000 });
    expect(await pool.end).toEqual({ kind: "waiting", due: Date.now() + 5000, forApproval: true });
  });

  test("resumes a wait that becomes due while another item is in flight", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "retry"]);
    await end("retry", { kind: "waiting", due: Date.now() + 100, forApproval: true });
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual(["slow", "retry"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(["slow", "retry", "retry"]);
    await end("retry");
    await end("slow", { kind: "waiting", due: null });
    // An item that no longer waits is not counted: the task does not show that it waits for a person.
    expect(await pool.end).toEqual({ kind: "waiting", due: null, forApproval: false });
  });

  test("checks the clock again when a wait is longer than its longest timer", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "retry"]);
    await end("retry", { kind: "waiting", due: Date.now() + 100_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun).toEqual(["slow", "retry"]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(begun).toEqual(["slow", "retry", "retry"]);
  });

  test("runs every waiting item again when it is woken", async () => {
    const { pool, begun, end } = manualPool({ limit: 3 });
    pool.add(["slow", "a", "b"]);
    await end("a", { kind: "waiting", due: null });
    await end("b", { kind: "waiting", due: null });
    pool.wake();
    expect(begun).toEqual(["slow", "a", "b", "a", "b"]);
  });

  test("runs an item once more that checked before the wake and waits after it", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "approval"]);
    pool.wake();
    await end("approval", { kind: "waiting", due: null });
    expect(begun).toEqual(["slow", "approval", "approval"]);
    await end("approval", { kind: "waiting", due: null });
    expect(begun).toHaveLength(3);
  });

  test("starts no more iterations than its limit while they wait, and resumes started ones first", async () => {
    const { pool, begun, end } = manualPool({ waitingHoldsSlot: true });
    pool.add(["a", "b", "c", "d"]);
    await end("a", { kind: "waiting", due: null });
    expect(begun).toEqual(["a", "b"]);
    pool.wake();
    expect(begun).toEqual(["a", "b", "a"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "a", "c"]);
    await end("a", { kind: "waiting", due: null });
    await end("c", { kind: "waiting", due: null });
    expect(begun).not.toContain("d");
    expect(await pool.end).toMatchObject({ kind: "waiting" });
  });
});
