import { AppError, messageOf } from "../../lib/errors.ts";
import type { StepError } from "../tasks/task.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;

/** 1 s, then × multiplier each time, an hour at most. `attempt` is the one that has just failed, from 1. */
export function backoffMs(attempt: number, multiplier: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * multiplier ** (attempt - 1));
}

export interface Failure {
  error: StepError;
  /** Trying again cannot help. */
  permanent: boolean;
  /** The other side asked to be left alone so long. */
  retryAfterMs: number | undefined;
  extra: Record<string, unknown> | null;
  /** When, by the clock of whoever recorded it: perhaps later than now by ours. */
  failedAt?: number | undefined;
}

/** What a runner threw, as it is recorded. A fault of ours is told without its cause. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof AppError)) {
    const message =
      thrown instanceof RangeError ? messageOf(thrown) : `The step failed unexpectedly: ${messageOf(thrown)}`;
    return {
      error: { code: "step_failed", message },
      permanent: false,
      retryAfterMs: undefined,
      extra: null,
    };
  }
  return {
    error: { code: thrown.code, message: thrown.message },
    permanent: thrown.permanent,
    retryAfterMs: thrown.retryAfterMs,
    extra: thrown.stepExtra ?? null,
  };
}

/** When to try again after attempt number `attempt` failed, or undefined when it was the last. */
export function retryAt(
  now: number,
  attempt: number,
  { permanent, retryAfterMs }: Failure,
  { maxRetries, backoffMultiplier }: { maxRetries: number; backoffMultiplier: number },
): number | undefined {
  if (permanent || attempt > maxRetries) return undefined;
  return now + Math.min(LONGEST_WAIT_MS, Math.max(backoffMs(attempt, backoffMultiplier), retryAfterMs ?? 0));
}
