import { expect, test } from "vitest";
import { createApproximateMatch } from "./approximate-match.ts";

test.each([
  ["invoice", "send invoice", true],
  ["inovice", "send invoice", true],
  ["invioce", "send invoice", true],
  ["invoce", "send invoice", true],
  ["invvoice", "send invoice", true],
  ["imvoice", "send invoice", true],
  ["invoise", "send invoice", true],
  ["customre", "new customers", true],
  ["onboardign", "user-onboarding", true],
  // Two errors in a word of seven letters.
  ["imvoise", "send invoice", false],
  // Inside a word.
  ["voise", "send invoice", false],
  // A short word must be right.
  ["snd", "send invoice", false],
  ["payment", "send invoice", false],
])("%s in “%s”: %s", (word, text, found) => {
  expect(createApproximateMatch(word)(text)).toBe(found);
});

test("a word longer than the pattern is compared by its beginning", () => {
  const long = "donaudampfschifffahrtsgesellschaft";
  expect(createApproximateMatch(long)(`die ${long.replace("f", "v")}`)).toBe(true);
});
