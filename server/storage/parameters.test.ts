import { expect, test } from "vitest";
import { toNumbered, toQuestionMarks, valuesOf } from "./parameters.ts";

const SQL = "select * from t where id = $id and (owner = $owner or $id = 'x') and n < cast($max as bigint)";

test("named parameters become numbers, each name once", () => {
  const compiled = toNumbered(SQL);
  expect(compiled.text).toBe(
    "select * from t where id = $1 and (owner = $2 or $1 = 'x') and n < cast($3 as bigint)",
  );
  expect(valuesOf(compiled, { max: 3, owner: "b", id: "a" })).toEqual(["a", "b", 3]);
});

test("named parameters become question marks, one per occurrence", () => {
  const compiled = toQuestionMarks(SQL);
  expect(compiled.text).toBe(
    "select * from t where id = ? and (owner = ? or ? = 'x') and n < cast(? as bigint)",
  );
  expect(valuesOf(compiled, { max: 3, owner: "b", id: "a" })).toEqual(["a", "b", "a", 3]);
});

test("a value list supplies numbered parameters in any order and with gaps", () => {
  expect(valuesOf(toNumbered("values ($3, $1)"), ["a", "b", "c"])).toEqual(["c", "a"]);
  expect(valuesOf(toQuestionMarks("values ($2, $1, $2)"), ["a", "b"])).toEqual(["b", "a", "b"]);
});

test("a function body in dollar quotes is left alone", () => {
  expect(toNumbered("do $$ begin null; end $$").text).toBe("do $$ begin null; end $$");
});

test("a name without a value is an error that says which", () => {
  expect(() => valuesOf(toNumbered(SQL), { id: "a", owner: "b" })).toThrow("$max has no value");
  expect(() => valuesOf(toQuestionMarks(SQL), undefined)).toThrow("needs parameters");
});

test("null is a value", () => {
  expect(valuesOf(toNumbered("values ($a)"), { a: null })).toEqual([null]);
});
