import type * as sdk from "ai";
import { AppError } from "../lib/errors.ts";
import { appErrorWithin } from "../security/outbound-errors.ts";
import { ModelTimeout, retryAfterMs } from "./model-fetch.ts";
import { modelFailed } from "./model-failure.ts";

/**
 * Maps an error of the library to an AppError. The message contains no text of the vendor: vendors repeat keys and
 * prompts in theirs.
 */
export function toModelFailure(
  ai: typeof sdk,
  thrown: unknown,
  name: string,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted) return signal.reason;
  const own = appErrorWithin(thrown);
  if (own !== undefined) return own;
  if (within(thrown, (error) => error instanceof ModelTimeout))
    return modelFailed(name, "timeout", "did not answer in time", { cause: thrown });
  const call = within(thrown, (error) => ai.APICallError.isInstance(error)) as sdk.APICallError | undefined;
  if (call?.statusCode !== undefined && (call.statusCode < 200 || call.statusCode > 299))
    return byStatus(name, call, call.statusCode);
  if (within(thrown, (error) => ENDED_EARLY.test(String((error as Error).message))) !== undefined)
    return modelFailed(name, "truncated", "ended its output early");
  if (isConnectionFault(thrown))
    return modelFailed(name, "connection_failed", "could not be reached, or the connection was lost", {
      cause: thrown,
    });
  // Without `cause`: the library's errors contain the prompt and the output, and causes are logged.
  return modelFailed(name, "invalid_output", "returned output that cannot be parsed");
}

function byStatus(name: string, call: sdk.APICallError, status: number): AppError {
  const headers = new Headers(call.responseHeaders ?? {});
  if (status === 429) {
    const wait = retryAfterMs(headers, Date.now());
    return modelFailed(name, "rate_limited", "rejects requests because of a rate limit (status 429)", {
      retryAfterMs: wait,
    });
  }
  if (status === 401 || status === 403)
    return modelFailed(
      name,
      "rejected",
      `did not accept the API key (status ${status}): replace it in the connection of the step or agent, or in LLM_API_KEY`,
    );
  if (status === 404) return modelFailed(name, "rejected", "is not known at its address (status 404)");
  if (status === 408 || status >= 500)
    return modelFailed(name, "unavailable", `is not available right now (status ${status})`);
  return modelFailed(name, "rejected", `rejected the request (status ${status})`);
}

function within(thrown: unknown, test: (error: unknown) => boolean): unknown {
  let error = thrown;
  for (let depth = 0; depth < 5 && error !== undefined && error !== null; depth++) {
    if (test(error)) return error;
    error = (error as { cause?: unknown; lastError?: unknown }).cause;
  }
  return undefined;
}

/** The library has no error type for it, only this message. */
const ENDED_EARLY = /stream ended without a finish/i;
const CONNECTION_CODE =
  /^(UND_ERR_|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|ERR_TLS|CERT_)/;

function isConnectionFault(thrown: unknown): boolean {
  return (
    within(thrown, (error) => {
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (typeof code === "string" && CONNECTION_CODE.test(code)) return true;
      return error instanceof TypeError && (message === "fetch failed" || message === "terminated");
    }) !== undefined
  );
}
