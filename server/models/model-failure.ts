import { AppError } from "../lib/errors.ts";
import { addUsage, NO_USAGE, spentFields, type TokenUsage } from "./language-model.ts";

/** Why a model call failed: `details.reason` of `model_failed`. */
export type ModelFailureReason =
  | "rate_limited"
  | "unavailable"
  | "timeout"
  | "connection_failed"
  | "rejected"
  | "truncated"
  | "invalid_output"
  | "refused";

/** A retry or another model may succeed. A refused or rejected request fails again. */
const RETRYABLE: ReadonlySet<ModelFailureReason> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "connection_failed",
  "truncated",
  "invalid_output",
]);

export interface ModelFailureOptions {
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** `fact` follows the model's name: "responded with status 500". It never contains text of the vendor. */
export function modelFailed(
  name: string,
  reason: ModelFailureReason,
  fact: string,
  { retryAfterMs, cause }: ModelFailureOptions = {},
): AppError {
  const retryable = RETRYABLE.has(reason);
  return new AppError("model_failed", `The model ${name} ${fact}.`, {
    retryable,
    cause,
    permanent: !retryable,
    retryAfterMs,
    details: { reason },
    stepExtra: { model: name, details: { reason } },
  });
}

/** The tokens that a failed call used: the vendor charges for them, too. */
export function usageOfFailure(thrown: unknown): TokenUsage {
  if (!(thrown instanceof AppError)) return NO_USAGE;
  const { usage, cost } = (thrown.stepExtra ?? {}) as Partial<ReturnType<typeof spentFields>>;
  return usage === undefined ? NO_USAGE : { ...usage, cost };
}

/** The same failure with tokens that were used before it. */
export function withUsage(thrown: unknown, usage: TokenUsage): unknown {
  if (!(thrown instanceof AppError) || usage.totalTokens === 0) return thrown;
  const { code, message, details, retryable, permanent, retryAfterMs, cause } = thrown;
  return new AppError(code, message, {
    details,
    retryable,
    permanent,
    retryAfterMs,
    cause,
    stepExtra: { ...thrown.stepExtra, ...spentFields(addUsage(usageOfFailure(thrown), usage)) },
  });
}

export function reasonOf(thrown: unknown): ModelFailureReason | undefined {
  if (!(thrown instanceof AppError) || thrown.code !== "model_failed") return undefined;
  return (thrown.details as { reason: ModelFailureReason }).reason;
}

export function llmNotConfigured(message: string): AppError {
  return new AppError("llm_not_configured", message);
}
