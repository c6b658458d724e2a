import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createTimeLimit } from "../lib/time-limit.ts";
import { createAcceptance } from "./accept.ts";
import { createDueLoop } from "./due-loop.ts";
import type { Engine, RunnableWorkflow } from "./engine-api.ts";
import { giveUp } from "./give-up.ts";
import { createGraphCache } from "./graph-cache.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { launch } from "./launch.ts";
import { createLease, soleOwner } from "./lease.ts";
import { createLiveRuns, type FinishedRun } from "./live-runs.ts";
import { patient } from "./patience.ts";
import { createPlaces } from "./places.ts";
import { Dropped } from "./recorder.ts";
import type { RunDeps } from "./run.ts";
import type { StepRunner } from "./step-runner.ts";
import type { EngineStore, EngineTask } from "./store.ts";
import { createSuspects } from "./suspects.ts";
import { createTaskEvents } from "./task-events.ts";
import { createTaskOperations } from "./task-operations.ts";
import { createTaskReader } from "./task-reader.ts";
import type { Vault } from "./vault.ts";

export interface EngineDeps {
  store: EngineStore;
  blobs: BlobStore;
  clock: Clock;
  runners: ReadonlyMap<string, StepRunner>;
  vault: Vault;
  /** A version as it was, also of a workflow that has been deleted since. */
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  /** Today's version of a workflow of this owner. Throws when there is none. */
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
  /** How many tasks are worked on at once; more are queued. */
  concurrency: number;
  /** Set when several processes share the database. */
  leaseMs?: number;
  /** How long `close` lets runs go on before it hands their tasks back. */
  closeGraceMs?: number;
  onError(error: unknown, what: string): void;
}

/** A task that took its process down so often without getting any further is failed. */
const MAX_LIVES = 3;
const CLOSE_GRACE_MS = 10_000;
/** The database did not answer: the task is still ours, and goes on from its journal. */
const AFTER_FAULT_MS = 1000;

/** Durable execution: accepts tasks, works on them, recovers what a crash left behind. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, clock, onError } = deps;
  const workerId = createId("worker", clock.now());
  const live = createLiveRuns();
  const places = createPlaces(deps.concurrency, live.count);
  const events = createTaskEvents();
  const compiled = createGraphCache();
  const reader = createTaskReader({ ...deps, live, isClosed: () => places.closed });

  const dueLoop = createDueLoop({
    clock,
    async takeDue() {
      const free = places.left();
      places.satisfy();
      const tasks = free > 0 ? await store.claimDue(workerId, free, clock.now()) : [];
      for (const task of tasks) void work(task);
      const mayBeMore = tasks.length >= free;
      if (mayBeMore) places.want();
      return mayBeMore;
    },
    nextDue: () => store.nextDue(),
    onError: (error) => onError(error, "looking for due tasks"),
  });
  const lease =
    deps.leaseMs === undefined
      ? soleOwner
      : createLease({
          store,
          workerId,
          leaseMs: deps.leaseMs,
          clock,
          maxLives: MAX_LIVES,
          onRecovered: (result) => void takeBack(result).then(() => dueLoop.look()),
          onError: (error) => onError(error, "keeping the lease"),
        });
  const suspects = createSuspects({
    claim: (taskId) => store.claimSuspect(workerId, taskId, clock.now()),
    work: (task) => work(task),
    onError: (error) => onError(error, "taking up a task that was held back"),
  });
  const acceptance = createAcceptance({
    ...deps,
    workerId,
    places,
    work: (task, workflow) => void work(task, workflow, task.entries),
    lookForQueued,
  });
  const operations = createTaskOperations({
    ...deps,
    compiled,
    wakeHere,
    accept: acceptance.accept,
    settled: reader.settled,
    cancelled: live.abort,
    publish: events.publish,
  });
  const runDeps: RunDeps = {
    ...deps,
    // What a run writes waits out a full disk; whoever calls from outside is refused.
    store: { ...store, decide: patient(store.decide) },
    blobs: { ...deps.blobs, put: patient(deps.blobs.put) },
    startChild: patient(acceptance.startChild),
    left: live.left,
    rerun: patient(async (taskId: string) => void (await operations.rerunFromFailed(taskId))),
    task: reader.task,
    recorded(task, entries) {
      for (const entry of entries) events.publish(task.id, { seq: entry.seq, entry });
      const ended = entries.at(-1)?.kind === "status";
      if (ended && task.parentTaskId !== null && task.parentStep !== null) wakeHere(task.parentTaskId);
    },
    began: (task, path, type) => events.publish(task.id, { seq: null, path, type }),
    holdsLease: lease.held,
  };

  const giveUpDeps = { store, clock, publish: events.publish, wakeHere };

  function lookForQueued(): void {
    if (places.wanted && places.left() > 0) dueLoop.look();
  }

  function wakeHere(taskId: string): void {
    const run = live.get(taskId);
    if (run === undefined) dueLoop.look();
    else run.wake();
  }

  /** Works on a task that is ours until it ends or parks. Never rejects. */
  async function work(
    task: EngineTask,
    workflow?: RunnableWorkflow,
    entries?: readonly JournalEntry[],
  ): Promise<void> {
    const run = live.enter(task.id);
    let finished: FinishedRun | undefined;
    try {
      const loaded = workflow ?? (await deps.loadWorkflow(task.workflowId, task.workflowVersion));
      const graph = compiled(loaded, task.options?.stepIds);
      const heads = entries ?? (await store.heads(task.id));
      const launched = await launch(
        {
          task,
          live: run,
          workflow: { ...loaded, responseStepId: task.options?.responseStepId },
          graph,
          heads,
        },
        runDeps,
      );
      finished = launched.finished;
      if (launched.end === "parked") dueLoop.look();
    } catch (error) {
      // Branches that are still under way must record nothing beside whoever takes the task up again.
      run.abort.abort();
      await afterFault(task, error);
    } finally {
      run.leave(finished);
      lookForQueued();
    }
  }

  /** Nothing is left behind that says "running" for ever. */
  async function afterFault(task: EngineTask, error: unknown): Promise<void> {
    if (error instanceof Dropped || places.closed) return;
    if (error instanceof AppError && error.retryable) {
      setTimeout(() => {
        if (!places.closed) void work(task);
      }, AFTER_FAULT_MS).unref();
      return;
    }
    onError(error, `running task ${task.id}`);
    const reason = {
      code: "internal_error",
      message: "The run met an unexpected fault; the log of the service has it.",
    };
    await giveUp(task, reason, giveUpDeps).catch((failure: unknown) =>
      onError(failure, `failing task ${task.id}`),
    );
  }

  async function giveUpPoisoned(poisoned: readonly EngineTask[]): Promise<void> {
    const message = `This task took the service down ${MAX_LIVES} times without getting any further, so it was given up.`;
    for (const task of poisoned) {
      await giveUp(task, { code: "poison_task", message }, giveUpDeps);
    }
  }

  async function takeBack(recovered: Awaited<ReturnType<EngineStore["recover"]>>): Promise<void> {
    await giveUpPoisoned(recovered.poisoned);
    suspects.add(recovered.suspects);
  }

  if (deps.leaseMs === undefined) await takeBack(await store.recover("all", MAX_LIVES, clock.now()));
  dueLoop.look();

  return {
    start: acceptance.accept,
    ...operations,
    read: reader.read,
    settled: reader.settled,
    outputsOf: reader.outputsOf,
    events: (taskId, afterSeq, limit) => store.entries(taskId, afterSeq, limit),
    watch: events.watch,
    watchAll: events.watchAll,
    async close() {
      places.close();
      suspects.close();
      await dueLoop.close();
      const grace = createTimeLimit(deps.closeGraceMs ?? CLOSE_GRACE_MS);
      await Promise.race([live.allLeft(), grace.reached]).finally(grace.clear);
      live.abort();
      lease.close();
      await store.release(workerId, clock.now());
    },
  };
}
