import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from "@fastify/type-provider-zod";
import { type ErrorCode, statusOfError } from "../../contract/errors.ts";
import { AppError } from "../lib/errors.ts";

/** A list of a request may have 100,000 entries with a problem each. */
const MAX_DETAILS = 100;

export interface ErrorBody {
  ok: false;
  error: ErrorCode;
  message: string;
  [more: string]: unknown;
}

export function errorBody(code: ErrorCode, message: string, more: Record<string, unknown> = {}): ErrorBody {
  // The contract promises the list, also when the problem is in no single field.
  const details = code === "invalid_request" ? { details: [{ path: "", message }] } : {};
  return { ok: false, error: code, message, ...details, ...more };
}

/** Converts anything thrown into the contract's error. Unexpected errors are logged; the response hides their cause. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = toErrorResponse(thrown, request.routeOptions.bodyLimit);
  if (thrown instanceof AppError && thrown.retryAfterMs !== undefined)
    reply.header("retry-after", Math.ceil(thrown.retryAfterMs / 1000));
  if (status >= 500) request.log.error({ requestId: request.id, err: thrown }, "request failed");
  // Bypasses the route's response schema, which may not allow the error shape.
  return reply.status(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}

/** The status and the body of the response to a request that failed with this. */
export function toErrorResponse(
  thrown: unknown,
  bodyLimitBytes?: number,
): { status: number; body: ErrorBody } {
  if (thrown instanceof AppError) {
    const status = statusOfError(thrown.code);
    if (status === 500) return unexpected();
    return { status, body: errorBody(thrown.code, thrown.message, detailsOf(thrown)) };
  }
  if (isResponseSerializationError(thrown)) return unexpected();
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const problems = thrown.validation.slice(0, MAX_DETAILS).map((issue) => ({
      path: issue.instancePath.slice(1).replaceAll("/", "."),
      message: issue.message ?? "is not valid",
    }));
    // Two rules of a field may say the same: an empty text is too short and blank.
    const details = problems.filter(
      ({ path, message }, i) =>
        problems.findIndex((other) => other.path === path && other.message === message) === i,
    );
    const [first] = details;
    const where = first?.path ? `${first.path}: ` : inBody(thrown) ? "the body " : "";
    return {
      status: 400,
      body: errorBody("invalid_request", `The request is not valid: ${where}${first?.message}.`, { details }),
    };
  }
  return translateFastify(thrown as Partial<FastifyError>, bodyLimitBytes);
}

/** A problem of the whole body has no path that would say what it is about. */
function inBody({ validationContext }: { validationContext?: unknown }): boolean {
  return validationContext === "body";
}

/** The contract puts the problems of a graph next to the message, not into `details`. */
function detailsOf({ code, details }: AppError): Record<string, unknown> {
  if (details === undefined) return {};
  return code === "invalid_workflow" ? (details as Record<string, unknown>) : { details };
}

function translateFastify(
  error: Partial<FastifyError>,
  bodyLimitBytes?: number,
): { status: number; body: ErrorBody } {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return {
        status: 413,
        body: errorBody("payload_too_large", tooLarge(bodyLimitBytes)),
      };
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return { status: 415, body: errorBody("unsupported_media_type", "Send the body as application/json.") };
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return { status: 404, body: errorBody("not_found", "No route matches this URL.") };
    default:
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
        return { status: 400, body: errorBody("invalid_request", "The request could not be parsed.") };
      }
      return unexpected();
  }
}

function tooLarge(limitBytes: number | undefined): string {
  const limit =
    limitBytes === undefined ? "this route accepts" : `${limitBytes} bytes, the limit of this route`;
  return `The body is larger than ${limit}. Send less at once, or large data as a file.`;
}

function unexpected(): { status: number; body: ErrorBody } {
  const message = "An internal error occurred. Look up the x-request-id of this response in the log.";
  return { status: 500, body: errorBody("internal_error", message) };
}
