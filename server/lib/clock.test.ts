import { expect, test } from "vitest";
import { toIso } from "./clock.ts";

const LAST_DATE_MS = 8.64e15;
const NOW_MS = Date.UTC(2026, 10, 19, 11, 59, 59, 998);

test("times in any order are shown as dates show them", () => {
  const times = [NOW_MS, NOW_MS + 1, NOW_MS + 2, NOW_MS, NOW_MS + 86_400_000, 0, 999, 1000, -1, -1000, -1001];
  for (const time of [...times, ...times.toReversed(), LAST_DATE_MS, NOW_MS])
    expect(toIso(time)).toBe(new Date(time).toISOString());
});

test("fractions of a millisecond are left out", () => {
  for (const time of [NOW_MS + 0.5, NOW_MS, NOW_MS + 0.999, 0.2])
    expect(toIso(time)).toBe(new Date(time).toISOString());
});

test("a time after the last date is shown as the last date", () => {
  const last = new Date(LAST_DATE_MS).toISOString();
  for (const time of [LAST_DATE_MS + 1000, LAST_DATE_MS + 2, Number.MAX_SAFE_INTEGER])
    expect(toIso(time)).toBe(last);
});
