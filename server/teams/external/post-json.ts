import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";
import { parseAnyJsonText } from "../../lib/untrusted-json.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

/** Resolves to the parsed response; undefined when it is not JSON, or too deep. Throws for a status other than 2xx. */
export async function postJson(
  fetch: Egress["fetch"],
  url: string,
  body: unknown,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ...(signal && { signal }),
  });
  if (response.status < 200 || response.status > 299) {
    throw new AppError(
      "external_agent_failed",
      `${new URL(url).host} responded with status ${response.status}.`,
      { retryable: response.status >= 500 || response.status === 429 },
    );
  }
  return parseAnyJsonText(response.body.toString("utf8"));
}
