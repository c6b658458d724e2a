import { expect, test } from "vitest";
import { expiryOf } from "./key-expiry.ts";

const now = Date.UTC(2030, 0, 1);

test("a choice in days counts from now, and a date includes its day", () => {
  expect(expiryOf("30", "", now)).toBe("2030-01-31T00:00:00.000Z");
  expect(expiryOf("never", "2030-05-01", now)).toBeNull();
  expect(expiryOf("date", "2030-05-01", now)).toBe(new Date("2030-05-01T23:59:59").toISOString());
});

test("no date and a past date are not accepted", () => {
  for (const date of ["", "2029-12-30"]) expect(expiryOf("date", date, now)).toBeUndefined();
});
