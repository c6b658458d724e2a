import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createConditionRunner } from "./condition.ts";
import { sampleCall } from "./testing/sample-call.ts";
import { createTestExpressions } from "./testing/test-expressions.ts";
import { createSwitchRunner } from "./switch.ts";

const expressions = createTestExpressions();
afterAll(() => expressions.close());
const runner = createConditionRunner({ expressions });
const decide = async (left: JsonValue, operator: JsonValue, right: JsonValue = null) =>
  (await runner.run(sampleCall({ left, operator, right }))).output;

test.each<[string, JsonValue, string]>([
  ["digits before a letter", `${"1".repeat(1_000_000)}x`, "lt"],
  ["a fraction of zeros", `2026-01-01T00:00:00.${"0".repeat(1_000_000)}1Z`, "gt"],
])("a text of %s is compared in linear time", async (_case, left, operator) => {
  expect(await decide(left, operator, "2026-01-01T00:00:00Z")).toBe(true);
});

test.each<[JsonValue, string, JsonValue, boolean]>([
  [1, "eq", 1, true],
  [1, "eq", "1.0", true],
  ["1", "eq", 1, true],
  ["", "eq", 0, false],
  ["01", "eq", "1", false],
  [true, "eq", "true", true],
  ["false", "eq", false, true],
  [true, "eq", 1, false],
  [null, "eq", null, true],
  [null, "eq", "", false],
  [{ a: [1, { b: 2 }] }, "eq", { a: [1, { b: 2 }] }, true],
  [[1, 2], "eq", [2, 1], false],
  ["a", "ne", "b", true],
  [10, "gt", 9, true],
  ["10", "gt", 9, true],
  ["10", "gt", "9", true],
  [" 1e3 ", "gt", 999, true],
  ["abc", "gt", 9, false],
  [9, "lt", "abc", false],
  [null, "lt", 1, false],
  [null, "gte", null, false],
  [{}, "lte", {}, false],
  [2, "gte", 2, true],
  [2, "lte", 2, true],
  [1, "lte", 2, true],
  [3, "lt", 2, false],
  ["2026-01-02T00:00:00Z", "gt", "2026-01-01T23:59:59Z", true],
  ["2026-03-29T02:30:00+01:00", "lt", "2026-03-29T01:31:00Z", true],
  ["2026-03-29T02:30:00+01:00", "gte", "2026-03-29T01:30:00.000Z", true],
  ["2026-03-29T01:30:00Z", "lt", "2026-03-29T01:30:00.500Z", true],
  ["2026-03-29T01:30:00.123400Z", "lt", "2026-03-29T01:30:00.123456Z", true],
  ["1969-12-31T23:59:59.2Z", "gt", "1969-12-31T23:59:59.10Z", true],
  ["2026-13-45T00:00:00Z", "gt", "2026-01-01T00:00:00Z", true],
  ["2026-01-01", "lt", "2026-01-01T00:00:01Z", true],
  ["b", "lt", "a", false],
  ["same", "gte", "same", true],
  ["some words", "contains", "me w", true],
  [2026, "contains", "02", true],
  [["a", 2], "contains", "2", true],
  [["a"], "contains", "b", false],
  [{ key: null }, "contains", "key", true],
  [{}, "contains", "constructor", false],
  [{}, "contains", "__proto__", false],
  [null, "contains", "a", false],
  ["a", "contains", null, false],
  ["prefix", "startsWith", "pre", true],
  ["prefix", "startsWith", null, false],
  [null, "startsWith", "", false],
  ["prefix", "endsWith", "fix", true],
  [1234, "endsWith", 34, true],
  ["order-17", "matches", "^order-\\d+$", true],
  ["an order-17 too", "matches", "order-\\d+", true],
  ["ORDER", "matches", "(?i)order", true],
  [null, "matches", "a", false],
  [0, "exists", null, true],
  [null, "exists", null, false],
  [null, "empty", null, true],
  ["", "empty", null, true],
  [[], "empty", null, true],
  [{}, "empty", null, true],
  [0, "empty", null, false],
  [false, "empty", null, false],
])("%j %s %j is %s", async (left, operator, right, outcome) => {
  expect(await decide(left, operator, right)).toBe(outcome);
});

test.each<JsonValue>(["(", "(?=a)", "(a)\\1", "a{1001}", 7, null, ["a"], "a".repeat(1001)])(
  "the pattern %j is rejected with its reason",
  async (pattern) => {
    await expect(decide("text", "matches", pattern)).rejects.toMatchObject({
      code: "invalid_pattern",
      permanent: true,
    });
  },
);

test("[S29] a pattern that never ends in a backtracking engine is decided", async () => {
  expect(await decide(`${"x".repeat(5000)}!`, "matches", "^(x+x+)+y$")).toBe(false);
});

test("a large pattern on a large text is rejected instead of blocking the event loop", async () => {
  const text = "ab".repeat(50_000);
  await expect(decide(text, "matches", "(([ab]?){30}){30}[^ab]")).rejects.toMatchObject({
    code: "pattern_too_costly",
  });
  expect(await decide(text, "matches", "ba$|^b")).toBe(false);
});

test("a costly pattern runs in another process, a cheap one does not need it", async () => {
  const sent: string[] = [];
  const { run } = createConditionRunner({
    expressions: {
      async findPattern(ownerId, { pattern }) {
        sent.push(`${ownerId} ${pattern}`);
        return true;
      },
    },
  });
  const matches = async (left: JsonValue, right: string) =>
    (await run(sampleCall({ left, operator: "matches", right }))).output;
  expect(await matches("order-17", "^order-\\d+$")).toBe(true);
  expect(sent).toEqual([]);
  const costly = ["a{400}", "\\p{L}", "x".repeat(101)];
  for (const pattern of costly) expect(await matches("text", pattern)).toBe(true);
  expect(await matches("ab".repeat(50_000), "ba$")).toBe(true);
  expect(sent).toEqual([...costly, "ba$"].map((pattern) => `user_a ${pattern}`));
});

test("a pattern is counted before it is compiled", async () => {
  await expect(decide("a", "matches", "(((a{10}){10}){10}){10}")).rejects.toMatchObject({
    code: "pattern_too_costly",
    permanent: true,
  });
});

test.each<JsonValue>(["equals", "constructor", null, 1])("%j is no operator", async (operator) => {
  await expect(decide(1, operator, 1)).rejects.toMatchObject({ code: "invalid_field" });
});

test("a switch returns its value", async () => {
  const { run } = createSwitchRunner();
  expect(await run(sampleCall({ value: { country: "de" } }))).toEqual({ output: { country: "de" } });
  expect(await run(sampleCall({}))).toEqual({ output: null });
});
