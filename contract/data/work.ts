import type { JsonValue } from "../placeholders/json-value.ts";

/** Work in small parts: it yields often, so that the caller can let other work run in between. */
export type Work<Result = JsonValue[]> = Generator<undefined, Result>;

/** Items between two yields. A hundred of them take well under a millisecond. */
export const PAUSE_EVERY = 100;

/** Items between two yields when each of them has several values to read. */
export function pauseEvery(valuesPerItem: number): number {
  return Math.ceil(PAUSE_EVERY / Math.max(1, valuesPerItem));
}
