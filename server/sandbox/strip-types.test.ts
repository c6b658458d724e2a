import { expect, test } from "vitest";
import { stripTypes } from "./strip-types.ts";

const nested = (opening: string, closing: string) => (levels: number) =>
  `${opening.repeat(levels)}1${closing.repeat(levels)}`;

test.each([
  ["type assertions", nested("<T>(", ")")],
  ["type assertions in assignments", nested("<T>a = ", "")],
  ["defaults of parameters", nested("(a = ", ") => 1")],
  ["defaults of async functions", nested("async (a = ", ") => 1")],
  ["patterns of parameters", nested("({ a = ", " }) => 1")],
])("the time of %s does not double with each level", (_what, source) => {
  expect(stripTypes(source(3))).toContain("1");
  expect(() => stripTypes(source(20))).toThrow("are nested too deeply");
});

test("long code with nested functions is read as before", () => {
  const callbacks = nested(
    "run<T>(async (a: T, { b = 1 } = {}): Promise<T> => (<T>a, [b].map((c) => {",
    "})));",
  );
  expect(stripTypes(callbacks(50))).not.toContain("Promise");
  expect(stripTypes("const f = (a: string) => <string>(a as unknown);\n".repeat(5000))).not.toContain(
    "string",
  );
});
