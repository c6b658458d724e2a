import type { HttpServer } from "../../server/http/server.ts";

/** Loosely typed unless a test says otherwise, so that it reads as the contract does. */
export interface Answer<Body = any> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The parsed JSON; undefined when the body is none. */
  body: Body;
  text: string;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A string or bytes go out as they are, anything else as JSON. */
  body?: unknown;
  contentType?: string;
}
type Call = <Body = any>(url: string, options?: CallOptions) => Promise<Answer<Body>>;
type Reading = <Body = any>(url: string, headers?: Record<string, string>) => Promise<Answer<Body>>;
type Sending = <Body = any>(
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<Body>>;

/** `await alice.post("/api/workflows", { name: "Report" })` → `{status, body, headers, text}`. */
export interface Client {
  call: Call;
  get: Reading;
  post: Sending;
  put: Sending;
  patch: Sending;
  delete: Reading;
}

export function clientOf(http: HttpServer, token?: string): Client {
  return clientBy(async function call<Body>(
    url: string,
    { method = "GET", headers = {}, body, contentType = "application/json" }: CallOptions = {},
  ): Promise<Answer<Body>> {
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
      body: parsed(response.body) as Body,
      text: response.body,
    };
  });
}

/** The verbs of any way to call. */
export function clientBy(call: Call): Client {
  const sending =
    (method: string): Sending =>
    (url, body, headers = {}) =>
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

export function payloadOf(body: unknown): string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
