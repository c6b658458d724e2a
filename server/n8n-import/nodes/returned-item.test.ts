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
  ["return { a: b.replace(/[{'\"]/g, `${c}}`) };", true],
  ["const a = 1;", false],
])("%s: %s", (code, isOne) => {
  expect(returnsOneItem(code)).toBe(isOne);
});

test("code that never ends what it begins is read once", () => {
  const count = 50_000;
  for (const part of ["/*a", '"\\', "`\\", "return {"])
    expect(returnsOneItem(`return {${part.repeat(count)}`)).toBe(false);
  expect(returnsOneItem(`return${" ".repeat(count)}1`)).toBe(false);
  expect(returnsOneItem(`return [{}${" ".repeat(count)}1`)).toBe(false);
  expect(returnsOneItem(`${"return {".repeat(count)}${"}".repeat(count)}`)).toBe(true);
});
