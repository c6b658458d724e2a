import type { HttpServer } from "../../server/http/server.ts";

/** The body is loosely typed, unless a test gives its type. */
export interface ApiResponse<Body = any> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The parsed JSON; undefined when the body is not JSON. */
  body: Body;
  text: string;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Empty: the body has no type. */
  contentType?: string;
}
type Call = <Body = any>(url: string, options?: CallOptions) => Promise<ApiResponse<Body>>;
type ReadRequest = <Body = any>(url: string, headers?: Record<string, string>) => Promise<ApiResponse<Body>>;
type WriteRequest = <Body = any>(
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse<Body>>;

/** `await alice.post("/api/workflows", { name: "Report" })` → `{status, body, headers, text}`. */
export interface Client {
  call: Call;
  get: ReadRequest;
  post: WriteRequest;
  put: WriteRequest;
  patch: WriteRequest;
  delete: ReadRequest;
}

export function clientOf(http: HttpServer, token?: string): Client {
  return clientFrom(async function call<Body>(
    url: string,
    { method = "GET", headers = {}, body, contentType = "application/json" }: CallOptions = {},
  ): Promise<ApiResponse<Body>> {
    const response = await http.inject({
      method: method as "GET",
      url,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || contentType === "" ? {} : { "content-type": contentType }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: payloadOf(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: parseJson(response.body) as Body,
      text: response.body,
    };
  });
}

/** Adds the HTTP verbs to a `call` function. */
export function clientFrom(call: Call): Client {
  const writeRequest =
    (method: string): WriteRequest =>
    (url, body, headers = {}) =>
      call(url, { method, body, headers });
  return {
    call,
    get: (url, headers = {}) => call(url, { headers }),
    post: writeRequest("POST"),
    put: writeRequest("PUT"),
    patch: writeRequest("PATCH"),
    delete: (url, headers = {}) => call(url, { method: "DELETE", headers }),
  };
}

export function payloadOf(body: unknown): string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
