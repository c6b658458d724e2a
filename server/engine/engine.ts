import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../lib/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound, unavailable } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createTimeLimit } from "../lib/time-limit.ts";
import { createDueLoop } from "./due-loop.ts";
import type { Engine, RunnableWorkflow, Started, StartTask, TaskEvent, TaskWithSteps } from "./engine-api.ts";
import { createGraphCache } from "./graph-cache.ts";
import { type JournalEntry, numbered } from "./journal-entry.ts";
import { launch } from "./launch.ts";
import { createLease, soleOwner } from "./lease.ts";
import { createLiveRuns, type FinishedRun } from "./live-runs.ts";
import { loadValue } from "./outputs.ts";
import { Dropped, type Run, type RunDeps } from "./run.ts";
import { stepResultsOf } from "./step-results.ts";
import type { StepRunner } from "./step-runner.ts";
import type { EngineStore, EngineTask, NewTask } from "./store.ts";
import { isFinal, type Task, type TaskResult } from "./task.ts";
import { createTaskOperations } from "./task-operations.ts";
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
  onError(error: unknown, what: string): void;
}

interface AcceptTask extends StartTask {
  taskId?: string;
  parentStep?: string;
  entries?: JournalEntry[];
}

/** A task that took its process down so often without getting any further is failed. */
const MAX_LIVES = 3;
const CLOSE_GRACE_MS = 10_000;
const NOTHING_RUNS = new Map<string, never>();
/** The database did not answer: the task is still ours, and goes on from its journal. */
const AFTER_FAULT_MS = 1000;
const FIRST_REREAD_MS = 5;
const REREAD_MS = 500;

/** Durable execution: accepts tasks, works on them, recovers what a crash left behind. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, blobs, clock, concurrency, onError } = deps;
  const workerId = createId("worker", clock.now());
  const live = createLiveRuns();
  const compiled = createGraphCache();
  const events = new EventEmitter().setMaxListeners(0);
  let backlog = false;
  /** Tasks that are being written and will run here: they hold a place already. */
  let arriving = 0;
  let closed = false;

  const dueLoop = createDueLoop({
    clock,
    async takeDue() {
      const free = concurrency - live.size - arriving;
      if (free <= 0) return true;
      const tasks = await store.claimDue(workerId, free, clock.now());
      for (const task of tasks) void work(task, undefined, undefined);
      backlog = tasks.length === free;
      return backlog;
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
          onRecovered: ({ poisoned }) => void failPoisoned(poisoned).then(() => dueLoop.look()),
          onError: (error) => onError(error, "keeping the lease"),
        });

  const runDeps: RunDeps = {
    ...deps,
    startChild,
    left: live.left,
    rerun: async (taskId) => void (await operations.rerunFromFailed(taskId)),
    task: readTask,
    recorded(task, entries) {
      for (const entry of entries) publish(task.id, { seq: entry.seq, entry });
      const ended = entries.at(-1)?.kind === "status";
      if (ended && task.parentTaskId !== null && task.parentStep !== null) wakeHere(task.parentTaskId);
    },
    began: (task, path, type) => publish(task.id, { seq: null, path, type }),
    holdsLease: lease.held,
  };
  const operations = createTaskOperations({ ...deps, compiled, accept, wakeHere, settled, cancelled });

  function publish(taskId: string, event: TaskEvent): void {
    events.emit(taskId, event);
    events.emit("*", taskId, event);
  }

  function wakeHere(taskId: string): void {
    const run = live.get(taskId);
    if (run === undefined) dueLoop.look();
    else run.wake();
  }

  function cancelled(taskIds: readonly string[]): void {
    for (const id of taskIds) live.get(id)?.abort.abort();
  }

  /** Works on a task that is ours until it ends or parks. Never rejects. */
  async function work(
    task: EngineTask,
    workflow: RunnableWorkflow | undefined,
    entries: readonly JournalEntry[] | undefined,
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
      if (error instanceof AppError && error.retryable)
        setTimeout(() => void work(task, undefined, undefined), AFTER_FAULT_MS).unref();
      else if (!(error instanceof Dropped) && !run.abort.signal.aborted) await failUnexpectedly(task, error);
    } finally {
      live.leave(task.id, finished);
      if (backlog) dueLoop.look();
    }
  }

  /** A fault of ours must not leave a task behind that says "running" for ever. */
  async function failUnexpectedly(task: EngineTask, error: unknown): Promise<void> {
    onError(error, `running task ${task.id}`);
    await fail(
      task,
      "internal_error",
      "The run met an unexpected fault; the log of the service has it.",
    ).catch((failure: unknown) => onError(failure, `failing task ${task.id}`));
  }

  async function fail(task: EngineTask, code: string, message: string): Promise<void> {
    const now = clock.now();
    const lastSeq = (await store.heads(task.id)).at(-1)?.seq ?? 0;
    const entry = numbered(lastSeq + 1, {
      kind: "status",
      status: "failed",
      at: now,
      error: { code, message },
    });
    const wakeTask = task.parentStep === null ? undefined : task.parentTaskId;
    await store.record({
      task,
      entries: [entry],
      change: {
        status: "failed",
        runAt: null,
        seenWake: null,
        result: null,
        resultRef: null,
        error: { code, message },
        completedAt: now,
      },
      ...(wakeTask === null || wakeTask === undefined ? {} : { wakeTask }),
    });
    publish(task.id, { seq: entry.seq, entry });
  }

  async function failPoisoned(poisoned: readonly EngineTask[]): Promise<void> {
    for (const task of poisoned) {
      await fail(
        task,
        "poison_task",
        `This task took the service down ${MAX_LIVES} times without getting any further, so it was given up.`,
      );
    }
  }

  /** The process that accepts a task works on it at once: no queue in between. Over the limit it is queued. */
  async function accept(request: AcceptTask): Promise<Started & { task: EngineTask }> {
    if (closed) throw unavailable("The service is stopping and takes no new work.");
    const now = clock.now();
    const { workflow, parentStep, entries = [] } = request;
    // A sub-workflow never queues: its parent holds a place already and would wait for it for ever.
    const runsHere = live.size + arriving < concurrency || parentStep !== undefined;
    const options = {
      ...request.selection,
      ...(workflow.responseStepId === undefined ? {} : { responseStepId: workflow.responseStepId }),
    };
    const task: NewTask = {
      id: request.taskId ?? createId("task", now),
      ownerId: workflow.ownerId,
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      trigger: request.trigger,
      input: request.input,
      options: Object.keys(options).length === 0 ? null : options,
      parentTaskId: request.parentTaskId ?? null,
      parentStep: parentStep ?? null,
      depth: request.depth ?? 0,
      epoch: 1,
      wake: 0,
      createdAt: now,
      startedAt: runsHere ? now : null,
      status: runsHere ? "running" : "queued",
      workerId: runsHere ? workerId : null,
      runAt: runsHere ? null : now,
      idempotency: request.idempotency,
      entries,
    };
    if (runsHere) arriving += 1;
    const accepted = await store.accept(task).finally(() => {
      if (runsHere) arriving -= 1;
    });
    if (accepted.inserted) {
      if (runsHere) void work(task, workflow, entries);
      else backlog = true;
      return { taskId: task.id, status: task.status, existing: false, task };
    }
    if (request.idempotency !== undefined && accepted.bodyHash !== request.idempotency.bodyHash) {
      throw new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was used before with a different body; use a new key.",
      );
    }
    const first = await store.task(accepted.taskId);
    return { taskId: accepted.taskId, status: first?.status ?? "queued", existing: true, task };
  }

  async function startChild(run: Run, path: string, workflowId: string, input: JsonValue): Promise<string> {
    const workflow = await deps.currentWorkflow(run.task.ownerId, workflowId);
    const struckOut = run.redactor === undefined ? input : (run.redactor.value(input) as JsonValue);
    const { taskId } = await accept({
      workflow,
      trigger: "workflow",
      input: struckOut,
      parentTaskId: run.task.id,
      parentStep: path,
      depth: run.task.depth + 1,
    });
    return taskId;
  }

  async function readTask(taskId: string): Promise<Task> {
    const stored = await store.task(taskId);
    if (stored === undefined) throw notFound("task");
    const { resultRef, ...task } = stored;
    return resultRef === null
      ? task
      : { ...task, result: JSON.parse(await blobs.get(resultRef)) as TaskResult };
  }

  async function read(taskId: string): Promise<TaskWithSteps | undefined> {
    if ((await store.task(taskId)) === undefined) return undefined;
    const task = await readTask(taskId);
    const entries = await store.entries(taskId, 0, Number.MAX_SAFE_INTEGER);
    return { task, stepResults: await stepResultsOf(entries, live.running(taskId), blobs) };
  }

  async function settled(taskId: string, timeoutMs: number, signal?: AbortSignal): Promise<TaskWithSteps> {
    const limit = createTimeLimit(timeoutMs, signal);
    try {
      for (let pauseMs = FIRST_REREAD_MS; ; pauseMs = Math.min(REREAD_MS, pauseMs * 2)) {
        const finished = await Promise.race([live.left(taskId), limit.reached]);
        if (finished !== undefined)
          return {
            task: finished.task,
            stepResults: await stepResultsOf(finished.entries, NOTHING_RUNS, blobs),
          };
        const status = (await store.task(taskId))?.status;
        if (status === undefined) throw notFound("task");
        if (isFinal(status) || status === "waiting_approval" || limit.isOver()) return (await read(taskId))!;
        // It is not here: parked, queued, or in another process. Its row is read now and then.
        if (live.get(taskId) === undefined)
          await Promise.race([sleep(pauseMs, undefined, { ref: false }), limit.reached]);
      }
    } finally {
      limit.clear();
    }
  }

  const { poisoned } =
    deps.leaseMs === undefined ? await store.recover("all", MAX_LIVES, clock.now()) : { poisoned: [] };
  await failPoisoned(poisoned);
  dueLoop.look();

  return {
    ...operations,
    start: accept,
    settled,
    read,
    async outputsOf(taskId, stepIds) {
      const outputs: Record<string, JsonValue> = {};
      for (const stored of await store.outputs(taskId, stepIds))
        outputs[stored.path] = await loadValue(stored, blobs);
      return outputs;
    },
    events: (taskId, afterSeq, limit) => store.entries(taskId, afterSeq, limit),
    watch(taskId, listener) {
      events.on(taskId, listener);
      return () => events.off(taskId, listener);
    },
    watchAll(listener) {
      events.on("*", listener);
      return () => events.off("*", listener);
    },
    async close() {
      closed = true;
      await dueLoop.close();
      const grace = createTimeLimit(CLOSE_GRACE_MS);
      await Promise.race([live.allLeft(), grace.reached]).finally(grace.clear);
      live.abortAll();
      lease.close();
      await store.release(workerId, clock.now());
    },
  };
}
