import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { createDeadline } from "../lib/deadline.ts";
import { createAcceptance } from "./worker/accept.ts";
import { createCheckRun } from "./cluster/check-run.ts";
import { createClaims } from "./worker/claims.ts";
import type { ControlStep } from "./run/control/control-step.ts";
import type { Engine, RunnableWorkflow, TaskEvent } from "./engine-api.ts";
import { failTask as fail } from "./worker/fail-task.ts";
import { createGraphCache } from "./graph/graph-cache.ts";
import { onPeerMessage } from "./cluster/on-peer-message.ts";
import { createLane, TASK_LANE } from "./worker/lane.ts";
import { createLiveRuns } from "./worker/live-runs.ts";
import { createTaskWaiters } from "./tasks/task-waiters.ts";
import { type Peers, noPeers } from "./cluster/peers.ts";
import { withDiskFullRetry } from "./journal/retry-while-disk-full.ts";
import { createRecovery } from "./cluster/recovery.ts";
import type { RunDeps } from "./run/run.ts";
import type { StepRunner } from "./run/step-runner.ts";
import type { EngineStore, EngineTask } from "./store.ts";
import { createTaskEvents } from "./tasks/task-events.ts";
import { createTaskOperations } from "./tasks/task-operations.ts";
import type { StepError } from "./tasks/task.ts";
import { createTaskReader } from "./tasks/task-reader.ts";
import type { Vault } from "./run/vault.ts";
import { createWork } from "./worker/work.ts";

export interface EngineDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  /** Control steps beside the engine's own, by their type. */
  controls?: Readonly<Record<string, ControlStep>>;
  vault: Vault;
  /** A version as it was, also of a workflow that has been deleted since. */
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  /** Today's version of a workflow of this owner. Throws when there is none. */
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
  /** How many tasks are worked on at once; more are queued. */
  concurrency: number;
  /** Lanes beside that of tasks, each with its own number of slots. */
  lanes?: Readonly<Record<string, number>>;
  /** What stands behind a task ends before the task is given up; called again when a crash cuts that short. */
  beforeFail?(task: EngineTask, error: StepError): Promise<void>;
  /** Set when several processes share the database. */
  leaseMs?: number;
  peers?: Peers;
  /** How long a process lives before it takes up what may have killed the ones before. */
  quarantineMs?: number;
  /** How often tasks are looked for that are ours and that nobody works on. */
  orphanCheckMs?: number;
  /** How long `close` lets runs go on before it hands their tasks back. */
  closeGraceMs: number;
  onError(error: unknown, what: string): void;
}

/** Durable execution: accepts tasks, works on them, recovers what a crash left behind. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, clock, onError } = deps;
  const workerId = createId("worker", clock.now());
  const live = createLiveRuns();
  const claims = createClaims(store);
  const lanes = new Map(
    Object.entries({ [TASK_LANE]: deps.concurrency, ...deps.lanes }).map(([name, limit]) => [
      name,
      createLane({
        ...deps,
        store: { ...store, ...claims },
        name,
        limit,
        running: () => live.count(name),
        holdsLease: () => recovery.holdsLease(),
        workerId,
        work: (task) => void work(task),
      }),
    ]),
  );
  const tasks = lanes.get(TASK_LANE)!;
  const peers = deps.peers ?? noPeers;
  const checkRun = createCheckRun(store, live);
  const events = createTaskEvents(store, (error) => onError(error, "telling those who watch a task"));
  const taskWaiters = createTaskWaiters();
  const compiled = createGraphCache();
  const reader = createTaskReader({ ...deps, live, taskWaiters, isClosed: () => tasks.slots.closed });

  const recovery = createRecovery({
    ...deps,
    workerId,
    recovers: deps.concurrency > 0,
    claims,
    live,
    checkRun,
    work: (task) => work(task),
    failTask: failTask,
    poll: pollAllLanes,
    workIsDue: peers.workIsDue,
  });
  const acceptance = createAcceptance({
    ...deps,
    compiled,
    workerId,
    slots: tasks.slots,
    work: (task, fresh) => void work(task, fresh),
    reportPossibleOrphan: recovery.reportPossibleOrphan,
    pollIfSlotFree: tasks.pollIfSlotFree,
    queued: peers.workIsDue,
  });
  const operations = createTaskOperations({
    ...deps,
    compiled,
    wake,
    accept: acceptance.accept,
    settled: reader.settled,
    cancelled(taskIds) {
      live.abort(taskIds);
      for (const taskId of taskIds) peers.taskChanged(taskId);
    },
    publish,
  });
  const runDeps: RunDeps = {
    ...deps,
    // What a run writes waits out a full disk; whoever calls from outside is refused.
    store: { ...store, decide: withDiskFullRetry(store.decide) },
    blobs: { ...deps.blobs, put: withDiskFullRetry(deps.blobs.put) },
    startChild: withDiskFullRetry(acceptance.startChild),
    left: live.left,
    resume: withDiskFullRetry(operations.resume),
    cancel: withDiskFullRetry(async (taskId: string) => void (await operations.cancel(taskId))),
    task: reader.task,
    recorded(task, entries, change) {
      for (const entry of entries) events.publish(task.id, { seq: entry.seq, entry });
      // Who waits for a task waits for its end. In its first life it runs where it was accepted, and so does he.
      peers.taskChanged(task.id, task.epoch === 1 || change === undefined);
      const ended = entries.at(-1)?.kind === "status";
      if (ended && task.parentTaskId !== null && task.parentStep !== null) wake(task.parentTaskId);
    },
    began: (task, path, type) => events.publish(task.id, { seq: null, path, type }),
    holdsLease: recovery.holdsLease,
  };

  /** What is in the journal, to those who watch it here and elsewhere. */
  function publish(taskId: string, event: TaskEvent): void {
    events.publish(taskId, event);
    peers.taskChanged(taskId);
  }

  function pollAllLanes(): void {
    for (const lane of lanes.values()) lane.poll();
  }

  function wake(taskId: string, poll: () => void = pollAllLanes): void {
    const run = live.get(taskId);
    if (run !== undefined) return run.wake();
    poll();
    // Another process may be at it, or have the place for it.
    peers.taskChanged(taskId);
    peers.workIsDue();
  }

  const work = createWork({
    ...deps,
    live,
    taskWaiters,
    compiled,
    runDeps,
    laneOf: (task) => lanes.get(task.lane),
    isClosed: () => tasks.slots.closed,
    workIsDue: peers.workIsDue,
    reportPossibleOrphan: recovery.reportPossibleOrphan,
    failTask: failTask,
  });

  /** A reason that no step of it has: a fault of ours, or that it takes processes down. */
  function failTask(task: EngineTask, error: StepError): Promise<void> {
    return fail(task, error, { ...deps, publish, wake });
  }

  await recovery.begin();
  const stopListening = await peers.listen(
    onPeerMessage({ live, checkRun, taskWaiters, events, poll: pollAllLanes, onError }),
  );
  pollAllLanes();

  return {
    start: acceptance.accept,
    ...operations,
    nudge: (taskId, lane) => wake(taskId, lanes.get(lane)?.poll),
    read: reader.read,
    settled: reader.settled,
    attempts: reader.attempts,
    outputsOf: reader.outputsOf,
    events: (taskId, afterSeq, limit) => store.heads(taskId, afterSeq, limit),
    watch: events.watch,
    async stats() {
      const { due, oldestDueAt, stuck } = await store.backlog(clock.now(), deps.leaseMs);
      const oldestDueSeconds = oldestDueAt === null ? 0 : Math.max(0, clock.now() - oldestDueAt) / 1000;
      return { running: live.ids().length, due, oldestDueSeconds, stuck };
    },
    async close() {
      recovery.stop();
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
      const grace = createDeadline(deps.closeGraceMs);
      await Promise.race([live.allLeft(), grace.reached]).finally(grace.clear);
      live.abort();
      recovery.endLease();
      await store.release(workerId, clock.now());
      peers.workIsDue();
      await stopListening();
    },
  };
}
