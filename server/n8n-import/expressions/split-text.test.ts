import { expect, test } from "vitest";
import { step } from "../testing/import-nodes.ts";
import { splitList } from "./split-text.ts";

test("an expression with open brackets ends at its first }}, and a text of many is not read again for each", () => {
  for (const source of ["(a", " { ", " ${a"]) {
    const url = `=${`{{${source}}}`.repeat(10_000)}`;
    const { step: request } = step({ type: "httpRequest", parameters: { url } });
    expect(String(request["url"]).match(/\{\{/g)).toHaveLength(10_000);
  }
});

test("expressions of a long query become parameters", () => {
  const query = `=select ${"'{{ $json.a }}', ".repeat(5000)}1`;
  const { step: sql } = step({ type: "postgres", parameters: { operation: "executeQuery", query } });
  expect(sql["query"]).toMatch(/^select :v1, :v2, .*, :v5000, 1$/);
  expect(Object.keys(sql["parameters"] as object)).toHaveLength(5000);
});

test.each([
  ["a, {{ f(1, 2) }},b", ["a", " {{ f(1, 2) }}", "b"]],
  ["{{ a }},{{ b, c", ["{{ a }}", "{{ b", " c"]],
  ["", [""]],
])("the entries of %j are separated by the commas outside of expressions", (text, entries) => {
  expect(splitList(text)).toEqual(entries);
});
