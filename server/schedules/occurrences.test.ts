import { expect, test } from "vitest";
import { checkTiming, dueRuns, nextAfter } from "./occurrences.ts";

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
