import { expect, test } from "vitest";
import { addCosts } from "../lib/cost.ts";
import { readConfig } from "../config.ts";
import { costOf } from "./model-prices.ts";

const prices = { currency: "EUR", models: { "openai/gpt-x": { input: 0.25, output: 2 } } };

test("the cost of a call is its tokens by the price of its model", () => {
  expect(costOf(prices, "openai/gpt-x", { inputTokens: 1_000_000, outputTokens: 500_000 })).toEqual({
    amount: 1.25,
    currency: "EUR",
  });
  expect(costOf(prices, "openai/gpt-x", { inputTokens: 12, outputTokens: 8 })?.amount).toBe(0.000019);
  expect(costOf(prices, "openai/other", { inputTokens: 1, outputTokens: 1 })).toBeUndefined();
  expect(costOf(prices, "constructor", { inputTokens: 1, outputTokens: 1 })).toBeUndefined();
});

test("costs of one currency have a sum", () => {
  const cost = (amount: number, currency = "EUR") => ({ amount, currency });
  expect(addCosts([cost(0.1), undefined, cost(0.2)])).toEqual(cost(0.3));
  expect(addCosts([undefined])).toBeUndefined();
  expect(addCosts([cost(1), cost(1, "USD")])).toBeUndefined();
});

test("LLM_PRICES is a table, and a wrong entry is named", () => {
  const env = { LLM_PRICES: '{"openai/gpt-x": {"input": 0.25, "output": 2}}', LLM_PRICES_CURRENCY: "EUR" };
  expect(readConfig(env).llm.prices).toEqual(prices);
  expect(readConfig({}).llm.prices).toEqual({ currency: "USD", models: {} });
  for (const [text, message] of [
    ["0.25", "LLM_PRICES"],
    ["{", "must be a JSON object"],
    ['{"gpt-x": {"input": 1, "output": 1}}', "provider/model"],
    ['{"openai/gpt-x": {"input": -1, "output": 1}}', "at openai/gpt-x.input"],
    ['{"openai/gpt-x": {"input": 1}}', "at openai/gpt-x.output"],
  ] as const)
    expect(() => readConfig({ LLM_PRICES: text })).toThrow(message);
});
