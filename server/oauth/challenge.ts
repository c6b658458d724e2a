import type { ErrorCode } from "../../contract/errors.ts";
import { RESOURCE_SCOPE, resourceMetadataUrlOf } from "./resource.ts";

/** Codes of RFC 6750. A request without a token gets none: it has done nothing wrong yet. */
const CHALLENGE_ERRORS: ReadonlySet<ErrorCode> = new Set(["invalid_token", "insufficient_scope"]);

/**
 * The WWW-Authenticate header of a 401 or 403 of `/mcp`: it leads a client to the metadata of the resource, and from
 * there to the authorization server.
 */
export function bearerChallenge(baseUrl: string, code: ErrorCode): string {
  const error = CHALLENGE_ERRORS.has(code) ? [`error="${code}"`] : [];
  return `Bearer ${[
    ...error,
    `scope="${RESOURCE_SCOPE}"`,
    `resource_metadata="${resourceMetadataUrlOf(baseUrl)}"`,
  ].join(", ")}`;
}
