/** The response that an http step recorded beside its output. */
export interface HttpResponse {
  status: number;
  statusText: string;
  ok: boolean;
  headers: readonly (readonly [name: string, value: string])[];
  /** Recorded only when the step failed; otherwise the output is the body. */
  body: unknown;
}

const STATUS_TEXTS: Record<number, string> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
  301: "Moved",
  302: "Found",
  304: "Not modified",
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  410: "Gone",
  422: "Unprocessable",
  429: "Too many requests",
  500: "Server error",
  502: "Bad gateway",
  503: "Unavailable",
  504: "Gateway timeout",
};

/** Undefined for steps that are not HTTP requests, and for requests that got no response. */
export function httpResponseOf(result: Readonly<Record<string, unknown>>): HttpResponse | undefined {
  const response = result["response"];
  if (typeof response !== "object" || response === null) return undefined;
  const { status, headers, body } = response as Record<string, unknown>;
  if (typeof status !== "number") return undefined;
  return {
    status,
    statusText: STATUS_TEXTS[status] ?? "",
    ok: status >= 200 && status <= 299,
    headers: Object.entries(typeof headers === "object" && headers !== null ? headers : {}).map(
      ([name, value]) => [name, String(value)] as const,
    ),
    body,
  };
}

/** The bytes of a value as JSON; 0 for nothing. */
export function outputSize(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
