import { reach } from "./reach.ts";

/** What the service says when it refuses, with everything that stands beside the message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body["message"] === "string" ? body["message"] : "The service did not answer as expected.");
    this.status = status;
    this.code = typeof body["error"] === "string" ? body["error"] : "unknown";
    this.body = body;
  }
}

const TOKEN_KEY = "baton.token";
let onExpired: () => void = () => {};

/** The login lives where only this origin's own scripts can read it; it never stands in an address. */
export const login = {
  token: (): string | null => localStorage.getItem(TOKEN_KEY),
  keep: (token: string): void => localStorage.setItem(TOKEN_KEY, token),
  forget: (): void => localStorage.removeItem(TOKEN_KEY),
  isKey: (key: string): boolean => key === TOKEN_KEY,
  whenExpired(listener: () => void): void {
    onExpired = listener;
  },
};

export function authHeaders(): Record<string, string> {
  const token = login.token();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export async function call<T>(path: string, { method, body, headers, signal }: CallOptions = {}): Promise<T> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...authHeaders(),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  }
  return readAnswer<T>(response);
}

function unreachable(): ApiError {
  reach.lost();
  return new ApiError(0, {
    error: "offline",
    message: "The service cannot be reached. Nothing you entered is lost; try again in a moment.",
  });
}

async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text();
  const parsed = parseObject(text);
  // The service itself always answers with an object: these are words of a proxy that does not reach it.
  if (parsed === undefined && [502, 503, 504].includes(response.status)) throw unreachable();
  reach.found();
  if (response.ok && parsed !== undefined) return parsed as T;
  const error = new ApiError(response.status, parsed ?? {});
  noteRefusal(error.code);
  throw error;
}

/** A login that has run out leads to the sign-in, wherever it is noticed. */
export function noteRefusal(code: string): void {
  if (code === "invalid_token" || code === "missing_token") onExpired();
}

/** For requests whose answer is read in another way than as JSON, when it is a refusal after all. */
export async function refused(response: Response): Promise<void> {
  const code = parseObject(await response.text())?.["error"];
  if (typeof code === "string") noteRefusal(code);
}

/** Outside data: anything that is no JSON object becomes undefined. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}
