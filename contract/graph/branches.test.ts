import { expect, test } from "vitest";
import { canBeTaken, caseKey, edgeCase, edgeCondition } from "./branches.ts";

test.each([
  ["true", "true"],
  [true, "true"],
  [false, "false"],
  ["error", "error"],
  ["", undefined],
  [null, undefined],
  ["yes", undefined],
])("the condition %s of an edge requires %s", (condition, expected) => {
  expect(edgeCondition({ condition })).toBe(expected);
});

test("cases are compared as text, and a cleared case is the default", () => {
  expect(edgeCase({ caseValue: 1 })).toBe(caseKey("1"));
  expect(edgeCase({ caseValue: true })).toBe(caseKey("true"));
  expect(edgeCase({ caseValue: "" })).toBe(caseKey(null));
  expect(edgeCase({ caseValue: null })).toBeUndefined();
  expect(edgeCase({})).toBeUndefined();
  expect(caseKey({ a: 1 })).toBeUndefined();
});

test.each([
  [{}, "http", true],
  [{ condition: "error" }, "http", true],
  [{ condition: "true" }, "http", false],
  [{ condition: "true" }, "condition", true],
  [{ condition: "timeout" }, "wait_event", true],
  [{ condition: "timeout" }, "http", false],
  [{ caseValue: "x" }, "http", false],
  [{ caseValue: "x" }, "switch", true],
  [{ caseValue: null, condition: null }, "http", true],
])("an edge with %j after a step of type %s: can be taken is %s", (more, type, expected) => {
  expect(canBeTaken({ source: "a", target: "b", ...more }, type)).toBe(expected);
});
