import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import { createOptimisticStart } from "./optimistic-start.ts";
import type { CompiledGraph } from "../graph/compiled-graph.ts";
import type { RunnableWorkflow, Started, StartTask } from "../engine-api.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { TASK_LANE } from "./lane.ts";
import type { Slots } from "./slots.ts";
import { Dropped } from "../journal/recorder.ts";
import type { Run } from "../run/run.ts";
import type { Accepted, EngineStore, EngineTask, NewTask, TaskOptions } from "../store.ts";
import type { FreshTask } from "./work.ts";

export interface AcceptTask extends StartTask {
  taskId?: string;
  entries?: JournalEntry[];
}

export interface AcceptDeps {
  store: EngineStore;
  clock: Clock;
  workerId: string;
  slots: Slots;
  /** Works on a task that is just being accepted. */
  work(task: EngineTask, fresh: FreshTask): void;
  /** It may have been stored although its caller was refused: then it must not say "running" for ever. */
  reportPossibleOrphan(task: EngineTask): void;
  /** A place may have become free for what is queued. */
  pollIfSlotFree(): void;
  /** A task has been queued: another process may have a place for it. */
  queued(): void;
  compiled(workflow: RunnableWorkflow, stepIds: readonly string[] | undefined): CompiledGraph;
  /** Today's version of a workflow of this owner. Throws when there is none. */
  currentWorkflow(ownerId: string, id: string): Promise<RunnableWorkflow>;
}

/** The process that accepts a task works on it at once: no queue, no write in between. Over the limit it is queued. */
export function createAcceptance(deps: AcceptDeps) {
  const { store, clock, workerId, slots, work, currentWorkflow } = deps;

  async function accept(request: AcceptTask): Promise<Started> {
    // What a step starts never queues: its parent holds a place already and would wait for it for ever. What only
    // computes is over before it could have been handed to anybody.
    const { onlyComputes } = deps.compiled(request.workflow, request.selection?.stepIds);
    const runsHere = slots.canStart(request.parentStep !== undefined || onlyComputes);
    const task = newTask(request, clock.now(), runsHere ? workerId : undefined);
    const accepted = runsHere ? await begin(task, request.workflow, !onlyComputes) : await queue(task);
    if (!accepted.inserted) return first(request, accepted);
    return { taskId: task.id, status: task.status, existing: false };
  }

  async function begin(task: NewTask, workflow: RunnableWorkflow, holdsSlot: boolean): Promise<Accepted> {
    const optimisticStart = createOptimisticStart(store, task);
    work(task, { workflow, entries: task.entries, optimisticStart, holdsSlot });
    try {
      return await optimisticStart.accepted;
    } catch (error) {
      deps.reportPossibleOrphan(task);
      throw error;
    }
  }

  async function queue(task: NewTask): Promise<Accepted> {
    const accepted = await store.accept(task);
    if (accepted.inserted) {
      // Only now: whoever looked before the task was stored has not seen it.
      slots.markFull();
      deps.queued();
      deps.pollIfSlotFree();
    }
    return accepted;
  }

  /** Somebody was here before with the same key: his task is the answer, if he asked for the same. */
  async function first(
    request: AcceptTask,
    { taskId, bodyHash }: Extract<Accepted, { inserted: false }>,
  ): Promise<Started> {
    if (taskId === null) throw new Dropped();
    if (request.idempotency !== undefined && bodyHash !== request.idempotency.bodyHash) {
      throw new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was used before with a different body; use a new key.",
      );
    }
    return { taskId, status: (await store.task(taskId))?.status ?? "queued", existing: true };
  }

  return {
    accept,
    /** The task of a sub-workflow step; asked again, it is the same one. */
    async startChild(run: Run, path: string, workflowId: string, input: JsonValue): Promise<string> {
      // The process is stopping: that is no failure of the step, which is taken up again by the next one.
      if (slots.closed) throw new Dropped();
      const { taskId } = await accept({
        workflow: await currentWorkflow(run.task.ownerId, workflowId),
        trigger: "workflow",
        input: run.redactor === undefined ? input : (run.redactor.value(input) as JsonValue),
        parentTaskId: run.task.id,
        parentStep: path,
        depth: run.task.depth + 1,
      });
      // A cancel that came while it was being stored may not have seen it.
      if (run.stop.aborted && (await store.task(run.task.id))?.status === "cancelled")
        await run.deps.cancel(taskId);
      return taskId;
    },
  };
}

/** Without a worker it is queued and due at once. */
function newTask(request: AcceptTask, now: number, workerId: string | undefined): NewTask {
  const { workflow } = request;
  return {
    id: request.taskId ?? createId("task", now),
    ownerId: workflow.ownerId,
    lane: TASK_LANE,
    workflowId: workflow.id,
    workflowVersion: workflow.version,
    trigger: request.trigger,
    input: request.input,
    options: optionsOf(request),
    parentTaskId: request.parentTaskId ?? null,
    parentStep: request.parentStep ?? null,
    depth: request.depth ?? 0,
    epoch: 1,
    wake: 0,
    createdAt: now,
    startedAt: workerId === undefined ? null : now,
    status: workerId === undefined ? "queued" : "running",
    workerId: workerId ?? null,
    runAt: workerId === undefined ? now : null,
    idempotency: request.idempotency,
    entries: request.entries ?? [],
  };
}

function optionsOf({ selection, workflow: { responseStepId } }: AcceptTask): TaskOptions | null {
  if (selection === undefined && responseStepId === undefined) return null;
  return { ...selection, ...(responseStepId === undefined ? {} : { responseStepId }) };
}
