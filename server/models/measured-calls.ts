import { AppError } from "../lib/errors.ts";
import type { ModelMetrics } from "../telemetry/model-metrics.ts";
import { reasonOf } from "./model-failure.ts";
import type { ModelWatch } from "./watched-model.ts";

/** Counts calls, tokens and cost by model. */
export function measureCalls(metrics: ModelMetrics): ModelWatch {
  return ({ provider, model }) => {
    const began = performance.now();
    return {
      end({ usage: { inputTokens, outputTokens, cost }, error }) {
        const seconds = (performance.now() - began) / 1000;
        const outcome = error === undefined ? "completed" : failureOf(error);
        metrics.called({ provider, model, outcome, seconds, inputTokens, outputTokens, cost });
      },
    };
  };
}

/** A fixed list: reasons of failed calls and error codes. */
export function failureOf(error: unknown): string {
  return reasonOf(error) ?? (error instanceof AppError ? error.code : "aborted");
}
