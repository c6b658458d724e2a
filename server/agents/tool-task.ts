import { createHash } from "node:crypto";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { MAX_DEPTH } from "../engine/run/control/sub-workflow.ts";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import { isFinal, type Trigger } from "../engine/tasks/task.ts";
import { AppError } from "../lib/errors.ts";

/** On whose behalf an agent works, and where the tasks that its tools start hang. */
export interface WorkContext {
  ownerId: string;
  trigger: Extract<Trigger, "team" | "workflow" | "manual">;
  /**
   * The task that the agent works in, and which piece of its work this is. What is started there is cancelled with
   * that task, and a call that is made again after a crash finds the task of the first one.
   */
  parent?: { taskId: string; step: string } | undefined;
  /** How deep the caller stands; what an agent starts stands one deeper. */
  depth: number;
}

export type TaskEngine = Pick<Engine, "start" | "settled" | "read" | "cancel">;

export type StartToolTask = (
  workflow: RunnableWorkflow,
  input: Record<string, JsonValue>,
  signal: AbortSignal,
) => Promise<JsonValue>;

/** A task that takes longer goes on without the agent, who is told so. */
const TOOL_WAIT_MS = 10 * 60_000;

/** One piece of an agent's work: every call of a tool in it is a task, the same call the same task. */
export function createToolTasks(
  engine: Promise<TaskEngine>,
  { trigger, parent, depth }: WorkContext,
): StartToolTask {
  const callsSoFar = new Map<string, number>();
  /** By what is asked for, and how many times it was asked for before: a model may mean the same twice. */
  function nameOf(workflowId: string, input: JsonValue): string {
    const hash = createHash("sha256")
      .update(`${workflowId} ${JSON.stringify(input)}`)
      .digest("hex");
    const nth = (callsSoFar.get(hash) ?? 0) + 1;
    callsSoFar.set(hash, nth);
    return `${hash}:${nth}`;
  }

  return async (workflow, input, signal) => {
    if (depth >= MAX_DEPTH)
      throw new AppError(
        "depth_exceeded",
        `Workflows and agents call each other more than ${MAX_DEPTH} deep.`,
      );
    signal.throwIfAborted();
    const tasks = await engine;
    const { taskId } = await tasks.start({
      workflow,
      trigger,
      input,
      depth: depth + 1,
      ...(parent && {
        parentTaskId: parent.taskId,
        parentStep: `${parent.step}:${nameOf(workflow.id, input)}`,
      }),
    });
    const { task } = await tasks.settled(taskId, TOOL_WAIT_MS, { signal });
    // A cancel that came between could not see this task yet.
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
    return { taskId, status: task.status, note: "It has not ended yet and goes on by itself." };
  };
}

async function isCancelled(engine: TaskEngine, taskId: string): Promise<boolean> {
  return (await engine.read(taskId))?.task.status === "cancelled";
}
