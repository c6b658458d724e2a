import type { FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "@fastify/type-provider-zod";
import { statusOfError } from "../../contract/errors.ts";
import { sendError } from "../http/errors.ts";
import { sendJson } from "../http/replies.ts";
import { AppError } from "../lib/errors.ts";
import { OAuthError } from "./oauth-error.ts";

/** Converts anything thrown into `{error, error_description}`. */
export function sendOAuthError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toOAuthError(thrown, request.routeOptions.url === "/oauth/register");
  // A fault of the service is logged and hidden like everywhere else.
  if (error === undefined) return sendError(thrown, request, reply);
  if (thrown instanceof AppError && thrown.retryAfterMs !== undefined)
    void reply.header("retry-after", Math.ceil(thrown.retryAfterMs / 1000));
  if (error.code === "invalid_client" && request.headers.authorization !== undefined)
    void reply.header("www-authenticate", 'Basic realm="Baton"');
  return sendJson(reply, error.status, { error: error.code, error_description: error.message });
}

function toOAuthError(thrown: unknown, isRegistration: boolean): OAuthError | undefined {
  if (thrown instanceof OAuthError) return thrown;
  const malformed = (description: string) =>
    new OAuthError(isRegistration ? "invalid_client_metadata" : "invalid_request", description);
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const [issue] = thrown.validation;
    return malformed(
      `${issue?.instancePath.slice(1).replaceAll("/", ".")} ${issue?.message ?? "is not valid"}.`.trim(),
    );
  }
  if (thrown instanceof AppError && thrown.code === "rate_limited")
    return new OAuthError("temporarily_unavailable", thrown.message);
  const status = thrown instanceof AppError ? statusOfError(thrown.code) : statusOf(thrown);
  return status >= 400 && status < 500 ? malformed(messageOf(thrown, isRegistration)) : undefined;
}

function messageOf(thrown: unknown, isRegistration: boolean): string {
  if (thrown instanceof AppError) return thrown.message;
  return `The body could not be read. Send ${isRegistration ? "application/json" : "application/x-www-form-urlencoded"}.`;
}

function statusOf(thrown: unknown): number {
  const { statusCode } = thrown as { statusCode?: unknown };
  return typeof statusCode === "number" ? statusCode : 500;
}
