import { Cron } from "croner";
import { invalidRequest, messageOf } from "../lib/errors.ts";
import type { ScheduleRecord } from "./schedule.sql.ts";

/** After a long outage a schedule that runs every minute has missed thousands of runs. */
const MAX_CATCH_UP_RUNS = 100;
/** A run within this delay is not a misfire: the process may have been busy or starting. */
const MISFIRE_TOLERANCE_MS = 60_000;

/** Throws `invalid_request` for an invalid cron pattern or time zone, or a pattern that never matches. */
export function checkTiming(cron: string, timezone: string, now: number): void {
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw invalidRequest(`Unknown time zone: ${timezone}.`, [
      { path: "timezone", message: "must be an IANA name such as Europe/Berlin" },
    ]);
  }
  let next: number | null;
  try {
    next = nextAfter({ cron, timezone }, now);
  } catch (error) {
    throw invalidRequest("The cron pattern is invalid.", [{ path: "cron", message: messageOf(error) }]);
  }
  if (next === null)
    throw invalidRequest("The schedule would never run.", [
      { path: "cron", message: "matches no future time" },
    ]);
}

/** Follows daylight saving: on a day without 02:30, a 02:30 schedule runs once, at 03:00. */
export function nextAfter(
  { cron, timezone }: Pick<ScheduleRecord, "cron" | "timezone">,
  after: number,
): number | null {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime() ?? null;
}

export interface DueRuns {
  /** Times to start a run for, oldest first. */
  times: number[];
  next: number | null;
}

/** Applies the schedule's misfire policy to the times that passed before `now`. */
export function dueRuns(
  schedule: Pick<ScheduleRecord, "cron" | "timezone" | "misfire" | "nextRunAt">,
  now: number,
): DueRuns {
  const { nextRunAt, misfire } = schedule;
  if (nextRunAt === null || nextRunAt > now) return { times: [], next: nextRunAt };
  const next = nextAfter(schedule, now);
  if (misfire === "catch_up") return { times: missedTimes(schedule, nextRunAt, now), next };
  if (misfire === "skip" && now - nextRunAt > MISFIRE_TOLERANCE_MS) return { times: [], next };
  return { times: [nextRunAt], next };
}

function missedTimes(
  schedule: Pick<ScheduleRecord, "cron" | "timezone">,
  first: number,
  now: number,
): number[] {
  const times: number[] = [];
  for (let time: number | null = first; time !== null && time <= now; time = nextAfter(schedule, time)) {
    times.push(time);
    if (times.length === MAX_CATCH_UP_RUNS) break;
  }
  return times;
}
