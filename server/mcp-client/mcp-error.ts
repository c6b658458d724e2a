import { isRecord } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { appErrorWithin } from "../security/outbound-errors.ts";
import { labelOf, type McpTarget } from "./mcp-target.ts";

export const EXCERPT_LENGTH = 300;

/** What a failed call throws: an AppError of our own inside it, else `mcp_failed` with what the server said. */
export function toMcpError(error: unknown, target: McpTarget, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const known = appErrorWithin(error);
  if (known !== undefined) return known;
  const { code, message, status, data } = error as Record<string, unknown>;
  const label = labelOf(target);
  if (status === 401 || status === 403)
    return new AppError("mcp_failed", `The server at ${label} denied access (HTTP ${status}).`, {
      cause: error,
    });
  if (isInputRequired(code, data))
    return new AppError(
      "mcp_failed",
      `The server at ${label} asks for input. Set the answers in the field "answers".`,
      { permanent: true, cause: error },
    );
  // Protocol errors have negative codes and a message for the caller.
  const said = typeof code === "number" ? ` (${code}): ${String(message).slice(0, EXCERPT_LENGTH)}` : ".";
  return new AppError("mcp_failed", `The server at ${label} did not respond as an MCP server${said}`, {
    cause: error,
  });
}

/** The server asks for something that the client has no answer to. */
function isInputRequired(code: unknown, data: unknown): boolean {
  if (code === "INPUT_REQUIRED_ROUNDS_EXCEEDED") return true;
  return code === "CAPABILITY_NOT_SUPPORTED" && isRecord(data) && "key" in data;
}
