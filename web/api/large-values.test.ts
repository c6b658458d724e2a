import { expect, test } from "vitest";
import { isLargeValue } from "./large-values.ts";

const url = "/api/tasks/task_1/steps/a%2Fb/output";

test.each([
  [{ truncated: true, bytes: 5, url }, true],
  [{ truncated: true, bytes: 5, url: "/api/tasks/task_1/result" }, true],
  [{ truncated: true, bytes: 5, url: "https://example.com/api/tasks/task_1/result" }, false],
  [{ truncated: true, bytes: 5, url: "/api/tasks/../keys" }, false],
  [{ truncated: true, bytes: 5 }, false],
  [{ truncated: true, bytes: "5", url }, false],
  ["text", false],
  [null, false],
])("%j is a large value: %s", (value, expected) => {
  expect(isLargeValue(value)).toBe(expected);
});
