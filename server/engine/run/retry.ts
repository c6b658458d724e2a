import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { StepError } from "../tasks/task.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;

/** 1 s, times the multiplier after each attempt, at most an hour. `attempt` is the one that has failed, from 1. */
export function backoffMs(attempt: number, multiplier: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * multiplier ** (attempt - 1));
}

export interface Failure {
  error: StepError;
  /** Another attempt cannot succeed. */
  permanent: boolean;
  /** The remote side asked for this pause, as in `Retry-After`. */
  retryAfterMs: number | undefined;
  extra: Record<string, unknown> | null;
  /** When a child task failed, by the clock of the process that recorded it, which may be ahead of this one's. */
  failedAt?: number | undefined;
}

/** Turns an exception of a runner into the failure to record. The cause of an unexpected error stays out of it. */
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
    error: { code: thrown.code, message: thrown.message, ...detailsOf(thrown) },
    permanent: thrown.permanent,
    retryAfterMs: thrown.retryAfterMs,
    extra: thrown.stepExtra ?? null,
  };
}

/** Only the name of a limit and the id of a connection are recorded: they say what has to be changed. */
function detailsOf({ details }: AppError): Pick<StepError, "details"> {
  if (!isRecord(details)) return {};
  const { limit, connection } = details;
  if (typeof limit === "string") return { details: { limit } };
  return typeof connection === "string" ? { details: { connection } } : {};
}

/** When the next attempt is due after `attempt` failed; undefined when it was the last. */
export function retryAt(
  now: number,
  attempt: number,
  { permanent, retryAfterMs }: Failure,
  { maxRetries, backoffMultiplier }: { maxRetries: number; backoffMultiplier: number },
): number | undefined {
  if (permanent || attempt > maxRetries) return undefined;
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(backoffMs(attempt, backoffMultiplier), retryAfterMs ?? 0));
  // Times are stored as whole milliseconds.
  return now + Math.ceil(wait);
}

const LONGEST_REPAIR_MS = 24 * 3_600_000;

/**
 * When a step that waits for the repair of its connection tries again; undefined after a day. `since` is when the connection
 * was first refused. A repair wakes the step at once. The hourly attempt covers a repair just before the wait was recorded.
 */
export function repairCheckAt(now: number, since: number, { error }: Failure): number | undefined {
  if (error.code !== "connection_authorization_required") return undefined;
  const end = since + LONGEST_REPAIR_MS;
  return now < end ? Math.min(end, now + LONGEST_WAIT_MS) : undefined;
}
