import { expect, test } from "vitest";
import { formatSpent, formatSpentOfRun } from "./tokens.ts";

const usage = { inputTokens: 1000, outputTokens: 250, totalTokens: 1250 };

test("tokens are shown with their cost, and a step without a model shows nothing", () => {
  const tokens = "1,250 tokens (1,000 in, 250 out)";
  expect(formatSpent(usage, undefined)).toBe(tokens);
  expect(formatSpent(usage, { amount: 0.000019, currency: "USD" })).toBe(`${tokens}, 0.000019 USD`);
  expect(formatSpent(usage, { amount: 1234.5678, currency: "EUR" })).toBe(`${tokens}, 1,235 EUR`);
  expect(formatSpent(undefined, undefined)).toBeUndefined();
});

test("a run whose model has no price says so, and one without a model shows nothing", () => {
  expect(formatSpentOfRun(usage, { amount: 0.5, currency: "USD" })).toBe("0.5 USD");
  expect(formatSpentOfRun(usage, undefined)).toBe("1,250 tokens (1,000 in, 250 out), no price known");
  expect(formatSpentOfRun(undefined, undefined)).toBeUndefined();
});
