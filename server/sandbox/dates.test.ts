import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createTestSandbox } from "./testing/test-sandbox.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());
const { signal } = new AbortController();
const values = { now: "2026-03-31T22:30:00.000Z" };

async function evaluate(...sources: string[]): Promise<JsonValue> {
  return (await sandbox.evaluate({ ownerId: "user_a", sources, values, signal }))[0]!;
}

test.each<[string, JsonValue]>([
  ["DateTime.fromISO(now, { zone: 'utc' }).plus({ months: 1 }).toISODate()", "2026-04-30"],
  ["DateTime.fromISO(now, { zone: 'Europe/Berlin' }).toISO()", "2026-04-01T00:30:00.000+02:00"],
  [
    "DateTime.fromISO(now).setZone('America/New_York').toFormat('yyyy-LL-dd HH:mm ZZ')",
    "2026-03-31 18:30 -04:00",
  ],
  [
    "DateTime.fromISO(now, { zone: 'utc' }).setLocale('de').toFormat('cccc, d. LLLL yyyy')",
    "Dienstag, 31. März 2026",
  ],
  ["DateTime.fromISO(now, { zone: 'utc' }).startOf('week').toISODate()", "2026-03-30"],
  ["DateTime.fromFormat('31.12.2025 08:05', 'dd.MM.yyyy HH:mm', { zone: 'utc' }).toMillis()", 1767168300000],
  ["DateTime.fromISO('2026-04-10').diff(DateTime.fromISO('2026-04-01'), 'days').days", 9],
  ["DateTime.fromISO('2026-01-01').toRelative({ base: DateTime.fromISO('2026-01-04') })", "3 days ago"],
  ["DateTime.fromISO('not a date').isValid", false],
  ["DateTime.fromISO(now, { zone: 'Mars/Base' }).isValid", false],
  [
    "DateTime.fromISO(now, { zone: 'utc' }).toLocaleString(DateTime.DATE_FULL, { locale: 'en-US' })",
    "March 31, 2026",
  ],
  ["DateTime.fromISO(now, { zone: 'utc' })", "2026-03-31T22:30:00.000Z"],
  ["Duration.fromObject({ hours: 36 }).shiftTo('days', 'hours').toObject()", { days: 1, hours: 12 }],
  ["Duration.fromISO('PT90M').toHuman()", "90 minutes"],
  ["Interval.fromISO('2026-01-01/2026-01-31').length('days')", 30],
  ["new Date(now).toLocaleDateString('en-GB', { timeZone: 'Asia/Tokyo' })", "01/04/2026"],
  ["(1234567.891).toLocaleString('en-US')", "1,234,567.891"],
  [
    "new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5)",
    "1.234,50\u00a0€",
  ],
])("%s is %j", async (source, value) => {
  expect(await evaluate(source)).toEqual(value);
});

test("date helpers are there only for code that names them, and fresh in each call", async () => {
  expect(await evaluate("typeof globalThis['Date' + 'Time']")).toBe("undefined");
  await evaluate("DateTime.fromISO = () => 'mine'");
  expect(await evaluate("DateTime.fromISO(now, { zone: 'utc' }).year")).toBe(2026);
  expect(await evaluate("typeof globalThis['Date' + 'Time']")).toBe("undefined");
});

test.each([
  "new Intl.DateTimeFormat('en', { timeZone: 'Mars/Base' })",
  "new Intl.NumberFormat('not a locale')",
  "new Intl.NumberFormat('en', { style: 'currency', currency: 'x'.repeat(20000) })",
])("[S31] what the thread refuses is an error of the code, without its stack: %s", async (source) => {
  const stack = `(() => { try { ${source} } catch (error) { return [error.constructor === RangeError, error.stack.includes('node:'), error.stack.includes('/')] } })()`;
  expect(await evaluate(stack)).toEqual([true, false, false]);
});
