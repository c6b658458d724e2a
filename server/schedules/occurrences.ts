import { Cron } from "croner";
import { invalidRequest, messageOf } from "../lib/errors.ts";
import type { ScheduleRecord } from "./schedule.sql.ts";
import { createWallClock } from "./wall-clock.ts";

/** After a long outage a schedule that runs every minute has missed thousands of runs. */
const MAX_CATCH_UP_RUNS = 100;
/** A run within this delay is not a misfire: the process may have been busy or starting. */
const MISFIRE_TOLERANCE_MS = 60_000;

const CRON_ADVICE = "Use five fields: minute, hour, day, month and weekday, such as 0 9 * * 1-5.";

/** Throws `invalid_request` for an invalid cron pattern or time zone, or a pattern that never matches. */
export function checkTiming(cron: string, timezone: string, now: number): void {
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw invalidRequest(`There is no time zone "${timezone}". Use an IANA name such as Europe/Berlin.`, [
      { path: "timezone", message: "must be an IANA name such as Europe/Berlin" },
    ]);
  }
  let next: number | null;
  try {
    next = nextAfter({ cron, timezone }, now);
  } catch (error) {
    const fact = wrongPart(cron) ?? messageOf(error).replace(/^CronPattern: /, "");
    throw invalidRequest(`The cron pattern is invalid: ${fact}. ${CRON_ADVICE}`, [
      { path: "cron", message: fact },
    ]);
  }
  if (next === null)
    throw invalidRequest(`The schedule would never run: its pattern matches no future time. ${CRON_ADVICE}`, [
      { path: "cron", message: "matches no future time" },
    ]);
}

const CRON_FIELDS = [
  "a second (0–59)",
  "a minute (0–59)",
  "an hour (0–23)",
  "a day (1–31)",
  "a month (1–12 or JAN–DEC)",
  "a weekday (0–7 or SUN–SAT)",
  "a year (1–9999)",
];

/** The library counts days and months from zero in its messages, so each field is tried alone. */
function wrongPart(cron: string): string | undefined {
  const parts = cron.trim().split(/\s+/);
  if (parts.length < 5 || parts.length > CRON_FIELDS.length)
    return `${JSON.stringify(cron)} does not have five fields`;
  const names = CRON_FIELDS.slice(parts.length === 5 ? 1 : 0);
  const wrong = parts.findIndex(
    (part, index) => !isPattern(parts.map((_, i) => (i === index ? part : "*")).join(" ")),
  );
  return names[wrong] === undefined ? undefined : `${JSON.stringify(parts[wrong])} is not ${names[wrong]}`;
}

function isPattern(cron: string): boolean {
  try {
    new Cron(cron, AS_UTC).stop();
    return true;
  } catch {
    return false;
  }
}

/**
 * Follows daylight saving. A pattern that names hours runs once at each of its wall-clock times: a time that the clock
 * shows twice counts the first time, and a time that the clock skips runs when it is skipped. A pattern for every hour
 * runs in every hour that passes, also in the repeated one.
 */
export function nextAfter(
  { cron, timezone }: Pick<ScheduleRecord, "cron" | "timezone">,
  after: number,
): number | null {
  if (timezone === "UTC" || !namesHours(cron))
    return nextMatch(new Cron(cron, { timezone, paused: true }), after);
  const clock = createWallClock(timezone);
  const pattern = new Cron(cron, AS_UTC);
  for (let wallTime = nextMatch(pattern, clock.at(after)); wallTime !== null;) {
    const moment = clock.firstMomentOf(wallTime);
    if (moment > after) return moment;
    wallTime = nextMatch(pattern, wallTime);
  }
  return null;
}

/** Matches wall-clock times, which are written as if they were UTC. */
const AS_UTC = { utcOffset: 0, paused: true };
const EVERY_HOUR = ["*", "?", "*/1", "0-23", "0-23/1"];
const NAMED_DAILY = /^@(yearly|annually|monthly|weekly|daily|midnight)$/i;

/** False for patterns with `*` as hour, for `@hourly` and for a single date. */
function namesHours(cron: string): boolean {
  const fields = cron.trim().split(/\s+/);
  if (fields.length < 5) return NAMED_DAILY.test(cron.trim());
  return !EVERY_HOUR.includes(fields[fields.length === 5 ? 1 : 2]!);
}

function nextMatch(pattern: Cron, after: number): number | null {
  return pattern.nextRun(new Date(after))?.getTime() ?? null;
}

/**
 * Two hours of a pattern for every minute, and at least two days of any other whose shortest gap is longer than a minute:
 * every gap between two times of a pattern is among them.
 */
const COMPARED_TIMES = 150;

/** Throws `invalid_request` when two runs would be closer together than the instance allows; 0 allows everything. */
export function checkInterval(cron: string, minIntervalSeconds: number, now: number): void {
  if (minIntervalSeconds === 0) return;
  const times = new Cron(cron, AS_UTC).nextRuns(COMPARED_TIMES, new Date(now)).map((time) => time.getTime());
  const tooClose = times.some(
    (time, index) => time - (times[index - 1] ?? -Infinity) < minIntervalSeconds * 1000,
  );
  if (!tooClose) return;
  throw invalidRequest(
    `Runs of a schedule must be at least ${minIntervalSeconds} seconds apart on this instance. ` +
      "Choose a longer interval, or let the operator lower SCHEDULE_MIN_INTERVAL_SECONDS.",
    [{ path: "cron", message: `must be at least ${minIntervalSeconds} seconds apart` }],
  );
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
