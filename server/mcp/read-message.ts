import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { type Params, type RequestId, RPC, RpcFailure } from "./protocol.ts";

/** One JSON-RPC message of a client. */
export type Message =
  | { kind: "request"; id: RequestId; method: string; params: Params }
  | { kind: "notification"; method: string; params: Params }
  | { kind: "response"; id: RequestId; result?: Params; isError: boolean };

/** The id of a body that may be invalid: its error response carries it when it can be read. */
export function idOf(body: unknown): RequestId | undefined {
  const id = isRecord(body) ? body["id"] : undefined;
  return isRequestId(id) ? id : undefined;
}

export function readMessage(body: unknown): Message {
  if (Array.isArray(body)) throw invalid("Send one JSON-RPC message per request; batches are not supported.");
  if (!isRecord(body) || body["jsonrpc"] !== "2.0")
    throw invalid('The body must be a JSON-RPC message with "jsonrpc": "2.0".');
  const { id, method, params = {} } = body as Record<string, JsonValue>;
  if (method === undefined && ("result" in body || "error" in body)) {
    if (!isRequestId(id)) throw invalid("The response must have the id of its request.");
    const { result } = body as Record<string, JsonValue>;
    return isRecord(result)
      ? { kind: "response", id, result: result as Params, isError: false }
      : { kind: "response", id, isError: true };
  }
  if (typeof method !== "string") throw invalid("The message has no method.");
  if (!isRecord(params)) throw invalid("params must be an object.");
  if (!("id" in body)) return { kind: "notification", method, params: params as Params };
  if (!isRequestId(id)) throw invalid("The id must be a text or a whole number.");
  return { kind: "request", id, method, params: params as Params };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function invalid(message: string): RpcFailure {
  return new RpcFailure(RPC.invalidRequest, message, { status: 400 });
}
