import { expect, test } from "vitest";
import { better } from "./server-clock.ts";

const older = { serverMs: 1_000_000, atMonotonic: 5000, uncertaintyMs: 2 };

test("a reading that took longer than the last does not take its place, until that one has become less sure", () => {
  const slow = { serverMs: 1_010_050, atMonotonic: 15_000, uncertaintyMs: 60 };
  expect(better(older, slow)).toBe(older);
  const later = { serverMs: 1_600_050, atMonotonic: 605_000, uncertaintyMs: 60 };
  expect(better(older, later)).toBe(later);
});

test("a reading that is as sure takes the place of the last", () => {
  const sure = { serverMs: 1_010_001, atMonotonic: 15_000, uncertaintyMs: 2 };
  expect(better(older, sure)).toBe(sure);
});

test("a server whose clock was set counts at once, however long its answer took", () => {
  const set = { serverMs: 1_010_000 - 3_600_000, atMonotonic: 15_000, uncertaintyMs: 500 };
  expect(better(older, set)).toBe(set);
});
