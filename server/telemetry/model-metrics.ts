import { Counter, Histogram, type Registry } from "prom-client";
import type { Cost } from "../lib/cost.ts";
import { boundedValues } from "./bound-labels.ts";

export interface ModelMetrics {
  /** `outcome` is "completed" or the reason of the failure. */
  called(call: {
    provider: string;
    model: string;
    outcome: string;
    seconds: number;
    inputTokens: number;
    outputTokens: number;
    cost?: Cost | undefined;
  }): void;
}

/** Steps and connections name any model. */
const MAX_MODELS = 100;

export function createModelMetrics(registry: Registry): ModelMetrics {
  const registers = [registry];
  const calls = new Histogram({
    name: "baton_model_call_seconds",
    help: "Duration of calls to language models in seconds, tools included, by provider, model and outcome",
    labelNames: ["provider", "model", "outcome"],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const tokens = new Counter({
    name: "baton_model_tokens_total",
    help: "Tokens of language models, by provider, model and direction (input or output)",
    labelNames: ["provider", "model", "direction"],
    registers,
  });
  const costs = new Counter({
    name: "baton_model_cost_total",
    help: "Cost of calls to models that have a price, by provider, model and currency",
    labelNames: ["provider", "model", "currency"],
    registers,
  });
  const bounded = boundedValues(MAX_MODELS);
  return {
    called({ provider, model: name, outcome, seconds, inputTokens, outputTokens, cost }) {
      const model = bounded(name);
      calls.observe({ provider, model, outcome }, seconds);
      tokens.inc({ provider, model, direction: "input" }, inputTokens);
      tokens.inc({ provider, model, direction: "output" }, outputTokens);
      if (cost !== undefined) costs.inc({ provider, model, currency: cost.currency }, cost.amount);
    },
  };
}
