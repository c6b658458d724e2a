import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { UNNUMBERED } from "../journal/journal-entry.ts";
import { serializeInTurns } from "../../lib/serialize-json.ts";
import { linkToOutput, storeValue } from "../journal/outputs.ts";
import { createScope } from "./create-run.ts";
import { LARGE_VALUE } from "./large-values.ts";
import { reportsFailure, type Run } from "./run.ts";
import { type LastWrite, runScope } from "./scope.ts";
import type { TaskChange } from "../store.ts";
import type { FinalStatus, StepError, TaskResult } from "../tasks/task.ts";

/** Runs a task until it ends or parks. The entry of the last step and the end of the task are one write. */
export async function runTask(run: Run): Promise<"ended" | "parked"> {
  let finished = false;
  const end = await runScope(run, createScope(run.graph, run.stop), {
    onLast: ({ stepId, output, final }) => {
      finished = true;
      return completion(run, final ? { stepId, output } : undefined);
    },
  });
  if (finished) return "ended";
  if (end.kind === "waiting") {
    await park(run, end.due, end.forApproval);
    return "parked";
  }
  // Before the end is recorded: after a crash in between, the run fails again and cancels them again.
  if (end.kind === "failed" && run.graph.startsTasks) await run.deps.cancelDescendants(run.task);
  const { after, more } =
    end.kind === "failed" ? failing(run, end.error, end.path) : await completion(run, undefined);
  await run.record(after, more);
  return "ended";
}

async function completion(
  run: Run,
  last: { stepId: string; output: JsonValue } | undefined,
): Promise<LastWrite> {
  const result = await resultOf(run, last);
  const isLarge = run.recordedBytes > LARGE_VALUE;
  if (isLarge) await run.deps.largeValues.turn();
  const json = isLarge ? await serializeInTurns(result) : JSON.stringify(result);
  const storing = storeValue(run.task.id, json, run.deps.blobs);
  const { output, outputRef } = storing instanceof Promise ? await storing : storing;
  return closing(run, "completed", { result: output, resultRef: outputRef, error: null });
}

/** An unhandled rejection ends the task as rejected, not as failed. */
function failing(run: Run, error: StepError, stepId: string): LastWrite {
  const status = error.code === "rejected" ? "rejected" : "failed";
  const end = closing(run, status, { result: null, resultRef: null, error: { ...error, stepId } });
  if (status === "failed" && reportsFailure(run.task, run.deps.errorOwners)) end.more.reportFailure = true;
  return end;
}

function closing(
  run: Run,
  status: FinalStatus,
  { result, resultRef, error }: Pick<TaskChange, "result" | "resultRef" | "error">,
): LastWrite {
  const now = run.deps.clock.now();
  const { parentTaskId, parentStep } = run.task;
  const change: TaskChange = {
    status,
    runAt: null,
    seenWake: null,
    result,
    resultRef,
    error,
    completedAt: now,
  };
  return {
    after: [{ seq: UNNUMBERED, kind: "status", status, error, at: now }],
    more: parentTaskId !== null && parentStep !== null ? { change, wakeTask: parentTaskId } : { change },
  };
}

/** A parked task is only a row: it holds no timer, however long it waits. */
async function park(run: Run, due: number | null, forApproval: boolean): Promise<void> {
  const { parentTaskId, parentStep } = run.task;
  await run.record([], {
    // The parent then waits for a person too, and its status shows it.
    ...(forApproval && parentTaskId !== null && parentStep !== null ? { wakeTask: parentTaskId } : {}),
    change: {
      status: forApproval ? "waiting_approval" : "waiting",
      runAt: run.deadline === null || (due !== null && due < run.deadline) ? due : run.deadline,
      seenWake: run.task.wake,
      result: null,
      resultRef: null,
      error: null,
      completedAt: null,
    },
  });
}

/** `output` is that of the response step, or else that of the only final step. */
async function resultOf(
  run: Run,
  last: { stepId: string; output: JsonValue } | undefined,
): Promise<TaskResult> {
  const { measure, maxValueBytes } = run.deps.budgets;
  const outputOf = (id: string) => (id === last?.stepId ? last.output : run.outputs.get(id));
  const ids = [...run.graph.steps.keys()].filter(
    (id) => id === last?.stepId || run.memory.get(id)?.ended?.final === true,
  );
  const responseStepId = run.task.options?.responseStepId;
  const hasResponseStep = responseStepId !== undefined && run.graph.steps.has(responseStepId);
  const chosenId = hasResponseStep ? responseStepId : ids.length === 1 ? ids[0]! : undefined;
  const output = chosenId === undefined ? null : await outputOf(chosenId);
  let left = maxValueBytes - measure(output, maxValueBytes);
  const outputs: Record<string, JsonValue> = {};
  for (const id of ids) {
    const value = id === chosenId ? output : await outputOf(id);
    const size = measure(value, maxValueBytes);
    // The result is a value, too. An output that does not fit into it stays with its step.
    outputs[id] = size > left ? linkToOutput(run.task.id, id, size) : value;
    left -= Math.min(size, left);
  }
  return { output, outputs };
}
