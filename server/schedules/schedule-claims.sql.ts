import type { Db, Row, Statement } from "../storage/db.ts";
import { FINAL } from "../storage/engine/task-sql.ts";
import { type ScheduleRecord, toSchedule } from "./schedule.sql.ts";

/** A due schedule, or one whose queued run can start. Until its claim expires, no other process claims it. */
export interface ClaimedSchedule extends ScheduleRecord {
  /** The time of the first claim. It decides which runs are missed and which are on time. */
  claimedAt: number;
  /** The time whose run waits for the previous one. */
  waitingAt: number | null;
  /** Whether the last run of the schedule has not ended. */
  previousRuns: boolean;
}

export interface Advance {
  /** Null ends or pauses the schedule. */
  next: number | null;
  waitingAt: number | null;
  last: { at: number; taskId: string } | undefined;
  /** A due run that was not started, with the code of the reason. */
  skipped?: { at: number; reason: string };
}

export type ScheduleClaims = ReturnType<typeof createScheduleClaims>;

/** A process that crashed or hangs keeps its claims this long. */
const CLAIM_MS = 30_000;
/** How often the end of a previous run is checked while a run waits for it. */
const WAIT_CHECK_MS = 1000;

const PREVIOUS_RUNS = `exists (select 1 from task where task.id = schedule.last_task_id and task.status not in ${FINAL})`;
const UNCLAIMED = "(claimed_until is null or claimed_until <= $now)";
const IS_DUE = `next_run_at <= $dueBy and ${UNCLAIMED}`;
const CAN_START = `waiting_at is not null and ${UNCLAIMED} and not ${PREVIOUS_RUNS}`;

export function createScheduleClaims(db: Db) {
  return {
    /** Checked before a claim, which is a write in every process even when nothing is due. */
    async hasDue(dueBy: number, now: number): Promise<boolean> {
      const rows = await db.query(
        `select 1 as due where exists (select 1 from schedule where ${IS_DUE})
           or exists (select 1 from schedule where ${CAN_START})`,
        { dueBy, now },
      );
      return rows.length > 0;
    },

    /** Schedules due at `dueBy`, and those whose queued run can start; rows that another process claims are skipped. */
    async claim(dueBy: number, now: number, limit: number): Promise<ClaimedSchedule[]> {
      const params = { dueBy, now, until: now + CLAIM_MS, limit };
      const claims = await db.batch(
        [claimRows(`${IS_DUE} order by next_run_at`, params), claimRows(CAN_START, params)],
        { alone: true },
      );
      const claimed: ClaimedSchedule[] = [];
      for (const row of claims.flat()) {
        const schedule = toClaimed(row);
        if (schedule === undefined) await db.batch([pause(String(row["id"]))]);
        else claimed.push(schedule);
      }
      return claimed;
    },

    /** Ends the claim. Does nothing when the claim was taken over, or the times of the schedule have changed. */
    async advance(
      { id, claimedAt }: Pick<ClaimedSchedule, "id" | "claimedAt">,
      { next, waitingAt, last, skipped }: Advance,
    ): Promise<void> {
      await db.batch([
        {
          sql: `update schedule set next_run_at = $next, active = case when cast($next as bigint) is null then 0 else active end,
                  last_run_at = coalesce($lastRunAt, last_run_at), last_task_id = coalesce($lastTaskId, last_task_id),
                  last_skipped_at = coalesce($skippedAt, last_skipped_at), last_skip_reason = coalesce($skipReason, last_skip_reason),
                  waiting_at = $waitingAt, claimed_at = null, claimed_until = null
                where id = $id and claimed_at = $claimedAt`,
          params: {
            id,
            claimedAt,
            next,
            waitingAt,
            lastRunAt: last?.at ?? null,
            lastTaskId: last?.taskId ?? null,
            skippedAt: skipped?.at ?? null,
            skipReason: skipped?.reason ?? null,
          },
        },
      ]);
    },

    /** Lets another process claim these schedules now; the time of the first claim is kept. */
    async release(claims: readonly Pick<ClaimedSchedule, "id" | "claimedAt">[]): Promise<void> {
      await db.batch(
        claims.map(({ id, claimedAt }) => ({
          sql: "update schedule set claimed_until = null where id = $id and claimed_at = $claimedAt",
          params: { id, claimedAt },
        })),
      );
    },

    /** When to claim again: at the next due time, when a claim expires, or soon while a run waits for another. */
    async nextDueAt(now: number): Promise<number | null> {
      const [row] = await db.query(
        `select (select min(next_run_at) from schedule where next_run_at is not null and claimed_until is null) as due,
           (select min(case when claimed_until > next_run_at then claimed_until else next_run_at end)
            from schedule where claimed_until is not null) as expires,
           (select min(waiting_at) from schedule where waiting_at is not null) as waiting`,
      );
      const times = [row?.["due"], row?.["expires"]].filter((time) => typeof time === "number");
      if (typeof row?.["waiting"] === "number") times.push(now + WAIT_CHECK_MS);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

/** Undefined for a row that cannot be read. It would otherwise fail the claim of every other schedule, again and again. */
function toClaimed(row: Row): ClaimedSchedule | undefined {
  try {
    return {
      ...toSchedule(row),
      claimedAt: Number(row["claimed_at"]),
      waitingAt: row["waiting_at"] as number | null,
      previousRuns: Number(row["previous_runs"]) === 1,
    };
  } catch {
    return undefined;
  }
}

/** A paused schedule shows its owner that it no longer runs. */
function pause(id: string): Statement {
  return {
    sql: `update schedule set active = 0, next_run_at = null, waiting_at = null, claimed_at = null, claimed_until = null
          where id = $id`,
    params: { id },
  };
}

function claimRows(condition: string, params: Statement["params"] & object): Statement {
  return {
    sql: `with due as materialized (select id from schedule where ${condition} limit $limit /*skip-locked*/)
          update schedule set claimed_at = coalesce(claimed_at, cast($dueBy as bigint)), claimed_until = $until
          where id in (select id from due)
          returning *, case when ${PREVIOUS_RUNS} then 1 else 0 end as previous_runs`,
    params,
  };
}
