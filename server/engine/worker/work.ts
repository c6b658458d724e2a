import { failureOf } from "../run/retry.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { RunDropped } from "../journal/recorder.ts";
import { launch } from "../run/launch.ts";
import type { RunDeps } from "../run/run.ts";
import type { RunTracing } from "../run-tracing.ts";
import type { EngineStore } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { FailTask } from "../tasks/fail-task.ts";
import type { StepError } from "../tasks/task.ts";
import type { Lane } from "./lane.ts";
import type { FinishedRun, LiveRuns } from "./live-runs.ts";
import type { ParkedRuns } from "./parked-runs.ts";
import type { OptimisticStart } from "./optimistic-start.ts";

/** Errors of a whole run whose message is for its owner. */
const CAUSES_TO_SHOW: ReadonlySet<string> = new Set(["limit_reached", "run_timeout", "secret_unreadable"]);

export interface WorkDeps {
  store: Pick<EngineStore, "heads" | "releaseTask">;
  clock: Clock;
  live: LiveRuns;
  parked: ParkedRuns;
  lanes: ReadonlyMap<string, Lane>;
  runDeps: RunDeps;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  /** The run has started here: waiters of a queued task wait for this run from now on. */
  onStarted(taskId: string): void;
  isClosed(): boolean;
  failTask: FailTask;
  /** A peer may have a slot for a task that this process releases. */
  workIsDue(lane: string): void;
  reportPossibleOrphan(task: EngineTask): void;
  tracing: RunTracing | undefined;
  onError(error: unknown, what: string): void;
}

/** A task accepted by this process: it is not read back from the database. */
export interface FreshTask {
  workflow: RunnableWorkflow;
  /** Results copied from the task that it replays. */
  entries: readonly JournalEntry[];
  optimisticStart: OptimisticStart;
  holdsSlot: boolean;
}

/** Runs a task that this process owns until it ends or parks. Never rejects. */
export type Work = (task: EngineTask, fresh?: FreshTask) => Promise<void>;

export function createWork(deps: WorkDeps): Work {
  const { store, clock, live, lanes, onError } = deps;

  async function work(...[task, fresh]: Parameters<Work>): Promise<void> {
    const optimisticStart = fresh?.optimisticStart;
    const run = live.enter(task, optimisticStart?.stored, fresh?.holdsSlot);
    deps.onStarted(task.id);
    let finished: FinishedRun | undefined;
    try {
      if (optimisticStart?.isStoredFirst === true && !(await optimisticStart.stored)) throw new RunDropped();
      const loaded = fresh?.workflow ?? (await deps.loadWorkflow(task.workflowId, task.workflowVersion));
      const parked = fresh === undefined ? deps.parked.take(task) : undefined;
      const launched = await launch(
        {
          task,
          live: run,
          workflow: loaded,
          graph: deps.compiled(loaded, task.options?.stepIds),
          heads: fresh?.entries ?? (task.isBlank === true ? [] : await store.heads(task.id, parked?.lastSeq)),
          parked,
          optimisticStart,
          tracing: deps.tracing,
        },
        deps.runDeps,
      );
      finished = launched.finished;
      // A parked task may be due already: its timer or its child may have ended during the write.
      if (launched.end === "parked") {
        deps.parked.keep(task, launched.state);
        lanes.get(task.lane)?.poll();
      }
    } catch (error) {
      // Branches still in flight must record nothing next to the run that resumes the task.
      run.abort.abort();
      // A task that could not be stored does not exist; its caller receives the error.
      if (optimisticStart === undefined || (await optimisticStart.stored)) await handleFailure(task, error);
    } finally {
      run.leave(finished);
      if (run.holdsSlot) lanes.get(task.lane)?.slotReleased();
    }
  }

  function reasonOf(task: EngineTask, error: unknown): StepError {
    if (error instanceof AppError && CAUSES_TO_SHOW.has(error.code)) return failureOf(error).error;
    onError(error, `running task ${task.id}`);
    const message = "An internal error stopped this run. See the log of the service for details.";
    return { code: "internal_error", message };
  }

  /** Every path leaves the task failed, released or reported: none leaves it "running" without a run. */
  async function handleFailure(task: EngineTask, error: unknown): Promise<void> {
    if (deps.isClosed()) return;
    if (error instanceof RunDropped) return release(task);
    if (error instanceof AppError && error.retryable) return deps.reportPossibleOrphan(task);
    await deps
      .failTask(task, reasonOf(task, error))
      .catch((failure: unknown) => onError(failure, `failing task ${task.id}`));
  }

  /** The lease expired during the run: if no peer has claimed the task, none would until this process ends. */
  async function release(task: EngineTask): Promise<void> {
    try {
      await store.releaseTask(task, clock.now());
      // A document that takes long is in another lane now.
      for (const lane of lanes.values()) lane.poll();
      deps.workIsDue(task.lane);
    } catch (error) {
      onError(error, `releasing task ${task.id}`);
      deps.reportPossibleOrphan(task);
    }
  }

  return work;
}
