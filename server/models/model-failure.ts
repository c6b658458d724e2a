import { AppError } from "../lib/errors.ts";

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
  });
}

export function reasonOf(thrown: unknown): ModelFailureReason | undefined {
  if (!(thrown instanceof AppError) || thrown.code !== "model_failed") return undefined;
  return (thrown.details as { reason: ModelFailureReason }).reason;
}

export function llmNotConfigured(message: string): AppError {
  return new AppError("llm_not_configured", message);
}
