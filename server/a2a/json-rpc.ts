import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  invalidRpcRequest,
  type JsonRpcError,
  withProtocolErrors,
} from "./a2a-errors.ts";
import type { Sdk } from "./sdk.ts";

export type RpcId = string | number | null;

export interface RpcRequest {
  id: RpcId;
  method: string;
  body: Record<string, unknown>;
}

const STREAMING_METHODS = ["SendStreamingMessage", "SubscribeToTask", "message/stream", "tasks/resubscribe"];

/** The envelope of a request, or the error for any other body. */
export function readRpcRequest(body: unknown): RpcRequest | { id: RpcId; error: JsonRpcError } {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return { id: null, error: invalidRpcRequest("the body must be one JSON-RPC request") };
  const { jsonrpc, method, id = null, params = {} } = body as Record<string, unknown>;
  if (id !== null && typeof id !== "string" && !Number.isInteger(id))
    return { id: null, error: invalidRpcRequest("id must be a string, an integer or null") };
  const known = id as RpcId;
  if (jsonrpc !== "2.0") return { id: known, error: invalidRpcRequest('jsonrpc must be "2.0"') };
  if (typeof method !== "string" || method === "")
    return { id: known, error: invalidRpcRequest("method is required") };
  // JSON-RPC allows requests without params; the SDK does not.
  return { id: known, method, body: { ...body, params } };
}

export function isStreaming({ method }: RpcRequest): boolean {
  return STREAMING_METHODS.includes(method);
}

export function rpcFailure(id: RpcId, error: JsonRpcError): Record<string, unknown> {
  return { jsonrpc: "2.0", id, error };
}

export interface RpcCall {
  sdk: Sdk;
  agent: A2ARequestHandler;
  context: ServerCallContext;
  request: RpcRequest;
  isLegacy: boolean;
}

export type RpcResponse = Record<string, unknown> | AsyncGenerator<unknown, void, undefined>;

/** Calls the agent by the SDK's handler of the version. Throws what is not an error of the protocol. */
export async function callByRpc({ sdk, agent, context, request, isLegacy }: RpcCall): Promise<RpcResponse> {
  const thrown: unknown[] = [];
  const guarded = withProtocolErrors(sdk, agent, (error) => thrown.push(error));
  const handler = isLegacy
    ? new sdk.legacy.LegacyJsonRpcTransportHandler(guarded)
    : new sdk.server.JsonRpcTransportHandler(guarded);
  const response = await handler.handle(request.body, context);
  if (Symbol.asyncIterator in response) return response;
  if (thrown.length > 0) throw thrown[0];
  const { error } = response as { error?: JsonRpcError };
  // Not from the agent: the SDK's decoder throws for a field of the wrong type.
  if (error?.code === INTERNAL_ERROR.code) return rpcFailure(request.id, INVALID_PARAMS);
  return response as unknown as Record<string, unknown>;
}
