import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";
import { parseJsonInParts, type PartedJson } from "./parted-json.ts";

const parse = (text: string, options?: PartedJson) => inTurns(parseJsonInParts(text, options));
const many = (member: string, count = 30_000) => Array(count).fill(member).join(",");
const keys = Array.from({ length: 30_000 }, (_, i) => `"k${i}":[${i}]`).join(",");
const long = JSON.stringify('a"\\,[{'.repeat(20_000));

test.each([
  ["a list", `[${many("[]")}]`],
  ["an object", ` {${keys}} `],
  ["lists within lists", `[1,[${many("1")}],2,[[${many("{}")}],[]] ,"x"]`],
  ["lists within objects", `{"a":1,"b" : {"c":[${many("null")}],${keys}},"d":[${many("2")}]\n}`],
  ["members larger than a part", `[${long},{"a":${long},"b":[${long}]},${long}]`],
  ["blanks", `[${" ".repeat(100_000)}]`],
  ["a key twice", `{"a":1,"b":2,${keys},"a":[${many("3")}]}`],
  ["a key __proto__", `{${keys},"__proto__":{"a":1},"b":{"__proto__":[${many("1")}]}}`],
  ["a text", long],
  ["a text of backslashes", JSON.stringify("\\".repeat(100_000))],
  ["a text of escaped characters", JSON.stringify("\u0001a\u0002".repeat(20_000))],
  ["a text of line breaks with blanks around", ` ${JSON.stringify("\n".repeat(100_000))} `],
  ["a text of escaped surrogate pairs", `"${"x\\ud83d\\ude00".repeat(10_000)}"`],
  ["a long text as a key", `{${long}: 1,"b":${long}}`],
  ["a text without escapes", JSON.stringify("é".repeat(100_000))],
])("%s is the value of JSON.parse", async (_name, text) => {
  const value = await parse(text);
  // Also the order of keys, and keys that equality ignores.
  expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true);
});

const ones = many("1");
test.each([
  `[${ones},]`,
  `[,${ones}]`,
  `[${ones},,1]`,
  `[${ones}}`,
  `{${keys}]`,
  `{${keys},}`,
  `{[${ones}]}`,
  `{"a":1 "b":[${ones}]}`,
  `{"a":[${ones}],}`,
  `[[${ones}],]`,
  `[[${ones}][${ones}]]`,
  `[[${ones}]1]`,
  `[1[${ones}]]`,
  `{"a":1[${ones}]}`,
  `{"a":-[${ones}]}`,
  `{"a":1,"b":[][${ones}]}`,
  `[${ones}]1`,
  `1[${ones}]`,
  `[${ones}][${ones}]`,
  `[${ones}`,
  `${ones}]`,
  `["${ones}`,
  `"${ones}`,
  `"${ones}\\"`,
  `"${ones}\\u12"`,
  `"${ones}\n"`,
  `["${ones}"1]`,
  `[1"${ones}"]`,
  `{"a":"${ones}":1}`,
  "[".repeat(100_000) + "]".repeat(100_000),
])("malformed text %# is refused", async (text) => {
  await expect(parse(text)).rejects.toThrow(SyntaxError);
});

test("a long text is parsed in parts", () => {
  const work = parseJsonInParts(`{"a":${JSON.stringify("\n".repeat(3_000_000))}}`);
  let parts = 0;
  while (work.next().done !== true) parts += 1;
  expect(parts).toBeGreaterThan(100);
});

test("the number of values is known before any is parsed, and no part is large", async () => {
  const work = parseJsonInParts(`[${many("[]", 300_000)}]`);
  let parts = 0;
  while (work.next().done !== true) parts += 1;
  expect(parts).toBeGreaterThan(50);
  const checkCount = (values: number) => {
    if (values > 50_000) throw new Error("too many");
  };
  await expect(parse(`[${many("[]", 300_000)}!`, { checkCount })).rejects.toThrow("too many");
});
