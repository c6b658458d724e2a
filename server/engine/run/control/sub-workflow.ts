import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import type { AbortSource } from "../../../lib/abort-source.ts";
import { createDeadline } from "../../../lib/deadline.ts";
import { failed, type Outcome } from "../outcome.ts";
import { WHOLE_TASK } from "../../journal/fold.ts";
import type { OnParentEnd } from "../../store.ts";
import type { ControlCall, ControlStep, Run } from "../run.ts";
import { isFinal, type Task, type TaskStatus } from "../../tasks/task.ts";
import { deadlineOf, stepDeadline, timedOut } from "./deadline.ts";

export const MAX_DEPTH = 20;

const CHILD_FAILED = "The sub-workflow failed";

export const subWorkflow: ControlStep = ({ run, scope, step, path, memory, fields }) =>
  runSubWorkflow(run, {
    path,
    workflowId: String(fields["workflowId"] ?? ""),
    input: fields["input"] ?? {},
    onParentEnd: onParentEndOf(fields),
    stop: scope.stop,
    deadline: deadlineOf(step, memory, run.deps.clock.now()),
  });

export function onParentEndOf(fields: ControlCall["fields"]): OnParentEnd {
  return fields["onParentEnd"] === "continue" ? "continue" : "cancel";
}

export interface SubWorkflowCall {
  path: string;
  workflowId: string;
  input: JsonValue;
  onParentEnd: OnParentEnd;
  stop: AbortSource;
  /** When the step stops waiting; null for never. */
  deadline: number | null;
}

/**
 * A sub-workflow is a separate task, created once for this step. While it runs in this process, the step waits in
 * memory. When it parks, is queued, or runs in another process, this task parks too and the child's end wakes it: a task
 * that only waits holds no slot, so that waiting tasks never block those they wait for.
 */
export async function runSubWorkflow(run: Run, call: SubWorkflowCall): Promise<Outcome> {
  // The sub-workflow may use the slot of this task.
  const takeSlotBack = run.deps.lendSlot(run.task);
  try {
    return await startAndWait(run, call);
  } finally {
    await takeSlotBack();
  }
}

async function startAndWait(
  run: Run,
  { path, workflowId, input, onParentEnd, stop, deadline }: SubWorkflowCall,
): Promise<Outcome> {
  const { store, startChild, resume, left, state, cancel, clock } = run.deps;
  if (run.task.depth >= MAX_DEPTH) {
    return failed(
      "depth_exceeded",
      `Workflows call each other more than ${MAX_DEPTH} levels deep. Check whether one calls itself.`,
    );
  }
  const remainingMs = (): number | undefined => (deadline === null ? undefined : deadline - clock.now());
  const childId =
    (await store.childId(run.task.id, path)) ??
    (await startChild(run, path, workflowId, input, {
      onParentEnd,
      waitLimit: () => stepDeadline(stop, remainingMs()),
    }));
  let child = await state(childId);
  // A new attempt or a rerun after the child failed: the child continues where it stopped and keeps its results.
  const since = Math.max(run.memoryOf(path).since, run.memory.get(WHOLE_TASK)?.since ?? 0);
  if (
    (child.status === "failed" || child.status === "cancelled") &&
    child.completedAt !== null &&
    child.completedAt <= since
  ) {
    await resume(childId);
    child = await state(childId);
  }
  if (!isFinal(child.status)) {
    await waitFor(left(childId), stop, remainingMs());
    child = await state(childId);
  }
  const late = stop.aborted || (deadline !== null && deadline <= clock.now());
  if (!isFinal(child.status) && late && !run.stop.aborted) {
    await cancel(childId);
    child = await state(childId);
    if (child.status === "cancelled") return timedOut();
  }
  if (isFinal(child.status)) return outcomeOf(child);
  const status = child.status === "waiting_approval" ? "waiting_approval" : "waiting";
  return {
    kind: "waiting",
    due: deadline,
    forApproval: status === "waiting_approval",
    begin: { status, due: deadline },
  };
}

function outcomeOf({ id, status, result, error, completedAt }: Omit<Task, "input">): Outcome {
  const extra = { childTaskId: id };
  if (status === "completed") return { kind: "completed", output: result?.output ?? null, extra };
  const code =
    status === "failed"
      ? (error?.code ?? "sub_workflow_failed")
      : status === "rejected"
        ? "rejected"
        : "sub_workflow_cancelled";
  const outcome = failed(code, endReason(status, error));
  const failedAt = completedAt ?? undefined;
  return { ...outcome, failure: { ...outcome.failure, permanent: status !== "failed", extra, failedAt } };
}

/** Reports the cause once, not again at every level above it. */
function endReason(status: TaskStatus, error: Task["error"]): string {
  if (error?.message.startsWith(CHILD_FAILED) === true) return error.message;
  const what = status === "failed" ? CHILD_FAILED : `The sub-workflow was ${status}`;
  const where = error?.stepId === undefined ? "" : ` at step ${error.stepId}`;
  return `${what}${where}${error === null ? "." : `: ${error.message}`}`;
}

/** Removes its listener: a loop of ten thousand sub-workflows would otherwise leave ten thousand of them. */
async function waitFor(
  work: Promise<unknown>,
  stop: AbortSource,
  timeoutMs: number | undefined,
): Promise<void> {
  const limit = createDeadline(timeoutMs, { outer: stop });
  await Promise.race([work, limit.reached]).finally(() => limit.clear());
}
