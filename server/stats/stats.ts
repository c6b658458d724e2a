import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecentRuns, Stats, StatsBucket, StatsQuery, StatsRange } from "../../contract/stats.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { groupFailures, type RunFailures } from "./failure-groups.ts";
import type { HourCounts, Scope, StatsStore, TimeSpan } from "./stats.sql.ts";
import { createTally, type Tally } from "./tally.ts";

const HOUR_MS = 3600 * 1000;
const BUCKETS: Record<StatsRange, { count: number; hours: number }> = {
  "24h": { count: 24, hours: 1 },
  "7d": { count: 28, hours: 6 },
  "30d": { count: 30, hours: 24 },
};
/** An end is stored within moments. A process that cannot write for an hour loses its tasks to another one. */
const SETTLED_AFTER_HOURS = 1;
/** Counted in one query. SQLite counts in this thread: 8,000 runs take about 10 ms. */
const SLICE_HOURS = 6;
const KEPT_HOURS = 62 * 24;
const MAX_FAILURES = 2000;
const RECENT_RUNS = 20;

export interface StatsDeps {
  store: StatsStore;
  clock: Clock;
}

export type StatsService = ReturnType<typeof createStats>;

export function createStats({ store, clock }: StatsDeps) {
  /** Runs that ended in these hours. The counts of past hours are stored when they are first needed. */
  async function readHours(scope: Scope, hours: TimeSpan, now: number): Promise<HourCounts[]> {
    const openHour = Math.floor(now / HOUR_MS) - SETTLED_AFTER_HOURS;
    const settled = { from: hours.from, until: Math.min(hours.until, openHour) };
    const stored = await store.readHours(scope, settled);
    const counts = [...stored.values()];
    for (let hour = settled.from; hour < settled.until; hour++) {
      if (stored.has(hour)) continue;
      const until = firstOf(stored, hour, settled.until);
      const end = await store.findEnd(scope.ownerId, toTimes({ from: hour, until }));
      if (end === undefined) {
        hour = until - 1;
        continue;
      }
      const from = Math.floor(end / HOUR_MS);
      const slice = { from, until: Math.min(until, from + SLICE_HOURS) };
      const counted = await store
        .storeHours(scope, slice, openHour - KEPT_HOURS)
        // A full disk stores no counts, but statistics stay readable.
        .catch(() => store.countEnded(scope, toTimes(slice)));
      for (const each of counted) counts.push(each);
      hour = slice.until - 1;
      // Other requests are answered between two slices.
      await nextTurn();
    }
    const open = { from: Math.max(hours.from, openHour), until: hours.until };
    return open.from < open.until ? [...counts, ...(await store.countEnded(scope, toTimes(open)))] : counts;
  }

  return {
    async read(ownerId: string, { range, workflowId, utcOffset }: StatsQuery): Promise<Stats> {
      const scope = { ownerId, workflowId };
      const now = clock.now();
      const { count, hours: bucketHours } = BUCKETS[range];
      const length = count * bucketHours;
      const from = beginOfBucket(now, bucketHours, utcOffset) - length + bucketHours;
      // Half an hour is compared with half an hour: the range before ends at the same time of its last bucket.
      const sameTime = now - length * HOUR_MS;
      const sameHour = Math.floor(sameTime / HOUR_MS);
      const earlier = await readHours(scope, { from: from - length, until: from }, now);
      const ended = await readHours(scope, { from, until: Math.floor(now / HOUR_MS) + 1 }, now);
      const partOfHour = await store.countEnded(scope, { from: sameHour * HOUR_MS, until: sameTime + 1 });
      const openByHour = await store.countOpenByHour(scope, { from: from * HOUR_MS, until: now + 1 });
      const open = await store.countOpen(scope);
      const endedIn = tallyBuckets(ended, { from, count, bucketHours });
      const earlierIn = tallyBuckets(earlier, { from: from - length, count, bucketHours });
      const series = endedIn.map((tally, index): StatsBucket => {
        const first = from + index * bucketHours;
        const began = openByHour.filter(({ hour }) => hour >= first && hour < first + bucketHours);
        const { completed, failed, cancelled, rejected, p95Ms } = tally.totals();
        return {
          at: toIso(first * HOUR_MS),
          completed,
          failed,
          cancelled,
          rejected,
          p95Ms,
          running: sumOf(began, "running", "queued"),
          waiting: sumOf(began, "waiting", "waiting_approval"),
          previousRuns: earlierIn[index]!.totals().runs,
        };
      });
      const previous = createTally();
      for (const each of earlier) if (each.hour < sameHour) previous.add(each);
      for (const each of partOfHour) previous.add(each);
      const total = createTally();
      for (const tally of endedIn) total.merge(tally);
      return {
        range,
        from: toIso(from * HOUR_MS),
        until: toIso(now),
        bucketMs: bucketHours * HOUR_MS,
        series,
        totals: total.totals(sumOf(openByHour)),
        previous: previous.totals(),
        now: {
          running: sumOf(open, "running"),
          queued: sumOf(open, "queued"),
          waiting: sumOf(open, "waiting"),
          waitingApproval: sumOf(open, "waiting_approval"),
        },
      };
    },

    /** Failed runs of the range, grouped by cause. */
    async listFailures(
      ownerId: string,
      { range, workflowId }: { range: StatsRange; workflowId?: string | undefined },
    ): Promise<{ failures: RunFailures[]; complete: boolean }> {
      const { count, hours } = BUCKETS[range];
      const newest = await store.listFailed({ ownerId, workflowId }, MAX_FAILURES);
      const from = clock.now() - count * hours * HOUR_MS;
      const failed = newest.filter(({ completedAt }) => completedAt >= from);
      return { failures: groupFailures(failed), complete: newest.length < MAX_FAILURES };
    },

    async listRecentRuns(ownerId: string): Promise<RecentRuns[]> {
      const recent = await store.listRecentRuns(ownerId, RECENT_RUNS);
      return [...recent].map(([workflowId, runs]) => {
        const [last] = runs;
        return {
          workflowId,
          runs: runs.map(({ status, durationMs }) => ({ status, durationMs })),
          lastRun:
            last === undefined
              ? null
              : { taskId: last.taskId, status: last.status, createdAt: toIso(last.createdAt) },
        };
      });
    },
  };
}

/** The hour in which the bucket of local time begins; half an hour later where the offset has half an hour. */
function beginOfBucket(time: number, bucketHours: number, utcOffset: number): number {
  const offsetHours = Math.floor(utcOffset / 60);
  return Math.floor((Math.floor(time / HOUR_MS) + offsetHours) / bucketHours) * bucketHours - offsetHours;
}

function toTimes({ from, until }: TimeSpan): TimeSpan {
  return { from: from * HOUR_MS, until: until * HOUR_MS };
}

function tallyBuckets(
  counts: readonly HourCounts[],
  { from, count, bucketHours }: { from: number; count: number; bucketHours: number },
): Tally[] {
  const tallies = Array.from({ length: count }, createTally);
  for (const each of counts) tallies[Math.floor((each.hour - from) / bucketHours)]?.add(each);
  return tallies;
}

/** The first of these hours after `after`, or `until`. */
function firstOf(hours: ReadonlyMap<number, unknown>, after: number, until: number): number {
  let hour = after;
  while (hour < until && !hours.has(hour)) hour++;
  return hour;
}

/** The sum of all counts, or of those with one of these statuses. */
function sumOf(counts: readonly { status: string; count: number }[], ...statuses: readonly string[]): number {
  let sum = 0;
  for (const { status, count } of counts)
    if (statuses.length === 0 || statuses.includes(status)) sum += count;
  return sum;
}
