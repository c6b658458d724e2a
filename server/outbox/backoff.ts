const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

const FIRST_DELAY_MS = 5 * SECOND_MS;
const FACTOR = 5;
const LONGEST_DELAY_MS = 24 * HOUR_MS;
/** Spread over this share of the delay, so that the messages of an outage do not all return at once. */
const JITTER = 0.2;

/** With the delays below, the last attempt is about three days after the first. */
export const MAX_ATTEMPTS = 10;

/** The delay after this many failed attempts: 5 s, 25 s, 2 min, 10 min, 1 h, 4 h, 22 h, then a day. */
export function retryDelayMs(
  attempts: number,
  { random, retryAfterMs = 0 }: { random(): number; retryAfterMs?: number | undefined },
): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (attempts - 1));
  const spread = delay * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(spread, Math.min(retryAfterMs, LONGEST_DELAY_MS)));
}
