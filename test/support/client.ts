import type { HttpServer } from "../../server/http/server.ts";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The parsed JSON; undefined when the body is none. Loosely typed, so that a test reads as the contract does. */
  // oxlint-disable-next-line no-explicit-any
  body: any;
  text: string;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A string or bytes go out as they are, anything else as JSON. */
  body?: unknown;
  contentType?: string;
}

/** `await alice.post("/api/workflows", { name: "Report" })` → `{status, body, headers, text}`. */
export interface Client {
  call(url: string, options?: CallOptions): Promise<Answer>;
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(url: string, headers?: Record<string, string>): Promise<Answer>;
}

export function clientOf(http: HttpServer, token?: string): Client {
  async function call(
    url: string,
    { method = "GET", headers = {}, body, contentType = "application/json" }: CallOptions = {},
  ): Promise<Answer> {
    const response = await http.inject({
      method: method as "GET",
      url,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": contentType }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: payloadOf(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parsed(response.body),
      text: response.body,
    };
  }
  const sending =
    (method: string) =>
    (url: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(url, { method, body, headers });
  return {
    call,
    get: (url, headers = {}) => call(url, { headers }),
    post: sending("POST"),
    put: sending("PUT"),
    patch: sending("PATCH"),
    delete: (url, headers = {}) => call(url, { method: "DELETE", headers }),
  };
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
