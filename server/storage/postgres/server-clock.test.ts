import { expect, test } from "vitest";
import { better } from "./server-clock.ts";

const older = { serverMs: 1_000_000, atMonotonic: 5000, uncertaintyMs: 2 };

test("a slower reading replaces the last one only after that has become less certain", () => {
  const slow = { serverMs: 1_010_050, atMonotonic: 15_000, uncertaintyMs: 60 };
  expect(better(older, slow)).toBe(older);
  const later = { serverMs: 1_600_050, atMonotonic: 605_000, uncertaintyMs: 60 };
  expect(better(older, later)).toBe(later);
});

test("an equally certain reading replaces the last one", () => {
  const sure = { serverMs: 1_010_001, atMonotonic: 15_000, uncertaintyMs: 2 };
  expect(better(older, sure)).toBe(sure);
});

test("a changed server clock is used at once, however slow the reply", () => {
  const set = { serverMs: 1_010_000 - 3_600_000, atMonotonic: 15_000, uncertaintyMs: 500 };
  expect(better(older, set)).toBe(set);
});
