import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { statusOfError } from "../../contract/errors.ts";
import { AppError } from "../lib/errors.ts";
import type { Sdk } from "./sdk.ts";

/**
 * An error of a service as an error of the protocol. Refusals that concern the caller and not the message, such as
 * limits, and unexpected errors are returned unchanged: they have the same response on every route.
 */
export function toA2aError({ errors }: Sdk, thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  if (thrown.code === "task_finished" || thrown.code === "session_ended")
    return new errors.TaskNotCancelableError(thrown.message);
  if (thrown.code === "idempotency_conflict")
    return new errors.RequestMalformedError(
      "message.messageId was used before for another message; use a new id.",
    );
  switch (statusOfError(thrown.code)) {
    case 404:
      return new errors.TaskNotFoundError(thrown.message);
    case 409:
      return new errors.UnsupportedOperationError(thrown.message);
    case 400:
    case 413:
    case 415:
    case 422:
      return new errors.RequestMalformedError(thrown.message);
    default:
      return thrown;
  }
}

/** The handler with errors of services as errors of the protocol. `onOther` receives what stays another error. */
export function withProtocolErrors(
  sdk: Sdk,
  agent: A2ARequestHandler,
  onOther: (error: unknown) => void = () => undefined,
): A2ARequestHandler {
  const translate = (thrown: unknown): unknown => {
    const error = toA2aError(sdk, thrown);
    if (!(error instanceof sdk.errors.A2AError)) onOther(error);
    return error;
  };
  async function* guardStream(events: AsyncGenerator): AsyncGenerator {
    try {
      yield* events;
    } catch (error) {
      throw translate(error);
    }
  }
  const guard = (result: Promise<unknown> | AsyncGenerator): unknown =>
    Symbol.asyncIterator in result
      ? guardStream(result)
      : result.catch((error: unknown) => {
          throw translate(error);
        });
  const methods = Object.entries(agent) as [string, (...given: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...given: unknown[]) => guard(method(...given))]),
  ) as unknown as A2ARequestHandler;
}

export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}

export const PARSE_ERROR: JsonRpcError = { code: -32700, message: "Invalid JSON payload" };
export const INVALID_PARAMS: JsonRpcError = { code: -32602, message: "Invalid parameters" };
export const INTERNAL_ERROR: JsonRpcError = { code: -32603, message: "Internal error" };

export function invalidRpcRequest(problem: string): JsonRpcError {
  return { code: -32600, message: `Request payload validation error: ${problem}` };
}
