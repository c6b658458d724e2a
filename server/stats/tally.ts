import type { StatsTotals } from "../../contract/stats.ts";
import type { HourCounts } from "./stats.sql.ts";

/** Counts of ended runs, with the histogram of their durations. */
export interface Tally {
  add(hour: HourCounts): void;
  /** Adds all counts of another tally. */
  merge(other: Tally): void;
  totals(openRuns?: number): StatsTotals;
  readonly byStatus: ReadonlyMap<string, number>;
  readonly byDuration: ReadonlyMap<number, number>;
}

export function createTally(): Tally {
  const byStatus = new Map<string, number>();
  const byDuration = new Map<number, number>();
  const countOf = (status: string): number => byStatus.get(status) ?? 0;

  return {
    byStatus,
    byDuration,
    add({ counts }) {
      for (const [status, pairs] of Object.entries(counts)) {
        let total = 0;
        // A cancelled run says nothing about how long the workflow takes.
        const hasDuration = status === "completed" || status === "failed";
        for (let index = 0; index < pairs.length; index += 2) {
          const [durationMs, count] = [pairs[index]!, pairs[index + 1]!];
          total += count;
          if (hasDuration && durationMs >= 0) increase(byDuration, durationMs, count);
        }
        increase(byStatus, status, total);
      }
    },
    merge(other) {
      for (const [status, count] of other.byStatus) increase(byStatus, status, count);
      for (const [durationMs, count] of other.byDuration) increase(byDuration, durationMs, count);
    },
    totals(openRuns = 0) {
      const [completed, failed] = [countOf("completed"), countOf("failed")];
      return {
        runs: sum(byStatus.values()) + openRuns,
        completed,
        failed,
        cancelled: countOf("cancelled"),
        rejected: countOf("rejected"),
        successRate: completed + failed === 0 ? null : completed / (completed + failed),
        p50Ms: percentile(byDuration, 0.5),
        p95Ms: percentile(byDuration, 0.95),
      };
    },
  };
}

/** The smallest duration that at least this share (0 to 1) of the runs do not exceed; null without runs. */
export function percentile(byDuration: ReadonlyMap<number, number>, share: number): number | null {
  const total = sum(byDuration.values());
  let passed = 0;
  for (const [durationMs, count] of [...byDuration].toSorted(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= total * share) return durationMs;
  }
  return null;
}

function increase<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
