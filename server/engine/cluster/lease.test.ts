import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLease, type LeaseDeps, soleOwner } from "./lease.ts";
import type { EngineStore } from "../store.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function leaseOf({ recovered = 0, heartbeat = () => Promise.resolve() } = {}) {
  const clock = { monotonicMs: 0, now: () => 1_000_000, monotonic: () => clock.monotonicMs };
  const recover = vi.fn<EngineStore["recover"]>(() =>
    Promise.resolve({ poisoned: [], quarantined: [], recovered }),
  );
  const onRecovered = vi.fn<LeaseDeps["onRecovered"]>();
  const onRegained = vi.fn<LeaseDeps["onRegained"]>(() => Promise.resolve());
  const onTrusted = vi.fn<LeaseDeps["onTrusted"]>();
  const onError = vi.fn<LeaseDeps["onError"]>();
  const store = { heartbeat: vi.fn<EngineStore["heartbeat"]>(heartbeat), recover };
  const lease = createLease({
    store,
    workerId: "w",
    leaseMs: 3000,
    clock,
    maxCrashes: 3,
    recovers: true,
    onRecovered,
    onRegained,
    onTrusted,
    onError,
  });
  return { lease, clock, store, onRecovered, onRegained, onTrusted, onError };
}

test("is not held before the first heartbeat is stored", async () => {
  const { lease } = leaseOf();
  expect(lease.held()).toBe(false);
  await pass(0);
  expect(lease.held()).toBe(true);
  lease.close();
});

test("work is looked for when it is held for the first time and when it is held again, not at every beat", async () => {
  const { lease, clock, onTrusted } = leaseOf();
  await pass(0);
  expect(onTrusted).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(onTrusted).toHaveBeenCalledTimes(1);
  clock.monotonicMs = 10_000;
  await pass(1000);
  expect(lease.held()).toBe(true);
  expect(onTrusted).toHaveBeenCalledTimes(2);
  lease.close();
});

test("beats every third of its time and takes back the tasks of silent processes", async () => {
  const { lease, store, onRecovered } = leaseOf({ recovered: 2 });
  await pass(0);
  await pass(2000);
  expect(store.heartbeat).toHaveBeenCalledTimes(3);
  expect(store.recover).toHaveBeenCalledWith(1_000_000 - 3000, 3, 1_000_000);
  expect(onRecovered).toHaveBeenCalledTimes(3);
  lease.close();
});

test("a process that was stopped past its lease no longer trusts it, whatever the wall clock says", async () => {
  const { lease, clock, onRecovered } = leaseOf();
  await pass(0);
  clock.monotonicMs += 1799;
  expect(lease.held()).toBe(true);
  clock.monotonicMs += 1;
  expect(lease.held()).toBe(false);
  expect(onRecovered).not.toHaveBeenCalled();
  lease.close();
});

test("one that had run out is trusted again only when what others took over has been dropped", async () => {
  const { lease, clock, onRegained } = leaseOf();
  await pass(0);
  onRegained.mockClear();
  await pass(1000);
  expect(onRegained).not.toHaveBeenCalled();
  let dropped: () => void = () => undefined;
  onRegained.mockReturnValue(new Promise((resolve) => (dropped = resolve)));
  clock.monotonicMs += 1800;
  await pass(1000);
  expect(onRegained).toHaveBeenCalledTimes(1);
  expect(lease.held()).toBe(false);
  dropped();
  await pass(0);
  expect(lease.held()).toBe(true);
  lease.close();
});

test("one that could not reach the database gives the others time to be heard before it takes over their tasks", async () => {
  const { lease, clock, store } = leaseOf();
  const beats = async (count: number): Promise<void> => {
    for (let beat = 0; beat < count; beat += 1) {
      clock.monotonicMs += 1000;
      await pass(1000);
    }
  };
  await pass(0);
  await beats(1);
  expect(store.recover).toHaveBeenCalledTimes(2);
  clock.monotonicMs += 5000;
  await beats(3);
  expect(store.recover).toHaveBeenCalledTimes(2);
  await beats(1);
  expect(store.recover).toHaveBeenCalledTimes(3);
  lease.close();
});

test("a heartbeat counts from when it was sent, not from when the answer came", async () => {
  let answer: () => void = () => undefined;
  const { lease, clock } = leaseOf({ heartbeat: () => new Promise((resolve) => (answer = resolve)) });
  clock.monotonicMs = 5000;
  answer();
  await pass(0);
  expect(lease.held()).toBe(false);
  lease.close();
});

test("runs out while the database does not answer, and beats on", async () => {
  const { lease, clock, store, onError } = leaseOf({ heartbeat: () => Promise.reject(new Error("gone")) });
  await pass(1000);
  expect(onError).toHaveBeenCalledTimes(2);
  expect(store.recover).not.toHaveBeenCalled();
  clock.monotonicMs += 1;
  expect(lease.held()).toBe(false);
  lease.close();
});

test("beats no more once it is closed, also when it is closed during a beat", async () => {
  const { lease, store } = leaseOf();
  lease.close();
  await pass(9000);
  expect(store.heartbeat).toHaveBeenCalledTimes(1);
});

test("one process on its own folder always holds it", () => {
  soleOwner.close();
  expect(soleOwner.held()).toBe(true);
});
