import { expect, test } from "vitest";
import { systemPrompt } from "./generation-prompt.ts";

test("the prompt describes every way to join branches", () => {
  const line = systemPrompt()
    .split("\n")
    .find((each) => each.startsWith("  join:"));
  expect(line).toMatch(/"first" starts when the first branch succeeds.* One of all, any, first\./);
});
