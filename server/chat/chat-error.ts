import type { ChatError } from "../../contract/chat-completions.ts";

/** OpenAI's codes where it has one for the same thing: its clients and their users know them. */
const CODES: Readonly<Record<string, string>> = {
  missing_token: "invalid_api_key",
  invalid_token: "invalid_api_key",
  rate_limited: "rate_limit_exceeded",
};

/** An error of this service in OpenAI's shape. */
export function toChatError(
  status: number,
  { error: code, message, details }: { error: string; message: string; details?: unknown },
): ChatError {
  const param = paramOf(details);
  return {
    error: {
      message,
      type: typeOf(status),
      code: code === "not_found" && param === "model" ? "model_not_found" : (CODES[code] ?? code),
      param,
    },
  };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** The first field that is not valid. */
function paramOf(details: unknown): string | null {
  const [first] = Array.isArray(details) ? (details as { path?: unknown }[]) : [];
  return typeof first?.path === "string" && first.path !== "" ? first.path : null;
}
