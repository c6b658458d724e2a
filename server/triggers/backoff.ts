const LONGEST_MS = 6 * 3600 * 1000;

/** The pause after this many failed checks in a row: the interval doubles with each, up to six hours. */
export function pauseAfter(intervalSeconds: number, failures: number): number {
  const intervalMs = intervalSeconds * 1000;
  return Math.max(intervalMs, Math.min(LONGEST_MS, intervalMs * 2 ** Math.min(failures, 20)));
}
