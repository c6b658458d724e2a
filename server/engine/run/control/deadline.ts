import { isWithinLoop } from "../../../../contract/step-path.ts";
import { createDeadline, type Deadline } from "../../../lib/deadline.ts";
import { AppError } from "../../../lib/errors.ts";
import type { CompiledStep } from "../../graph/compiled-graph.ts";
import type { StepMemory } from "../../journal/fold.ts";
import { failed, type Outcome } from "../outcome.ts";
import { waitingPaths } from "../rerun.ts";
import type { Run } from "../run.ts";

/** Until when a step may take that waits for other work. Fixed when it first waits, so that a restart does not begin it anew. */
export function deadlineOf({ timeoutMs }: CompiledStep, { waiting }: StepMemory, now: number): number | null {
  if (timeoutMs === undefined) return null;
  return waiting?.kind === "wait" && waiting.due !== null ? waiting.due : now + timeoutMs;
}

const MESSAGE = "The step took longer than its time limit.";

/** For the work inside the step: aborted with the scope around it, and when the step takes longer than `ms`. */
export function stepDeadline(outer: AbortSignal, ms: number | undefined): Deadline {
  return createDeadline(ms, { outer, reason: () => new AppError("step_timeout", MESSAGE) });
}

/** Other than a failure of its own making, this one is worth another try. */
export function timedOut(): Extract<Outcome, { kind: "failed" }> {
  return failed("step_timeout", MESSAGE);
}

/**
 * Nobody waits any more for what was begun under this path: tasks that it started are cancelled. Returns the paths of
 * decisions that nobody needs now.
 */
export async function abandon(run: Run, loopPath: string): Promise<string[]> {
  const waiting = waitingPaths(run.memory, (path) => isWithinLoop(path, loopPath));
  for (const path of waiting) {
    const childId = await run.deps.store.childId(run.task.id, path);
    if (childId !== undefined) await run.deps.cancel(childId);
  }
  return waiting;
}
