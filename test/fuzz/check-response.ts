import type { FuzzRequest } from "./request.ts";
import type { RawResponse } from "./send.ts";
import { userNames } from "./tokens.ts";
import { nounOf } from "./records.ts";
import type { World } from "./world.ts";

/** The only server errors that the contract allows. */
const KNOWN_5XX = new Set([
  "500 execution_failed",
  "502 mcp_failed",
  "503 llm_not_configured",
  "503 mail_not_configured",
  "503 model_failed",
  "503 embedding_not_configured",
  "504 execution_timeout",
]);

/** The number of a page or a version: records of all users have the same ones. */
const NUMBER = /«\w+:\w+:(?:page|version)»/g;

/** Describes what is wrong with a response; undefined if it is valid. */
export function problemOf(request: FuzzRequest, response: RawResponse, world: World): string | undefined {
  const { status, contentType, requestId, text } = response;
  const { caller } = request;
  if (requestId === undefined) return "no x-request-id";
  // HEAD has no body.
  if (status >= 400 && request.method !== "HEAD") {
    const error = errorOf(text, request.operation.path);
    if (!contentType.includes("json")) return `an error of type ${contentType}`;
    if (error === undefined) return `an error of another shape: ${text.slice(0, 300)}`;
    if (status >= 500 && !KNOWN_5XX.has(`${status} ${error}`)) return `${status} ${error}`;
  }
  const path = (request.url.split("?")[0] ?? "").replaceAll(NUMBER, "");
  for (const user of userNames) {
    if (caller === "admin" || isAuthorizedAs(request, user)) continue;
    if (status < 300 && nounOf(request.operation.path) !== undefined && path.includes(`«${user}:`))
      return `${status} for another user's record`;
    const leaks = world.leaksOf(user, text);
    if (leaks.length > 0) return `${user}'s ${leaks.join(", ")} in a response to another user`;
  }
  return undefined;
}

/** The code of an error in the shape of every route, or in that of the protocol that the path belongs to. */
function errorOf(text: string, path: string): string | undefined {
  try {
    const body = JSON.parse(text) as {
      ok?: unknown;
      error?: unknown;
      error_description?: unknown;
      message?: unknown;
    };
    if (
      path.startsWith("/oauth/") &&
      typeof body.error === "string" &&
      typeof body.error_description === "string"
    )
      return body.error;
    const { code, type } = (body.error ?? {}) as { code?: unknown; type?: unknown };
    if (/^\/(a2a\/|mcp$)/.test(path) && typeof code === "number") return "json_rpc";
    if (path.startsWith("/v1/") && typeof type === "string") return typeof code === "string" ? code : type;
    const { ok, error, message } = body;
    const isOurs =
      ok === false &&
      typeof error === "string" &&
      /^[a-z0-9]+(_[a-z0-9]+)*$/.test(error) &&
      typeof message === "string";
    return isOurs && message !== "" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** True if the request has the user's token, one of the user's secrets or a link that the user gave away. */
function isAuthorizedAs({ caller, headers, url }: FuzzRequest, user: string): boolean {
  const credential = new RegExp(`«${user}:\\w+:(secret|token)»`);
  return caller === user || [...Object.values(headers), url].some((value) => credential.test(value));
}
