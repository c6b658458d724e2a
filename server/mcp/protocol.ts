import type { JsonValue } from "../../contract/placeholders/json-value.ts";

/** Every request carries its version and capabilities; there is no handshake. */
export const MODERN_VERSION = "2026-07-28";
/** Versions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18"];
export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS];

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
export const RELATED_TASK = "io.modelcontextprotocol/related-task";
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
/** In `_meta` of every result of a run: the id that the run has in every other API. */
export const TASK_ID = "baton/taskId";

export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  client: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  server: "io.modelcontextprotocol/serverInfo",
} as const;

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Versions before 2026-07-28 only. */
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

export type RequestId = string | number;
export type Params = Record<string, JsonValue>;
export type Result = Record<string, unknown>;

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** A JSON-RPC error response. `status` is that of the HTTP response. */
export class RpcFailure extends Error {
  readonly error: RpcError;
  readonly status: number;

  constructor(
    code: number,
    message: string,
    { status = 200, data }: { status?: number; data?: unknown } = {},
  ) {
    super(message);
    this.error = { code, message, ...(data !== undefined && { data }) };
    this.status = status;
  }
}

export function invalidParams(message: string): RpcFailure {
  return new RpcFailure(RPC.invalidParams, message);
}

export function missingCapability(requiredCapabilities: object): RpcFailure {
  return new RpcFailure(RPC.missingCapability, "Missing required client capability", {
    status: 400,
    data: { requiredCapabilities },
  });
}

export function errorResponse(id: RequestId | undefined, error: RpcError): object {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
}

/** The text at `name`; throws an invalid-params error when it is missing. */
export function requireText(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") throw invalidParams(`params.${name} must be a text.`);
  return value;
}
