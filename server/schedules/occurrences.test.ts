import { expect, test } from "vitest";
import { checkInterval, checkTiming, dueRuns, nextAfter } from "./occurrences.ts";

const at = (iso: string) => Date.parse(iso);
const hourly = { cron: "0 * * * *", timezone: "UTC", nextRunAt: at("2026-01-01T01:00:00Z") };

test("[R5] after three hours of downtime the misfire policy decides: one run, none, or all of them", () => {
  const now = at("2026-01-01T04:00:05Z");
  const next = at("2026-01-01T05:00:00Z");
  expect(dueRuns({ ...hourly, misfire: "run_once" }, now)).toEqual({ times: [hourly.nextRunAt], next });
  expect(dueRuns({ ...hourly, misfire: "skip" }, now)).toEqual({ times: [], next });
  expect(dueRuns({ ...hourly, misfire: "catch_up" }, now).times).toEqual(
    [1, 2, 3, 4].map((hour) => at(`2026-01-01T0${hour}:00:00Z`)),
  );
});

test("a run within the tolerance is not a misfire, also with the policy skip", () => {
  expect(dueRuns({ ...hourly, misfire: "skip" }, hourly.nextRunAt + 59_000).times).toEqual([
    hourly.nextRunAt,
  ]);
});

test("catch_up after a week of a schedule every minute is limited to a hundred runs", () => {
  const minutely = {
    cron: "* * * * *",
    timezone: "UTC",
    misfire: "catch_up" as const,
    nextRunAt: at("2026-01-01T00:00:00Z"),
  };
  expect(dueRuns(minutely, at("2026-01-08T00:00:00Z")).times).toHaveLength(100);
});

test("nothing is due before its time or while the schedule is paused", () => {
  expect(dueRuns({ ...hourly, misfire: "run_once" }, hourly.nextRunAt - 1).times).toEqual([]);
  expect(dueRuns({ ...hourly, misfire: "run_once", nextRunAt: null }, hourly.nextRunAt)).toEqual({
    times: [],
    next: null,
  });
});

test("[R5] a clock that jumps back does not repeat a run", () => {
  const { next } = dueRuns({ ...hourly, misfire: "run_once" }, at("2026-01-01T01:00:01Z"));
  expect(
    dueRuns({ ...hourly, misfire: "run_once", nextRunAt: next }, at("2026-01-01T00:30:00Z")).times,
  ).toEqual([]);
});

test("[R5] daylight saving: a skipped hour and a repeated hour each run once", () => {
  const nightly = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
  const spring = nextAfter(nightly, at("2026-03-28T12:00:00Z"))!;
  expect(new Date(spring).toISOString()).toBe("2026-03-29T01:00:00.000Z");
  expect(new Date(nextAfter(nightly, spring)!).toISOString()).toBe("2026-03-30T00:30:00.000Z");
  const autumn = nextAfter(nightly, at("2026-10-24T12:00:00Z"))!;
  expect(new Date(nextAfter(nightly, autumn)!).toISOString()).toBe("2026-10-26T01:30:00.000Z");
});

const runsIn = (cron: string, timezone: string, from: string, to: string): string[] => {
  const times: string[] = [];
  for (let time = nextAfter({ cron, timezone }, at(from)); time !== null && time <= at(to);) {
    times.push(new Date(time).toISOString().slice(5, 16));
    time = nextAfter({ cron, timezone }, time);
  }
  return times;
};
const springDay = (cron: string) =>
  runsIn(cron, "Europe/Berlin", "2026-03-28T23:30:00Z", "2026-03-29T04:00:00Z");
const autumnDay = (cron: string) =>
  runsIn(cron, "Europe/Berlin", "2026-10-24T22:30:00Z", "2026-10-25T03:00:00Z");

test("[R5] a pattern that names hours runs once at each of its times on the day with a repeated hour", () => {
  expect(autumnDay("0 2,3 * * *")).toEqual(["10-25T00:00", "10-25T02:00"]);
  expect(autumnDay("0 0 2,3 * * *")).toEqual(["10-25T00:00", "10-25T02:00"]);
  expect(autumnDay("*/20 2 * * *")).toEqual(["10-25T00:00", "10-25T00:20", "10-25T00:40"]);
  expect(autumnDay("0 */2 * * *")).toEqual(["10-25T00:00", "10-25T03:00"]);
});

test("[R5] a time that the clock skips runs when it is skipped, once for all such times", () => {
  expect(springDay("0 2,3 * * *")).toEqual(["03-29T01:00"]);
  expect(springDay("30 2,3 * * *")).toEqual(["03-29T01:00", "03-29T01:30"]);
  expect(springDay("*/20 2 * * *")).toEqual(["03-29T01:00"]);
  const skippedMidnight = ["2026-09-05T12:00:00Z", "2026-09-07T00:00:00Z"] as const;
  expect(runsIn("@daily", "America/Santiago", ...skippedMidnight)).toEqual(["09-06T04:00"]);
});

test("[R5] a pattern for every hour runs in every hour that passes", () => {
  for (const cron of ["0 * * * *", "@hourly", "0 0 0-23 * * *", "0 0-23/1 * * *"]) {
    expect(autumnDay(cron)).toEqual(
      [23, 0, 1, 2, 3].map((hour) => (hour === 23 ? "10-24T23:00" : `10-25T0${hour}:00`)),
    );
    expect(springDay(cron)).toEqual([0, 1, 2, 3, 4].map((hour) => `03-29T0${hour}:00`));
  }
});

test("[R5] a zone that moves its clock by half an hour repeats no run and skips none", () => {
  const zone = "Australia/Lord_Howe";
  expect(runsIn("45 1 * * *", zone, "2026-04-04T12:00:00Z", "2026-04-05T16:00:00Z")).toEqual([
    "04-04T14:45",
    "04-05T15:15",
  ]);
  expect(runsIn("15 2 * * *", zone, "2026-10-03T12:00:00Z", "2026-10-04T16:00:00Z")).toEqual([
    "10-03T15:30",
    "10-04T15:15",
  ]);
});

test.each([
  [60, "* * * * *", true],
  [60, "30 * * * * *", true],
  [60, "*/10 * * * * *", false],
  [60, "0,30 0 8 1 1 *", false],
  [60, "2030-01-01T00:00:00", true],
  [300, "*/5 * * * *", true],
  [300, "58,1 8-9 * * *", false],
  [300, "0 8 * * *", true],
  [7200, "0 0,23 * * 1,2", false],
  [0, "* * * * * *", true],
])("with at least %i seconds between two runs, whether %s is allowed is %s", (seconds, cron, isAllowed) => {
  const check = () => checkInterval(cron, seconds, at("2026-01-01T00:00:00Z"));
  if (isAllowed) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        message: expect.stringContaining("SCHEDULE_MIN_INTERVAL_SECONDS"),
        details: [{ path: "cron", message: expect.stringContaining("seconds apart") }],
      }),
    );
});

test("invalid patterns, unknown time zones and dates that never occur are rejected with the field", () => {
  const now = at("2026-01-01T00:00:00Z");
  for (const [cron, timezone, path] of [
    ["every day", "UTC", "cron"],
    ["99 * * * *", "UTC", "cron"],
    ["0 0 30 2 *", "UTC", "cron"],
    ["0 * * * *", "Mars/Olympus", "timezone"],
  ] as const) {
    expect(() => checkTiming(cron, timezone, now)).toThrow(
      expect.objectContaining({ code: "invalid_request", details: [expect.objectContaining({ path })] }),
    );
  }
});

test.each([
  ["every day", '"every day" does not have five fields'],
  ["@dayly", '"@dayly" does not have five fields'],
  ["* * * * * * * *", '"* * * * * * * *" does not have five fields'],
  ["0 25 * * *", '"25" is not an hour (0–23)'],
  ["0 9 32 * *", '"32" is not a day (1–31)'],
  ["0 9 * 13 *", '"13" is not a month (1–12 or JAN–DEC)'],
  ["0 9 * * monday", '"monday" is not a weekday (0–7 or SUN–SAT)'],
  ["0 0 25 * * * 2030", '"25" is not an hour (0–23)'],
  ["0 0 9 * * * soon", '"soon" is not a year (1–9999)'],
  ["90 * * * * *", '"90" is not a second (0–59)'],
])("of the pattern %s the wrong part is named", (cron, fact) => {
  expect(() => checkTiming(cron, "UTC", 0)).toThrow(
    expect.objectContaining({
      message: `The cron pattern is invalid: ${fact}. Use five fields: minute, hour, day, month and weekday, such as 0 9 * * 1-5.`,
      details: [{ path: "cron", message: fact }],
    }),
  );
});
