import { expect, test } from "vitest";
import { expressionReferences } from "./expression-references.ts";

test.each<[string, string[]]>([
  ["$sum(steps.orders.output.items.price)", ["orders"]],
  ["steps.`my step`.output & steps.b.output", ["my step", "b"]],
  ["$$.steps.a.output", ["a"]],
  ["input.steps.a", []],
  ["\"steps.a\" & 'steps.b' /* steps.c */", []],
  ['$match(input.text, /"/) ~> $count() + steps.a.output', ["a"]],
  ["input.total / steps.a.output / 2", ["a"]],
  ["$steps.a", []],
  ["steps . a . output", ["a"]],
])("%s refers to %j", (expression, expected) => {
  const found = expressionReferences(expression);
  expect(found.references.map((reference) => reference.stepId)).toEqual(expected);
  expect(found.unnamed).toBe(false);
});

test.each(["$keys(steps)", "steps", 'steps["a"].output', "$lookup(steps, input.id)", "steps."])(
  "%s does not say which step is meant",
  (expression) => {
    expect(expressionReferences(expression).unnamed).toBe(true);
  },
);

test.each(['"\\"', "`", "/*", "steps.`", "(/", "steps."])("a megabyte of %s is read in one pass", (piece) => {
  expect(() => expressionReferences(piece.repeat(1_000_000 / piece.length))).not.toThrow();
});
