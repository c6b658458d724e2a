import { createHash } from "node:crypto";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { MAX_DEPTH } from "../engine/run/control/sub-workflow.ts";
import type { Engine, RunnableWorkflow, SettledOptions } from "../engine/engine-api.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import { isFinal, type Trigger } from "../engine/tasks/task.ts";
import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";

/** The owner and the parent of the tasks that an agent's tools start. */
export interface WorkContext {
  ownerId: string;
  trigger: Extract<Trigger, "team" | "workflow" | "manual">;
  /**
   * The task that the agent runs in, and a name for this run of the agent. Tool tasks are cancelled with that task,
   * and a call that is repeated after a crash finds the task of the first call.
   */
  parent?: { taskId: string; step: string; rootTaskId?: string } | undefined;
  /** The conversation of a chat that the agent answers, itself or in a workflow that another run has called. */
  conversation?: string | undefined;
  /** The depth of the caller; tool tasks are one level deeper. */
  depth: number;
  /** Frees the slot of the agent's task while a tool task runs: agents that hold all slots would block their own tools. */
  lendSlot?: StepCall["lendSlot"] | undefined;
}

export type TaskEngine = Pick<Engine, "start" | "settled" | "read" | "cancel">;

export type StartToolTask = (
  workflow: RunnableWorkflow,
  input: Record<string, JsonValue>,
  signal: AbortSignal,
  options?: Pick<SettledOptions, "throughApprovals">,
) => Promise<JsonValue>;

/** A task that takes longer continues without the agent, which gets a note. */
const TOOL_WAIT_MS = 10 * 60_000;
/** Leaves the agent half of the usual time limit of its step: people may take hours to decide. */
const APPROVAL_WAIT_MS = 5 * 60_000;

/** For one run of an agent: each tool call is a task, and a repeated run finds the tasks of the first. */
export function createToolTasks(
  engine: () => TaskEngine,
  { trigger, parent, conversation, depth, lendSlot }: WorkContext,
): StartToolTask {
  const callsSoFar = new Map<string, number>();
  /** Identifies a call by its input and its number among equal calls: a model may repeat a call on purpose. */
  function nameOf(workflowId: string, input: JsonValue): string {
    const hash = createHash("sha256")
      .update(`${workflowId} ${JSON.stringify(input)}`)
      .digest("hex");
    const nth = (callsSoFar.get(hash) ?? 0) + 1;
    callsSoFar.set(hash, nth);
    return `${hash}:${nth}`;
  }

  const startAndWait: StartToolTask = async (workflow, input, signal, options) => {
    if (depth >= MAX_DEPTH)
      throw new AppError(
        "depth_exceeded",
        `Workflows and agents call each other more than ${MAX_DEPTH} levels deep.`,
      );
    signal.throwIfAborted();
    const tasks = engine();
    const waitMs = options?.throughApprovals === true ? APPROVAL_WAIT_MS : TOOL_WAIT_MS;
    const { taskId } = await tasks.start({
      workflow,
      trigger,
      input,
      conversation,
      depth: depth + 1,
      ...(parent && {
        parentTaskId: parent.taskId,
        rootTaskId: parent.rootTaskId,
        parentStep: `${parent.step}:${nameOf(workflow.id, input)}`,
        waitLimit: () => createDeadline(waitMs, { outer: signal }),
      }),
    });
    const { task } = await tasks.settled(taskId, waitMs, { ...options, signal });
    // A cancellation of the parent during the start did not include this task yet.
    if (signal.aborted && parent !== undefined && (await isCancelled(tasks, parent.taskId)))
      await tasks.cancel(taskId);
    if (task.status === "completed") return { taskId, output: task.result?.output ?? null };
    if (isFinal(task.status)) {
      throw new AppError(
        "workflow_failed",
        `The workflow was ${task.status}${task.error === null ? "." : `: ${task.error.message}`}`,
        { details: { taskId } },
      );
    }
    return {
      taskId,
      status: task.status,
      note: "The task has not ended yet and continues in the background.",
    };
  };
  return async (...call) => {
    const takeSlotBack = lendSlot?.();
    try {
      return await startAndWait(...call);
    } finally {
      await takeSlotBack?.();
    }
  };
}

async function isCancelled(engine: TaskEngine, taskId: string): Promise<boolean> {
  return (await engine.read(taskId))?.task.status === "cancelled";
}
