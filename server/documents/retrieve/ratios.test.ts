import { expect, test } from "vitest";
import { statementsOfRatios } from "./ratios.ts";

test.each([
  ["the quick ratio", ["balancesheet"]],
  ["the debt-to-equity ratio", ["balancesheet"]],
  ["the interest coverage", ["incomestatement"]],
  ["the gross margin", ["incomestatement"]],
  ["the days payable outstanding", ["incomestatement", "balancesheet"]],
  ["the fixed asset turnover", ["incomestatement", "balancesheet"]],
  ["the return on assets", ["incomestatement", "balancesheet"]],
  ["the EBITDA", ["incomestatement", "cashflowstatement"]],
  ["the payout ratio", ["incomestatement", "cashflowstatement"]],
  ["the largest of operating, investing and financing activities", ["cashflowstatement"]],
  ["the capital intensity", ["incomestatement", "balancesheet", "cashflowstatement"]],
])("%s is computed from %j", (ratio, statements) => {
  expect(statementsOfRatios(`What was ${ratio} in FY2022?`)).toEqual(statements);
});

test("everyday words and a rate that the discussion and a note state are no ratio", () => {
  for (const question of [
    "What was the effective tax rate?",
    "What is the ratio of boys to girls?",
    "How often do the members turn over?",
    "What is the profit?",
  ])
    expect(statementsOfRatios(question)).toEqual([]);
});
