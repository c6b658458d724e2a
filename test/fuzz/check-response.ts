import type { FuzzRequest } from "./request.ts";
import type { RawAnswer } from "./send.ts";
import { userNames } from "./tokens.ts";
import { nounOf } from "./records.ts";
import type { World } from "./world.ts";

/** The only faults of ours, or of what stands behind us, that the contract knows. */
const KNOWN_5XX = new Set([
  "500 execution_failed",
  "503 llm_not_configured",
  "503 model_failed",
  "503 embedding_not_configured",
  "504 execution_timeout",
]);

/** What is wrong with an answer, in words; undefined when nothing is. */
export function problemOf(request: FuzzRequest, answer: RawAnswer, world: World): string | undefined {
  const { status, contentType, requestId, text } = answer;
  if (requestId === undefined) return "no x-request-id";
  // The A2A standard has errors of its own shape behind its door; HEAD has no body to look at.
  const isA2a = request.operation.path.startsWith("/a2a/");
  if (status >= 400 && request.method !== "HEAD") {
    const error = errorOf(text, isA2a);
    if (!contentType.includes("json")) return `an error of type ${contentType}`;
    if (error === undefined) return `an error of another shape: ${text.slice(0, 300)}`;
    if (status >= 500 && !KNOWN_5XX.has(`${status} ${error}`)) return `${status} ${error}`;
  }
  const path = request.url.split("?")[0] ?? "";
  for (const user of userNames) {
    if (actsFor(request, user)) continue;
    if (status < 300 && nounOf(request.operation.path) !== undefined && path.includes(`«${user}:`))
      return `${status} for somebody else's record`;
    const leaks = world.leaksOf(user, text);
    if (leaks.length > 0) return `${user}'s ${leaks.join(", ")} in an answer to somebody else`;
  }
  return undefined;
}

function errorOf(text: string, isA2a: boolean): string | undefined {
  try {
    const body = JSON.parse(text) as { ok?: unknown; error?: unknown; message?: unknown };
    if (isA2a && typeof (body.error as { code?: unknown } | undefined)?.code === "number") return "a2a";
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

/** A user's login, or a secret of the user's that the request carries, opens what is the user's. */
function actsFor({ caller, headers }: FuzzRequest, user: string): boolean {
  return caller === user || Object.values(headers).some((value) => value.includes(`«${user}:`));
}
