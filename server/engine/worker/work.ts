import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Birth } from "./optimistic-start.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow } from "../engine-api.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { Lane } from "./lane.ts";
import { launch } from "../run/launch.ts";
import type { FinishedRun, LiveRuns } from "./live-runs.ts";
import type { Moves } from "../tasks/task-waiters.ts";
import { Dropped } from "../journal/recorder.ts";
import type { RunDeps } from "../run/run.ts";
import type { EngineStore, EngineTask } from "../store.ts";
import type { StepError } from "../tasks/task.ts";

export interface WorkDeps {
  store: Pick<EngineStore, "heads" | "giveBack">;
  clock: Clock;
  live: LiveRuns;
  moves: Moves;
  runDeps: RunDeps;
  loadWorkflow(id: string, version: number): Promise<RunnableWorkflow>;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  laneOf(task: EngineTask): Lane | undefined;
  isClosed(): boolean;
  giveUp(task: EngineTask, error: StepError): Promise<void>;
  /** Another process may have the place for what this one gives back. */
  workIsDue(): void;
  /** The database did not answer: the task is still ours, and nobody works on it. */
  letGo(task: EngineTask): void;
  onError(error: unknown, what: string): void;
}

/** A task that begins here, in this moment: nothing of it has to be read back. */
export interface Newborn {
  workflow: RunnableWorkflow;
  /** Results that it brings along. */
  entries: readonly JournalEntry[];
  birth: Birth;
  holdsPlace: boolean;
}

/** Works on a task that is ours until it ends or parks. Never rejects. */
export type Work = (task: EngineTask, newborn?: Newborn) => Promise<void>;

export function createWork(deps: WorkDeps): Work {
  const { store, clock, live, laneOf, isClosed, onError } = deps;

  async function work(...[task, newborn]: Parameters<Work>): Promise<void> {
    const birth = newborn?.birth;
    const run = live.enter(task, birth?.stored, newborn?.holdsPlace);
    // Whoever waits for it in the queue waits for its end from now on.
    deps.moves.tell([task.id]);
    let finished: FinishedRun | undefined;
    try {
      if (birth?.isStoredFirst === true && !(await birth.stored)) throw new Dropped();
      const loaded = newborn?.workflow ?? (await deps.loadWorkflow(task.workflowId, task.workflowVersion));
      const launched = await launch(
        {
          task,
          live: run,
          workflow: { ...loaded, responseStepId: task.options?.responseStepId },
          graph: deps.compiled(loaded, task.options?.stepIds),
          heads: newborn?.entries ?? (task.isBlank === true ? [] : await store.heads(task.id)),
          birth,
        },
        deps.runDeps,
      );
      finished = launched.finished;
      if (launched.end === "parked") laneOf(task)?.look();
    } catch (error) {
      // Branches that are still under way must record nothing beside whoever takes the task up again.
      run.abort.abort();
      // One that could not be stored is not there: whoever asked for it is told.
      if (birth === undefined || (await birth.stored)) await afterFault(task, error);
    } finally {
      run.leave(finished);
      laneOf(task)?.lookForQueued();
    }
  }

  /** Nothing is left behind that says "running" for ever. */
  async function afterFault(task: EngineTask, error: unknown): Promise<void> {
    if (isClosed()) return;
    if (error instanceof Dropped) return giveBack(task);
    if (error instanceof AppError && error.retryable) return deps.letGo(task);
    onError(error, `running task ${task.id}`);
    const message = "The run met an unexpected fault; the log of the service has it.";
    await deps
      .giveUp(task, { code: "internal_error", message })
      .catch((failure: unknown) => onError(failure, `failing task ${task.id}`));
  }

  /** Dropped because our lease had run out: perhaps nobody has taken it over, and then nobody would. */
  async function giveBack(task: EngineTask): Promise<void> {
    try {
      await store.giveBack(task, clock.now());
      laneOf(task)?.look();
      deps.workIsDue();
    } catch (error) {
      onError(error, `giving task ${task.id} back`);
      deps.letGo(task);
    }
  }

  return work;
}
