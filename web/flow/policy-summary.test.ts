import { expect, test } from "vitest";
import { describeLimits, describeLines, describeRetries } from "./policy-summary.ts";

const step = (fields: object) => ({ stepId: "a", type: "http", ...fields });

test.each([
  [{}, "Stop the run"],
  [{ maxRetries: 3 }, "3 retries, then stop the run"],
  [{ maxRetries: 1, onError: "continue" }, "1 retry, then continue with an empty output"],
  [{ onError: "continue" }, "Continue with an empty output"],
])("the failure policy %j reads %j", (fields, text) => {
  expect(describeRetries(step(fields))).toBe(text);
});

test("time limits and lines are one line each", () => {
  expect(describeLimits(step({ timeoutMs: 30_000 }))).toBe("Timeout 30 s");
  expect(describeLimits(step({}))).toBe("No time limit");
  expect(describeLines(step({ join: "any", onParentEnd: "continue" }))).toBe(
    "Starts with the first line, started runs continue",
  );
  expect(describeLines(step({ join: "first" }))).toBe("Starts with the first success");
  expect(describeLines(step({}))).toBe("Waits for all lines");
});
