import { expect, test } from "vitest";
import { bindParameters, hasSeveralStatements } from "./named-parameters.ts";
import { firstWord } from "./sql-tokens.ts";

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
  ["select 'C:\\', :b", "select 'C:\\', $1", [2]],
  ["select 'it\\'s :a', :b", "select 'it\\'s :a', $1", [2]],
  ["select $a$b$c$ :b $b$ :a", "select $a$b$c$ :b $b$ $1", [1]],
  ["select /*/ :a */ :b", "select /*/ :a */ $1", [2]],
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

// A search for the end of each comment, text or dollar quote would read the rest each time.
test.each(["/* ", "\\'", "$$", "--", ":", "$1$ ", "; ", "''"])(
  "400,000 characters of %j are read in one go",
  (part) => {
    const query = part.repeat(400_000 / part.length);
    expect(bind(query, {})).toEqual({ text: query, values: [] });
    expect(hasSeveralStatements(query)).toBe(false);
  },
);

test("dollar tags that all differ are read in one go", () => {
  const query = Array.from({ length: 50_000 }, (_, i) => `$t${i}$`).join(" ");
  expect(bind(query, {}).text).toBe(query);
});

test.each([
  ["select 1", "select"],
  ["  -- a\n/* b */ SELECT 1", "select"],
  ["/* select", ""],
  ["-- select", ""],
  ["with a as (select 1) delete from b", "with"],
  [`${"/**/".repeat(100_000)}x`, "x"],
  ["--\n ".repeat(100_000), ""],
])("%.20s…: the first word is %j", (query, word) => {
  expect(firstWord(query)).toBe(word);
});
