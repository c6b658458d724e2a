import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPool, type PoolOptions, type WorkEnd } from "./pool.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const clock = { now: () => Date.now(), monotonic: () => Date.now() };

/** A pool whose items end when the test says so. */
function manualPool(options: Partial<PoolOptions<string>> = {}) {
  const begun: string[] = [];
  const ends = new Map<string, { resolve(end: WorkEnd): void; reject(error: unknown): void }>();
  const pool = createPool<string>({
    limit: 2,
    waitingHoldsSlot: false,
    clock,
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
  test("is done at once when there is nothing to do", async () => {
    const { pool } = manualPool();
    pool.add([]);
    expect(await pool.end).toEqual({ kind: "done" });
  });

  test("works side by side up to its limit", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["a", "b", "c"]);
    expect(begun).toEqual(["a", "b"]);
    await end("a");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("b");
    await end("c");
    expect(await pool.end).toEqual({ kind: "done" });
  });

  test("lets what is in flight end after a failure and starts nothing more", async () => {
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

  test("ends with the fault that a worker threw", async () => {
    const { pool, reject, end } = manualPool();
    pool.add(["a", "b"]);
    const ended = expect(pool.end).rejects.toThrow("broken");
    await reject("a", new Error("broken"));
    await ended;
    await end("b");
  });

  test("ends when all that is left waits, and says until when and for whom", async () => {
    const { pool, end } = manualPool({ limit: 3 });
    pool.add(["a", "b", "c"]);
    await end("a", { kind: "waiting", due: Date.now() + 9000 });
    await end("b", { kind: "waiting", due: null, forApproval: true });
    await end("c", { kind: "waiting", due: Date.now() + 5000 });
    expect(await pool.end).toEqual({ kind: "waiting", due: Date.now() + 5000, forApproval: true });
  });

  test("takes up a wait that becomes due while something else is in flight", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "retry"]);
    await end("retry", { kind: "waiting", due: Date.now() + 100, forApproval: true });
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual(["slow", "retry"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(["slow", "retry", "retry"]);
    await end("retry");
    await end("slow", { kind: "waiting", due: null });
    // What no longer waits is not counted: the task does not say that it waits for a person.
    expect(await pool.end).toEqual({ kind: "waiting", due: null, forApproval: false });
  });

  test("looks at the clock again when a wait is longer than a timer can be", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "retry"]);
    await end("retry", { kind: "waiting", due: Date.now() + 100_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun).toEqual(["slow", "retry"]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(begun).toEqual(["slow", "retry", "retry"]);
  });

  test("looks again at everything that waits when it is woken", async () => {
    const { pool, begun, end } = manualPool({ limit: 3 });
    pool.add(["slow", "a", "b"]);
    await end("a", { kind: "waiting", due: null });
    await end("b", { kind: "waiting", due: null });
    pool.wake();
    expect(begun).toEqual(["slow", "a", "b", "a", "b"]);
  });

  test("looks once more at an item that looked before the wake and waits after it", async () => {
    const { pool, begun, end } = manualPool();
    pool.add(["slow", "approval"]);
    pool.wake();
    await end("approval", { kind: "waiting", due: null });
    expect(begun).toEqual(["slow", "approval", "approval"]);
    await end("approval", { kind: "waiting", due: null });
    expect(begun).toHaveLength(3);
  });

  test("begins no more rounds than its limit while they wait, and those that began go first", async () => {
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
