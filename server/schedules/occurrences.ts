import { Cron } from "croner";
import { invalidRequest, messageOf } from "../lib/errors.ts";
import type { ScheduleRecord } from "./schedule.sql.ts";

/** When the service was down for long, a minutely schedule has missed thousands: so many are made up for at most. */
const MAX_CATCH_UP = 100;
/** A little late is on time: the process may have been busy or just starting. */
const PUNCTUAL_MS = 60_000;

/** Throws `invalid_request` for a pattern or a time zone that nobody can read. */
export function checkTiming(cron: string, timezone: string, now: number): void {
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw invalidRequest(`There is no time zone called ${timezone}.`, [
      { path: "timezone", message: "must be an IANA name such as Europe/Berlin" },
    ]);
  }
  let next: number | null;
  try {
    next = nextAfter({ cron, timezone }, now);
  } catch (error) {
    throw invalidRequest("The cron pattern cannot be read.", [{ path: "cron", message: messageOf(error) }]);
  }
  if (next === null)
    throw invalidRequest("This schedule would never run.", [
      { path: "cron", message: "names no time to come" },
    ]);
}

/** Daylight saving is the time zone's own affair: 02:30 on the day that has none runs at 03:00, once. */
export function nextAfter(
  { cron, timezone }: Pick<ScheduleRecord, "cron" | "timezone">,
  after: number,
): number | null {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime() ?? null;
}

export interface DueRuns {
  /** The times to run for, oldest first. */
  times: number[];
  next: number | null;
}

/** What a schedule owes at `now`, by its own rule for times that were missed. */
export function dueRuns(
  schedule: Pick<ScheduleRecord, "cron" | "timezone" | "misfire" | "nextRunAt">,
  now: number,
): DueRuns {
  const { nextRunAt, misfire } = schedule;
  if (nextRunAt === null || nextRunAt > now) return { times: [], next: nextRunAt };
  const next = nextAfter(schedule, now);
  if (misfire === "catch_up") return { times: missed(schedule, nextRunAt, now), next };
  if (misfire === "skip" && now - nextRunAt > PUNCTUAL_MS) return { times: [], next };
  return { times: [nextRunAt], next };
}

function missed(schedule: Pick<ScheduleRecord, "cron" | "timezone">, first: number, now: number): number[] {
  const times: number[] = [];
  for (let time: number | null = first; time !== null && time <= now; time = nextAfter(schedule, time)) {
    times.push(time);
    if (times.length === MAX_CATCH_UP) break;
  }
  return times;
}
