import { expect, test } from "vitest";
import { bindParameters, hasSeveralStatements } from "./named-parameters.ts";

const bind = (query: string, parameters: Record<string, number>) =>
  bindParameters({ query, parameters }, (position) => `$${position}`);

test.each([
  ["select :a, :b, :a", "select $1, $2, $3", [1, 2, 1]],
  ["select ':a' || :b", "select ':a' || $1", [2]],
  [`select ":a", \`:a\`, :b`, `select ":a", \`:a\`, $1`, [2]],
  ["select 'it''s :a' , :b", "select 'it''s :a' , $1", [2]],
  ["select :a::int, now()::date", "select $1::int, now()::date", [1]],
  ["select :a -- :b\n, :b", "select $1 -- :b\n, $2", [1, 2]],
  ["select /* :a */ :b", "select /* :a */ $1", [2]],
  ["select $$:a$$, $x$ :a $x$, :b", "select $$:a$$, $x$ :a $x$, $1", [2]],
  ["select '10:30' , :b", "select '10:30' , $1", [2]],
])("%s", (query, text, values) => {
  expect(bind(query, { a: 1, b: 2 })).toEqual({ text, values });
});

test("a name of the prototype is no parameter", () => {
  expect(() => bind("select :constructor", {})).toThrow(/no value for :constructor/);
});

test.each([
  ["select 1", false],
  ["select 1;", false],
  ["select 1; -- end", false],
  ["select ';' ; /* a; b */", false],
  ["select 1; select 2", true],
  ["create trigger t after insert on a begin delete from b; delete from c; end", false],
])("%s: several statements %s", (query, several) => {
  expect(hasSeveralStatements(query)).toBe(several);
});
