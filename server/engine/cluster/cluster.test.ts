import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import { createClaims } from "../worker/claims.ts";
import { createLiveRuns } from "../worker/live-runs.ts";
import { type Cluster, type ClusterDeps, type ClusterHandlers, createCluster } from "./cluster.ts";
import { noPeers, type PeerListener } from "./peers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function clusterOf(store: EngineStore, deps: Partial<ClusterDeps>): Cluster {
  return createCluster({
    store,
    clock: { now: () => Date.now(), monotonic: () => Date.now() },
    peers: undefined,
    leaseMs: 3000,
    slots: 1,
    quarantineMs: undefined,
    orphanCheckMs: 60_000,
    onError: (error) => expect.unreachable(String(error)),
    ...deps,
  });
}

function handlersOf(store: EngineStore, handlers: Partial<ClusterHandlers>): ClusterHandlers {
  return {
    live: createLiveRuns(),
    claims: createClaims(store),
    run: () => Promise.resolve(),
    failTask: () => Promise.resolve(),
    pollAllLanes: () => undefined,
    pollLane: () => undefined,
    changedByPeer: () => undefined,
    ...handlers,
  };
}

test("a poisoned task that cannot be failed is reported and tried again by the next recovery", async () => {
  const task = { id: "task_1", epoch: 1 } as EngineTask;
  const store = {
    heartbeat: () => Promise.resolve(),
    recover: () => Promise.resolve({ poisoned: [task], quarantined: [], recovered: 0 }),
    release: () => Promise.resolve(),
  } as unknown as EngineStore;
  const onError = vi.fn<(error: unknown, what: string) => void>();
  const failTask = vi.fn<ClusterHandlers["failTask"]>(() => Promise.reject(new Error("disk full")));
  const pollAllLanes = vi.fn<() => void>();
  const cluster = clusterOf(store, { onError });
  await cluster.start(handlersOf(store, { failTask, pollAllLanes }));
  // One lease for peers to report, then the first recovery.
  await vi.advanceTimersByTimeAsync(3000);
  expect(onError.mock.calls).toEqual([[new Error("disk full"), "failing a poisoned task"]]);
  expect(pollAllLanes).toHaveBeenCalledTimes(2);
  failTask.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(1000);
  expect(failTask).toHaveBeenCalledTimes(2);
  expect(onError).toHaveBeenCalledTimes(1);
  cluster.stop();
  await cluster.leave();
});

test("nothing is claimed before the process is ready, however long that takes", async () => {
  const claimed: string[] = [];
  const store = {
    heartbeat: () => Promise.resolve({ processes: 1, workers: 0 }),
    recover: () => Promise.resolve({ poisoned: [], quarantined: ["task_1"], recovered: 0 }),
    claimQuarantined: (_worker: string, taskId: string) => Promise.resolve(void claimed.push(taskId)),
  } as unknown as EngineStore;
  const cluster = clusterOf(store, { quarantineMs: 1000 });
  const handlers = handlersOf(store, {});
  await cluster.start(handlers);
  await vi.advanceTimersByTimeAsync(9000);
  expect(cluster.holdsLease()).toBe(true);
  expect(cluster.mayClaim()).toBe(false);
  expect(claimed).toEqual([]);
  cluster.claimTasks(handlers);
  expect(cluster.mayClaim()).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(claimed).toEqual(["task_1"]);
  cluster.stop();
});

test("a hint of a peer polls the lanes that it names, or all", async () => {
  const store = {
    recover: () => Promise.resolve({ poisoned: [], quarantined: [] }),
  } as unknown as EngineStore;
  let hint: PeerListener["workIsDue"] = () => undefined;
  const cluster = clusterOf(store, {
    peers: {
      ...noPeers,
      listen(listener) {
        hint = listener.workIsDue;
        return Promise.resolve(() => Promise.resolve());
      },
    },
    leaseMs: undefined,
  });
  const polled: string[] = [];
  await cluster.start(
    handlersOf(store, {
      pollAllLanes: () => void polled.push("all"),
      pollLane: (name) => void polled.push(name),
    }),
  );
  polled.length = 0;
  hint(["task", "session"]);
  expect(polled).toEqual(["task", "session"]);
  hint("any");
  expect(polled).toEqual(["task", "session", "all"]);
  cluster.stop();
});
