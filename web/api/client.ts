import { ApiError } from "./api-error.ts";
import { authHeaders, authToken } from "./auth-token.ts";
import { connection } from "./connection.ts";
import type { ResponseName, Responses } from "./responses.ts";

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** Sends a request and returns the response as the type of the contract schema registered under `name`. */
export async function request<Name extends ResponseName>(
  name: Name,
  path: string,
  { method, body, headers }: RequestOptions = {},
): Promise<Responses[Name]> {
  return typed(name, path, await readObject(await send(path, { method, body, headers })));
}

/** Sends a request whose successful response is a stream. Throws the error of a refused one. */
export async function openStream(
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(path, { body, signal });
  if (!response.ok || response.body === null) {
    await readObject(response);
    throw unreachable();
  }
  return response.body;
}

async function send(
  path: string,
  { method, body, headers, signal }: RequestOptions & { signal?: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...authHeaders(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  }
}

/**
 * Gives a parsed response its contract type. Development builds check it first; a production build drops the branch, and
 * with it zod and all schemas, so the first screen does not carry them.
 */
export async function typed<Name extends ResponseName>(
  name: Name,
  path: string,
  value: unknown,
): Promise<Responses[Name]> {
  if (import.meta.env.DEV) {
    const { checkResponse } = await import("./check-response.ts");
    checkResponse(name, path, value);
  }
  return value as Responses[Name];
}

function unreachable(): ApiError {
  connection.lost();
  return new ApiError(0, {
    error: "offline",
    message: "The service cannot be reached. Nothing you entered is lost; try again in a moment.",
  });
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body = parseObject(await response.text());
  // The service always sends a JSON object: anything else with these statuses comes from a proxy that cannot reach it.
  if (body === undefined && [502, 503, 504].includes(response.status)) throw unreachable();
  connection.restored();
  if (response.ok && body !== undefined) return body;
  const error = new ApiError(response.status, body ?? {});
  authToken.checkErrorCode(error.code);
  throw error;
}

/** For error responses to requests whose success is not JSON. */
export async function checkErrorResponse(response: Response): Promise<void> {
  const code = parseObject(await response.text())?.["error"];
  if (typeof code === "string") authToken.checkErrorCode(code);
}

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
