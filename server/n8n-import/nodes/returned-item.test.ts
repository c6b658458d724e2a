import { expect, test } from "vitest";
import { returnsOneItem } from "./returned-item.ts";

test.each<[string, boolean]>([
  ["return { json: { a: '}' } };", true],
  ["return [{ json: { a: 1 } }]", true],
  ["if (x) { return [{ a: 1 }]; }\n// return list\nreturn { a: 2 };", true],
  ['return [{ "json": { a: 1 } }, { "json": { a: 2 } }];', false],
  ["return [{ a: 1 }].map((each) => each);", false],
  ["return [{ a: 1 }, ...rest];", false],
  ["return items.map((each) => { return { json: each }; });", false],
  ["const a = 1;", false],
])("%s: %s", (code, isOne) => {
  expect(returnsOneItem(code)).toBe(isOne);
});
