import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { patternSize } from "./pattern-size.ts";

test.each([
  "order-\\d+",
  "a{1000}",
  "(a{30}){30}",
  "((ab){2,9}c?)*|x",
  "(?:x{1,100}){1,10}",
  "[a-z]".repeat(200),
  "[]a[:alpha:]{3}]{5}",
  "(?i)[\\w.-]{200}[\\]{}]{40}",
  "\\p{Greek}{200}\\pL{3}\\x{10FFFF}{7}",
  "\\Qa{1000}\\E{2}",
  "a|bb|ccc",
  "é{50}😀{20}",
  "(([ab]?){30}){30}[^ab]",
  "a{,5}",
])("the size of %s is an upper estimate of its program", (pattern) => {
  const size = RE2JS.compile(pattern).programSize();
  // RE2 adds two or three instructions around every program.
  expect(patternSize(pattern) + 3).toBeGreaterThanOrEqual(size);
  expect(patternSize(pattern)).toBeLessThan(10 * size + 10);
});

test("nested repetitions multiply", () => {
  expect(patternSize("(((a{10}){10}){10}){10}")).toBeGreaterThan(10_000);
  expect(patternSize("a{10}{10}{10}{10}")).toBeGreaterThan(10_000);
});

test.each(["(", "[", "a)", "\\", "{5}", "(?i", "a{5", "[a", "\\Qa"])(
  "the invalid pattern %s is counted without failing",
  (pattern) => {
    expect(patternSize(pattern)).toBeLessThan(10);
  },
);
