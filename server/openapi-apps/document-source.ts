import { MAX_DOCUMENT_BYTES } from "../../contract/api-apps.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import type { Egress } from "../security/egress.ts";

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
/** A name that cannot be resolved now is checked again with every request. */
const RESOLVE_MS = 3000;

/** Fetches a document through the egress guard. */
export async function fetchDocument(
  egress: Pick<Egress, "fetch">,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const response = await egress
    .fetch(url, {
      headers: { accept: "application/json, application/yaml, text/yaml, text/plain, */*" },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_DOCUMENT_BYTES,
      maxRedirects: MAX_REDIRECTS,
      signal,
    })
    .catch((error: unknown) => {
      throw toRouteError(error);
    });
  if (response.status < 200 || response.status > 299)
    throw fetchFailed(`${new URL(response.url).host} responded with status ${response.status}.`);
  return response.body.toString("utf8");
}

function toRouteError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === "egress_denied") return error;
  if (error.code === "invalid_url") return new AppError("invalid_request", error.message);
  if (error.code === "response_too_large") return new AppError("payload_too_large", error.message);
  return fetchFailed(messageOf(error), error);
}

function fetchFailed(reason: string, cause?: unknown): AppError {
  return new AppError("fetch_failed", `The document could not be fetched: ${reason}`, { cause });
}

/** Throws `egress_denied` when steps could never call this server, so that it is said now and not in a run. */
export async function requireReachable(egress: Pick<Egress, "resolve">, server: string): Promise<void> {
  const { hostname, port, protocol } = new URL(server);
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      egress.resolve(hostname, Number(port || (protocol === "https:" ? 443 : 80))),
      new Promise((resolve) => (timer = setTimeout(resolve, RESOLVE_MS))),
    ]);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "egress_denied") return;
    throw new AppError(
      "egress_denied",
      `The server of this API cannot be used: ${error.message} If the API has another server, enter its address.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
