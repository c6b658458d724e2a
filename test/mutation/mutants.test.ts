import { expect, test } from "vitest";
import { mutantsOf } from "./mutants.ts";

function mutated(source: string): string[] {
  return mutantsOf("example.ts", source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );
}

test.each([
  ["if (a < b) go();", ["if (a <= b) go();", "if (a < b) ;"]],
  ["if (ready) x = 1;", ["if (!(ready)) x = 1;"]],
  ["x = a === b && c;", ["x = a !== b && c;", "x = a === b || c;"]],
  ["x = list.some(f);", ["x = list.every(f);"]],
  ["throw new Error();", [";"]],
  ["await save();", [";"]],
  ["const f = () => ({ a: 1 });", ["const f = () => undefined;"]],
  ["function f() { return g(); }", ["function f() { return undefined; }"]],
  ["x = true;", ["x = false;"]],
])("%s", (source, expected) => {
  expect(mutated(source)).toEqual(expected);
});

test("types, texts and names that only look like a method are left alone", () => {
  for (const source of [
    "type A = true | false;",
    "interface B { a: true }",
    'x = "a" + b;',
    "x = y.constructor;",
    "const f = () => undefined;",
  ])
    expect(mutated(source)).toEqual([]);
});
