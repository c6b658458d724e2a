import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLease, type LeaseDeps, type LeaseHandlers, soleOwner } from "./lease.ts";
import type { EngineStore } from "../store.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Heartbeats, one every third of the lease. */
async function beats(clock: { monotonicMs: number }, count: number): Promise<void> {
  for (let beat = 0; beat < count; beat += 1) {
    clock.monotonicMs += 1000;
    await pass(1000);
  }
}

const ALONE = { processes: 1, workers: 0 };

function leaseOf({ recovered = 0, heartbeat = () => Promise.resolve(ALONE) } = {}) {
  const clock = { monotonicMs: 0, now: () => 1_000_000, monotonic: () => clock.monotonicMs };
  const recover = vi.fn<EngineStore["recover"]>(() =>
    Promise.resolve({ poisoned: [], quarantined: [], recovered }),
  );
  const onRecovered = vi.fn<LeaseHandlers["onRecovered"]>();
  const onRegained = vi.fn<LeaseHandlers["onRegained"]>(() => Promise.resolve());
  const onHeld = vi.fn<LeaseHandlers["onHeld"]>();
  const onError = vi.fn<LeaseDeps["onError"]>();
  const store = { heartbeat: vi.fn<EngineStore["heartbeat"]>(heartbeat), recover };
  const lease = createLease({
    store,
    workerId: "w",
    leaseMs: 3000,
    clock,
    maxCrashes: 3,
    slots: 1,
    onError,
  });
  void lease.start({ onRecovered, onRegained, onHeld });
  return { lease, clock, store, onRecovered, onRegained, onHeld, onError };
}

test("is not held before the first heartbeat is stored", async () => {
  const { lease } = leaseOf();
  expect(lease.held()).toBe(false);
  await pass(0);
  expect(lease.held()).toBe(true);
  lease.close();
});

test("knows whether another process has slots", async () => {
  let alive = { processes: 3, workers: 1 };
  const { lease, store } = leaseOf({ heartbeat: () => Promise.resolve(alive) });
  expect([lease.hasPeers(), lease.processes()]).toEqual([false, 1]);
  await pass(0);
  expect([lease.hasPeers(), lease.processes()]).toEqual([true, 3]);
  expect(store.heartbeat).toHaveBeenCalledWith("w", 1_000_000, { slots: 1, aliveSince: 997_000 });
  alive = ALONE;
  await pass(1000);
  expect(lease.hasPeers()).toBe(false);
  lease.close();
});

test("due work is polled when the lease is first held and when it is regained, not at every heartbeat", async () => {
  const { lease, clock, onHeld } = leaseOf();
  await pass(0);
  expect(onHeld).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(onHeld).toHaveBeenCalledTimes(1);
  clock.monotonicMs = 10_000;
  await pass(1000);
  expect(lease.held()).toBe(true);
  expect(onHeld).toHaveBeenCalledTimes(2);
  lease.close();
});

test("sends a heartbeat every third of the lease and recovers tasks of silent processes", async () => {
  const { lease, clock, store, onRecovered } = leaseOf({ recovered: 2 });
  await pass(0);
  await beats(clock, 5);
  expect(store.heartbeat).toHaveBeenCalledTimes(6);
  expect(store.recover).toHaveBeenCalledWith(1_000_000 - 3000, 3, 1_000_000);
  expect(onRecovered).toHaveBeenCalledTimes(3);
  lease.close();
});

test("a process suspended past its lease no longer trusts it, whatever the wall clock says", async () => {
  const { lease, clock, onRecovered } = leaseOf();
  await pass(0);
  clock.monotonicMs += 1799;
  expect(lease.held()).toBe(true);
  clock.monotonicMs += 1;
  expect(lease.held()).toBe(false);
  expect(onRecovered).not.toHaveBeenCalled();
  lease.close();
});

test("an expired lease is held again only after runs claimed by peers have been dropped", async () => {
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

test("a check that failed is repeated with the next heartbeat", async () => {
  const { lease, onRegained, onError } = leaseOf();
  onRegained.mockRejectedValueOnce(new Error("gone"));
  await pass(0);
  expect(onError).toHaveBeenCalledTimes(1);
  expect(lease.held()).toBe(false);
  await pass(1000);
  expect(lease.held()).toBe(true);
  lease.close();
});

test("a lease that expires again during the check is held only after the next check", async () => {
  const { lease, clock, onRegained } = leaseOf();
  await pass(0);
  const checks: (() => void)[] = [];
  onRegained.mockImplementation(() => new Promise((resolve) => checks.push(resolve)));
  for (const _expiry of [1, 2]) {
    clock.monotonicMs += 1800;
    await pass(1000);
  }
  checks[0]!();
  await pass(0);
  expect(lease.held()).toBe(false);
  checks[1]!();
  await pass(0);
  expect(lease.held()).toBe(true);
  lease.close();
});

test("a slow check of the runs and a slow recovery delay no heartbeat", async () => {
  const { lease, clock, store, onRegained } = leaseOf();
  store.recover.mockReturnValue(new Promise(() => undefined));
  await pass(0);
  await beats(clock, 5);
  expect(store.heartbeat).toHaveBeenCalledTimes(6);
  expect(store.recover).toHaveBeenCalledTimes(1);
  onRegained.mockReturnValue(new Promise(() => undefined));
  clock.monotonicMs += 1800;
  await pass(3000);
  expect(store.heartbeat).toHaveBeenCalledTimes(9);
  lease.close();
});

test("a process that starts gives peers one lease to report before it recovers their tasks", async () => {
  const { lease, clock, store } = leaseOf();
  await pass(0);
  await beats(clock, 2);
  expect(store.recover).not.toHaveBeenCalled();
  await beats(clock, 1);
  expect(store.recover).toHaveBeenCalledTimes(1);
  lease.close();
});

test("a check of the runs that an outage delays is followed by no recovery", async () => {
  const { lease, clock, store, onRegained } = leaseOf();
  let checked: () => void = () => undefined;
  onRegained.mockReturnValue(new Promise((resolve) => (checked = resolve)));
  await pass(0);
  // No heartbeat is stored meanwhile, of anyone: all peers look dead.
  store.heartbeat.mockReturnValue(new Promise(() => undefined));
  clock.monotonicMs += 9000;
  checked();
  await pass(9000);
  expect(store.recover).not.toHaveBeenCalled();
  lease.close();
});

test("after a database outage, peers get one lease to report before their tasks are recovered", async () => {
  const { lease, clock, store } = leaseOf();
  await pass(0);
  await beats(clock, 4);
  expect(store.recover).toHaveBeenCalledTimes(2);
  clock.monotonicMs += 5000;
  await beats(clock, 3);
  expect(store.recover).toHaveBeenCalledTimes(2);
  await beats(clock, 1);
  expect(store.recover).toHaveBeenCalledTimes(3);
  lease.close();
});

test("after an outage that its own lease survived, peers get one lease as well", async () => {
  const { lease, clock, store } = leaseOf();
  await pass(0);
  await beats(clock, 3);
  store.heartbeat.mockRejectedValueOnce(new Error("gone"));
  await beats(clock, 1);
  clock.monotonicMs -= 500;
  await beats(clock, 1);
  expect(lease.held()).toBe(true);
  await beats(clock, 2);
  expect(store.recover).toHaveBeenCalledTimes(1);
  await beats(clock, 1);
  expect(store.recover).toHaveBeenCalledTimes(2);
  lease.close();
});

test("a heartbeat counts from when it was sent, not from when it was acknowledged", async () => {
  let answer: () => void = () => undefined;
  const heartbeat = () => new Promise<typeof ALONE>((resolve) => (answer = () => resolve(ALONE)));
  const { lease, clock } = leaseOf({ heartbeat });
  clock.monotonicMs = 5000;
  answer();
  await pass(0);
  expect(lease.held()).toBe(false);
  lease.close();
});

test("expires while the database is unreachable and keeps sending heartbeats", async () => {
  const { lease, clock, store, onError } = leaseOf({ heartbeat: () => Promise.reject(new Error("gone")) });
  await pass(1000);
  expect(onError).toHaveBeenCalledTimes(2);
  expect(store.recover).not.toHaveBeenCalled();
  clock.monotonicMs += 1;
  expect(lease.held()).toBe(false);
  lease.close();
});

test("sends no heartbeat after close, also when closed during one", async () => {
  const { lease, store } = leaseOf();
  lease.close();
  await pass(9000);
  expect(store.heartbeat).toHaveBeenCalledTimes(1);
});

test("a single process on its own folder always holds the lease", () => {
  soleOwner.close();
  expect(soleOwner.held()).toBe(true);
});
