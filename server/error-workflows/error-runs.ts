import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine } from "../engine/engine-api.ts";
import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import type { ErrorWorkflowStore, FailedRun } from "./error-workflow.sql.ts";

export interface ErrorRunsDeps {
  store: Pick<ErrorWorkflowStore, "oldest" | "remove">;
  engine: Pick<Engine, "read" | "start">;
  findWorkflow(workflowId: string, ownerId: string): Promise<CurrentWorkflow | undefined>;
  serviceUrl: string;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

const BATCH_SIZE = 50;

/**
 * Starts the error workflow of each failed run. The failure is stored together with a row, which is removed after the
 * start. The idempotency key of the start makes one task, however often and in however many processes it is repeated.
 */
export function createErrorRuns(deps: ErrorRunsDeps): DueLoop {
  const { store, engine, findWorkflow, clock } = deps;

  /** The first that exists: a workflow stays in the settings of others after it was deleted or moved to another workspace. */
  async function findErrorWorkflow({ errorWorkflowIds, ownerId }: FailedRun) {
    for (const id of errorWorkflowIds) {
      const workflow = await findWorkflow(id, ownerId);
      if (workflow !== undefined) return workflow;
    }
    return undefined;
  }

  async function startFor(failed: FailedRun): Promise<void> {
    const { taskId, epoch, ownerId, workflowId } = failed;
    const workflow = await findErrorWorkflow(failed);
    const read = await engine.read(taskId);
    // The error workflow of an account does not run for itself.
    if (workflow?.isActive !== true || workflow.id === workflowId || read === undefined) return;
    const key = `${taskId}:${epoch}`;
    const idempotency = { scope: `error:${ownerId}`, key, bodyHash: "", matchesAnyBody: true };
    const { error, input, trigger, workflowVersion } = read.task;
    const report: JsonValue = {
      taskId,
      workflow: { id: workflowId, name: failed.workflowName, version: workflowVersion },
      error: error === null ? null : { code: error.code, message: error.message },
      failedStep: error?.stepId ?? null,
      trigger,
      input,
      url: `${deps.serviceUrl}/runs/${taskId}`,
      failedAt: toIso(failed.failedAt),
    };
    await engine.start({ workflow, trigger: "error", input: report, inputUnchecked: true, idempotency });
  }

  async function startSome(): Promise<boolean> {
    const batch = await store.oldest(BATCH_SIZE);
    for (const failed of batch) {
      try {
        await startFor(failed);
      } catch (error) {
        // The database or the owner's queue has no room: the row stays and is tried again.
        if (error instanceof AppError && (error.retryable || error.code === "limit_reached")) throw error;
        deps.onError(error, `starting the error workflow of task ${failed.taskId}`);
      }
      await store.remove(failed);
    }
    return batch.length === BATCH_SIZE;
  }

  return createDueLoop({
    clock,
    async takeDue() {
      while (await startSome());
      return false;
    },
    nextDue: () => Promise.resolve(null),
    onError: (error) => deps.onError(error, "starting error workflows"),
  });
}
