import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { Run } from "../run.ts";
import { isFinal, type Task } from "../task.ts";
import type { ControlStep } from "./control-step.ts";

export const MAX_DEPTH = 20;

export const subWorkflow: ControlStep = ({ run, path, fields }) =>
  runSubWorkflow(run, path, String(fields["workflowId"] ?? ""), fields["input"] ?? {});

/**
 * A sub-workflow is a task of its own, made once for this step. While it runs here we wait in memory; when it
 * parks, or runs in another process, our task parks too and its end wakes us.
 */
export async function runSubWorkflow(
  run: Run,
  path: string,
  workflowId: string,
  input: JsonValue,
): Promise<Outcome> {
  const { store, startChild, rerun, left, task } = run.deps;
  if (run.task.depth >= MAX_DEPTH) {
    return failed(
      "depth_exceeded",
      `Workflows call each other more than ${MAX_DEPTH} deep; does one call itself?`,
    );
  }
  const childId =
    (await store.childId(run.task.id, path)) ?? (await startChild(run, path, workflowId, input));
  let child = await task(childId);
  // A try or a rerun after the child had failed: it goes on where it failed, its results are kept.
  if (child.status === "failed" && (child.completedAt ?? 0) <= run.memoryOf(path).since) {
    // Somebody may have been quicker: then it is under way already.
    await rerun(childId).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "task_not_failed")) throw error;
    });
    child = await task(childId);
  }
  if (!isFinal(child.status)) {
    await unlessAborted(left(childId), run.signal);
    child = await task(childId);
  }
  if (isFinal(child.status)) return outcomeOf(child);
  const status = child.status === "waiting_approval" ? "waiting_approval" : "waiting";
  return {
    kind: "waiting",
    due: null,
    forApproval: status === "waiting_approval",
    begin: { status, due: null },
  };
}

function outcomeOf({ id, status, result, error }: Task): Outcome {
  const extra = { childTaskId: id };
  if (status === "completed") return { kind: "completed", output: result?.output ?? null, extra };
  const code =
    status === "failed"
      ? (error?.code ?? "sub_workflow_failed")
      : status === "rejected"
        ? "rejected"
        : "sub_workflow_cancelled";
  const where = error?.stepId === undefined ? "" : ` at step ${error.stepId}`;
  const outcome = failed(
    code,
    `The sub-workflow was ${status}${where}${error === null ? "." : `: ${error.message}`}`,
  );
  return { ...outcome, failure: { ...outcome.failure, permanent: status !== "failed", extra } };
}

/** A loop of ten thousand sub-workflows must not leave ten thousand listeners behind. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener("abort", stop);
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
