import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";

const FULL_DISK_RETRY_MS = 500;

/**
 * Waits out a disk that is full. Within a run nothing else will do: the step has been done, and only its record
 * keeps it from being done again. Callers from outside are told instead. Rejects when it is to stop.
 */
export async function retryWhileDiskFull<T>(
  work: () => Promise<T>,
  stop?: { readonly signal: AbortSignal },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError && error.retryable)) throw error;
      await sleep(FULL_DISK_RETRY_MS, undefined, {
        ref: false,
        ...(stop === undefined ? {} : { signal: stop.signal }),
      });
    }
  }
}

/** The same function, which waits out a full disk. */
export function withDiskFullRetry<Args extends unknown[], T>(
  call: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return (...args) => retryWhileDiskFull(() => call(...args));
}
