import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { OptimisticStart } from "./optimistic-start.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { Lane } from "./lane.ts";
import { launch } from "../run/launch.ts";
import type { FinishedRun, LiveRuns } from "./live-runs.ts";
import type { TaskWaiters } from "../tasks/task-waiters.ts";
import { Dropped } from "../journal/recorder.ts";
import type { RunDeps } from "../run/run.ts";
import type { EngineStore, EngineTask } from "../store.ts";
import type { StepError } from "../tasks/task.ts";

export interface WorkDeps {
  store: Pick<EngineStore, "heads" | "releaseTask">;
  clock: Clock;
  live: LiveRuns;
  taskWaiters: TaskWaiters;
  runDeps: RunDeps;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  laneOf(task: EngineTask): Lane | undefined;
  isClosed(): boolean;
  failTask(task: EngineTask, error: StepError): Promise<void>;
  /** Another process may have the place for what this one gives back. */
  workIsDue(): void;
  /** The database did not answer: the task is still ours, and nobody works on it. */
  reportPossibleOrphan(task: EngineTask): void;
  onError(error: unknown, what: string): void;
}

/** A task that begins here, in this moment: nothing of it has to be read back. */
export interface FreshTask {
  workflow: RunnableWorkflow;
  /** Results that it brings along. */
  entries: readonly JournalEntry[];
  optimisticStart: OptimisticStart;
  holdsSlot: boolean;
}

/** Works on a task that is ours until it ends or parks. Never rejects. */
export type Work = (task: EngineTask, fresh?: FreshTask) => Promise<void>;

export function createWork(deps: WorkDeps): Work {
  const { store, clock, live, laneOf, isClosed, onError } = deps;

  async function work(...[task, fresh]: Parameters<Work>): Promise<void> {
    const optimisticStart = fresh?.optimisticStart;
    const run = live.enter(task, optimisticStart?.stored, fresh?.holdsSlot);
    // Whoever waits for it in the queue waits for its end from now on.
    deps.taskWaiters.notify([task.id]);
    let finished: FinishedRun | undefined;
    try {
      if (optimisticStart?.isStoredFirst === true && !(await optimisticStart.stored)) throw new Dropped();
      const loaded = fresh?.workflow ?? (await deps.loadWorkflow(task.workflowId, task.workflowVersion));
      const launched = await launch(
        {
          task,
          live: run,
          workflow: { ...loaded, responseStepId: task.options?.responseStepId },
          graph: deps.compiled(loaded, task.options?.stepIds),
          heads: fresh?.entries ?? (task.isBlank === true ? [] : await store.heads(task.id)),
          optimisticStart,
        },
        deps.runDeps,
      );
      finished = launched.finished;
      if (launched.end === "parked") laneOf(task)?.poll();
    } catch (error) {
      // Branches that are still under way must record nothing beside whoever takes the task up again.
      run.abort.abort();
      // One that could not be stored is not there: whoever asked for it is told.
      if (optimisticStart === undefined || (await optimisticStart.stored)) await afterFault(task, error);
    } finally {
      run.leave(finished);
      laneOf(task)?.pollIfSlotFree();
    }
  }

  /** Nothing is left behind that says "running" for ever. */
  async function afterFault(task: EngineTask, error: unknown): Promise<void> {
    if (isClosed()) return;
    if (error instanceof Dropped) return releaseTask(task);
    if (error instanceof AppError && error.retryable) return deps.reportPossibleOrphan(task);
    onError(error, `running task ${task.id}`);
    const message = "The run met an unexpected fault; the log of the service has it.";
    await deps
      .failTask(task, { code: "internal_error", message })
      .catch((failure: unknown) => onError(failure, `failing task ${task.id}`));
  }

  /** Dropped because our lease had run out: perhaps nobody has taken it over, and then nobody would. */
  async function releaseTask(task: EngineTask): Promise<void> {
    try {
      await store.releaseTask(task, clock.now());
      laneOf(task)?.poll();
      deps.workIsDue();
    } catch (error) {
      onError(error, `giving task ${task.id} back`);
      deps.reportPossibleOrphan(task);
    }
  }

  return work;
}
