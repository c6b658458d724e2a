import { AppError } from "../lib/errors.ts";

/** The AppError inside an error that a library has wrapped, if any. */
export function appErrorWithin(thrown: unknown): AppError | undefined {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    if (error instanceof AppError) return error;
    error = error.cause;
  }
  return undefined;
}

/** Names the host and the system's error code, never the path or query, which may contain tokens. */
export function toAppError(error: unknown, url: URL): AppError {
  const known = appErrorWithin(error);
  if (known) return known;
  const code = codeOf(error);
  if (code === "UND_ERR_CONNECT_TIMEOUT")
    return new AppError("request_timeout", `${url.host} did not accept a connection in time.`, {
      retryable: true,
      cause: error,
    });
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new AppError("response_too_large", `${url.host} sent more headers than the limit.`, {
      cause: error,
    });
  if (/^(Z_|ERR__ERROR|ERR_BROTLI)/.test(code))
    return new AppError("invalid_response", `The response of ${url.host} could not be decompressed.`, {
      cause: error,
    });
  if (isRefusedInterim(error))
    return new AppError(
      "invalid_response",
      `${url.host} sent 100 Continue before its response, which is not supported: the request does not ask for it.`,
      { cause: error },
    );
  if (code.startsWith("UND_ERR_INVALID_ARG"))
    return new AppError("invalid_request", "The method or a header of the request is not valid.", {
      cause: error,
    });
  return new AppError(
    "connection_failed",
    `The connection to ${url.host} failed (${code || "no reason given"}).${HINTS[code] ?? ""}`,
    {
      retryable: true,
      cause: error,
    },
  );
}

/** For the mistakes that addresses of requests have most often. */
const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: " No program accepts connections there: check the host and the port.",
  ENOTFOUND: " There is no host with this name: check its spelling.",
  ERR_SSL_WRONG_VERSION_NUMBER: " This port does not speak TLS: use http:// or another port.",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: " This port does not speak TLS: use http:// or another port.",
};

/** undici closes the connection when a server sends the status 100. The server has the request and may have acted on it. */
export function isRefusedInterim(error: unknown): boolean {
  return codeOf(error) === "UND_ERR_SOCKET" && (error as Error).message === "bad response";
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
