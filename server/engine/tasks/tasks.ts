import type { Member } from "../../../contract/approvers.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { FinishedOf } from "../cluster/peers.ts";
import type { RunnableWorkflow, TaskEvent } from "../engine-api.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { observeEntries, type RunObserver } from "../run-observer.ts";
import type { RunTracing } from "../run-tracing.ts";
import type { ErrorOwners } from "../run/run.ts";
import type { EngineStore, TaskChange } from "../store.ts";
import type { EngineTask } from "./engine-task.ts";
import type { FinishedRun } from "../worker/live-runs.ts";
import type { Worker } from "../worker/worker.ts";
import { createTraceEnd } from "./trace-end.ts";
import { createFailTask } from "./fail-task.ts";
import { createTaskEvents } from "./task-events.ts";
import { createTaskOperations } from "./task-operations.ts";
import { createTaskReader, type ReadLimits } from "./task-reader.ts";
import { createTaskWaiters } from "./task-waiters.ts";
import type { StepError } from "./task.ts";

export interface TasksDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  cluster: Pick<Cluster, "taskChanged" | "taskRecorded" | "watch">;
  worker: Pick<Worker, "live" | "pollGroups" | "accept" | "wake" | "requestRetry" | "isClosed">;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  limits: ReadLimits;
  listMembers(ownerId: string): Promise<Member[]>;
  beforeFail: ((task: EngineTask, error: StepError) => Promise<void>) | undefined;
  errorOwners: ErrorOwners;
  observer: RunObserver | undefined;
  tracing: RunTracing | undefined;
  onError(error: unknown, what: string): void;
}

/** Reads tasks, changes them, and notifies waiters, subscribers and peers of each change. */
export function createTasks(deps: TasksDeps) {
  const { store, blobs, clock, cluster, worker, loadWorkflow, compiled, onError } = deps;
  const events = createTaskEvents(
    store,
    (error) => onError(error, "reading events for subscribers"),
    cluster.watch,
  );
  const waiters = createTaskWaiters();
  const reader = createTaskReader({
    store,
    blobs,
    live: worker.live,
    waiters,
    watchPeers: cluster.watch,
    limits: deps.limits,
    async graphOf(taskId) {
      const task = await store.state(taskId);
      if (task === undefined) return undefined;
      const workflow = await loadWorkflow(task.workflowId, task.workflowVersion).catch(() => undefined);
      return workflow === undefined ? undefined : compiled(workflow, task.options?.stepIds);
    },
    isClosed: worker.isClosed,
  });

  function publish(taskId: string, event: TaskEvent): void {
    events.publish(taskId, event);
    cluster.taskChanged(taskId);
  }

  const traceEnd = deps.tracing && createTraceEnd(store, deps.tracing, onError);
  const operations = createTaskOperations({
    store,
    blobs,
    clock,
    loadWorkflow,
    compiled,
    accept: worker.accept,
    wake: worker.wake,
    requestRetry: worker.requestRetry,
    pollGroups: worker.pollGroups,
    abort: worker.live.abort,
    settled: reader.settled,
    listMembers: deps.listMembers,
    publish,
    observer: deps.observer,
    traceEnd,
  });

  return {
    reader,
    operations,
    failTask: createFailTask({
      store,
      clock,
      publish,
      wake: worker.wake,
      cancelDescendants: operations.cancelDescendants,
      beforeFail: deps.beforeFail,
      errorOwners: deps.errorOwners,
      observer: deps.observer,
      traceEnd,
    }),
    watch: events.watch,

    runStarted: (taskId: string): void => waiters.notify([taskId]),
    stepStarted: (task: EngineTask, path: string, type: string): void =>
      events.publish(task.id, { seq: null, path, type, at: clock.now() }),
    stepLogged: (task: EngineTask, path: string, type: string, line: LogLine): void =>
      events.publish(task.id, { seq: null, path, type, at: clock.now(), line }),
    /** These entries of a run are durable. */
    recorded(
      task: EngineTask,
      entries: readonly JournalEntry[],
      change: TaskChange | undefined,
      finished: FinishedRun | undefined,
    ): void {
      if (deps.observer !== undefined) observeEntries(deps.observer, task, entries);
      for (const entry of entries) events.publish(task.id, { seq: entry.seq, entry });
      const hasEnded = change !== undefined;
      const waiter = hasEnded ? (task.acceptedBy ?? undefined) : undefined;
      cluster.taskRecorded(task.id, { hasEnded, waiter, finished });
    },
    changedByPeer(taskIds: readonly string[] | "any", finished?: FinishedOf): void {
      waiters.notify(taskIds, finished);
      events.readOn(taskIds);
    },
  };
}
