import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import {
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  type Params,
  RPC,
  RpcFailure,
  SUPPORTED_VERSIONS,
} from "./protocol.ts";

/** The parameter that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** True for a message of the version without handshake: its header or its `_meta` names a version that is not an older one. */
export function isModern(headers: IncomingHttpHeaders, params: Params): boolean {
  const inBody = isRecord(params["_meta"]) ? params["_meta"][META.version] : undefined;
  if (inBody !== undefined) return true;
  const version = headers["mcp-protocol-version"];
  return version !== undefined && !LEGACY_VERSIONS.includes(String(version).trim());
}

/**
 * Checks the headers that repeat parts of the body: a proxy that decides by them must not see another request than this
 * service. Returns the `_meta` of the request.
 */
export function checkModernRequest(
  headers: IncomingHttpHeaders,
  method: string,
  params: Params,
): Record<string, unknown> {
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  const version = meta[META.version];
  if (typeof version !== "string") {
    const named = String(headers["mcp-protocol-version"]).trim();
    throw SUPPORTED_VERSIONS.includes(named)
      ? badRequest(`_meta must contain ${META.version}.`)
      : unsupported(named);
  }
  requireHeader(headers, "mcp-protocol-version", version);
  if (version !== MODERN_VERSION) throw unsupported(version);
  requireHeader(headers, "mcp-method", method);
  const named = NAMED[method];
  if (named !== undefined && typeof params[named] === "string")
    requireHeader(headers, "mcp-name", params[named]);
  if (!isRecord(meta[META.capabilities])) throw badRequest(`_meta must contain ${META.capabilities}.`);
  return meta;
}

function requireHeader(headers: IncomingHttpHeaders, name: string, expected: string): void {
  const sent = headers[name];
  const value = decoded(String(sent ?? "").trim());
  if (value === expected) return;
  const problem = sent === undefined ? "is missing" : "does not match the body";
  throw new RpcFailure(RPC.headerMismatch, `Header mismatch: ${name} ${problem}.`, { status: 400 });
}

function decoded(value: string): string {
  const [, base64] = ENCODED.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}

function unsupported(version: string): RpcFailure {
  return new RpcFailure(RPC.unsupportedVersion, "Unsupported protocol version", {
    status: 400,
    data: { supported: SUPPORTED_VERSIONS, requested: version.slice(0, 100) },
  });
}

function badRequest(message: string): RpcFailure {
  return new RpcFailure(RPC.invalidParams, message, { status: 400 });
}
