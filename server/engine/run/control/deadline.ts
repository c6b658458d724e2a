import { isWithinLoop } from "../../../../contract/step-path.ts";
import type { AbortSource } from "../../../lib/abort-source.ts";
import { createDeadline, type Deadline } from "../../../lib/deadline.ts";
import { AppError } from "../../../lib/errors.ts";
import type { CompiledStep } from "../../graph/compiled-graph.ts";
import type { StepMemory } from "../../journal/fold.ts";
import { failed, type Outcome } from "../outcome.ts";
import { waitingPaths } from "../rerun.ts";
import type { Run } from "../run.ts";

/** Deadline of a step that waits for other work. Fixed when the wait begins, so that a restart does not extend it. */
export function deadlineOf({ timeoutMs }: CompiledStep, { waiting }: StepMemory, now: number): number | null {
  if (timeoutMs === undefined) return null;
  return waiting?.kind === "wait" && waiting.due !== null ? waiting.due : now + timeoutMs;
}

/** Null is never. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

const MESSAGE = "The step took longer than its time limit.";

/** For the work inside the step: aborted with the scope around it, and when the step takes longer than `ms`. */
export function stepDeadline(outer: AbortSource, ms: number | undefined): Deadline {
  return createDeadline(ms, { outer, reason: () => new AppError("step_timeout", MESSAGE) });
}

/** Unlike the other failures of control steps, a timeout is retried. */
export function timedOut(): Extract<Outcome, { kind: "failed" }> {
  return failed("step_timeout", MESSAGE);
}

/**
 * Cancels the child tasks that a step and the iterations of a loop wait for. Returns the waiting paths, whose open
 * approvals are removed.
 */
export async function abandon(run: Run, stepPath: string): Promise<string[]> {
  const waiting = waitingPaths(run.memory, (path) => path === stepPath || isWithinLoop(path, stepPath));
  for (const path of waiting) {
    const childId = await run.deps.store.childId(run.task.id, path);
    if (childId !== undefined) await run.deps.cancel(childId);
  }
  return waiting;
}
