import type { TriggerRequest } from "../../../contract/placeholders/render.ts";
import { createId } from "../../lib/ids.ts";
import type { StartTask } from "../engine-api.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import type { TaskTrace } from "../run-tracing.ts";
import type { NewTask } from "../store.ts";
import type { TaskOptions } from "../tasks/engine-task.ts";
import { TASK_LANE } from "./lane.ts";
import { requestOf } from "./run-groups.ts";

/** A request to start a task, from a caller or from a step of another task. */
export interface AcceptTask extends StartTask {
  taskId?: string;
  entries?: JournalEntry[];
  /** The task that waits for this one can park: a peer may run it. */
  parentParks?: boolean;
  /** The trace of the task that this one replays. */
  replayed?: TaskTrace | undefined;
}

/** Null for a task that no step of another task has started. */
export function rootOf({ parentTaskId, parentStep, rootTaskId }: AcceptTask): string | null {
  return parentStep === undefined ? null : (rootTaskId ?? parentTaskId ?? null);
}

/** Without a worker id the task is queued and due at once. */
export function newTask(
  request: AcceptTask,
  readsRequest: boolean,
  inputJson: string,
  now: number,
  workerId: string | undefined,
): NewTask {
  const { workflow } = request;
  return {
    id: request.taskId ?? createId("task", now),
    ownerId: workflow.ownerId,
    lane: TASK_LANE,
    workflowId: workflow.id,
    workflowVersion: workflow.version,
    trigger: request.trigger,
    input: request.input,
    inputJson,
    options: optionsOf(request, readsRequest ? requestOf(request) : undefined),
    parentTaskId: request.parentTaskId ?? null,
    parentStep: request.parentStep ?? null,
    rootTaskId: rootOf(request),
    depth: request.depth ?? 0,
    epoch: 1,
    wake: 0,
    createdAt: now,
    startedAt: workerId === undefined ? null : now,
    status: workerId === undefined ? "queued" : "running",
    workerId: workerId ?? null,
    runAt: workerId === undefined ? now : null,
    idempotency: request.idempotency,
    onParentEnd: request.onParentEnd,
    delivery: request.delivery,
    entries: request.entries ?? [],
  };
}

function optionsOf(
  { selection, conversation, workflow: { responseStepId, settings } }: AcceptTask,
  request: TriggerRequest | undefined,
): TaskOptions | null {
  const timeoutMs = settings?.timeoutMs;
  const hasErrorWorkflow = settings?.errorWorkflowId === undefined ? undefined : (true as const);
  const waitsForConnections = settings?.onConnectionProblem === "wait" ? (true as const) : undefined;
  const given =
    selection ??
    responseStepId ??
    request ??
    timeoutMs ??
    hasErrorWorkflow ??
    waitsForConnections ??
    conversation;
  if (given === undefined) return null;
  return {
    ...selection,
    ...(responseStepId === undefined ? {} : { responseStepId }),
    ...(request === undefined ? {} : { request }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(hasErrorWorkflow === undefined ? {} : { hasErrorWorkflow }),
    ...(waitsForConnections === undefined ? {} : { waitsForConnections }),
    ...(conversation === undefined ? {} : { conversation }),
  };
}
