import type { JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppError } from "../lib/errors.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";

/** Of one call: progress and log messages included. */
const MAX_MESSAGES = 10_000;
/** A request of the server costs more: the library answers it with an HTTP request. */
const MESSAGES_PER_REQUEST = 100;

export interface TransportWatch {
  /**
   * A response stream ended for good without its response, which the MCP library ignores: the call would wait on. Or the
   * server sends messages without end, each of which the library parses and answers.
   */
  onBroken(error: Error): void;
  onRequest(method: string): void;
  /** A server returned a task handle in place of a result. The library rejects it without the handle. */
  onTask(handle: Record<string, unknown>): void;
}

export function watchTransport(
  transport: StreamableHTTPClientTransport,
  { onBroken, onRequest, onTask }: TransportWatch,
): void {
  const open = new Set<unknown>();
  let received = 0;
  const count = (messages: number): void => {
    received += messages;
    if (received > MAX_MESSAGES) onBroken(tooManyMessages());
  };
  const onmessage = (message: JSONRPCMessage): void => {
    count("method" in message && "id" in message ? MESSAGES_PER_REQUEST : 1);
    if (!("result" in message || "error" in message)) return;
    open.delete(message.id);
    if ("result" in message && isRecord(message.result) && message.result["resultType"] === "task")
      onTask(message.result);
  };
  // The client calls these handlers before its own. A message that cannot be parsed is an error.
  Object.assign(transport, { onmessage, onerror: () => count(1) });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) open.add(id);
    if ("method" in message) onRequest(message.method);
    const ended = { onRequestStreamEnd: () => void (open.has(id) && onBroken(streamEnded())) };
    return send(message, { ...options, ...ended });
  };
}

function streamEnded(): Error {
  return new Error("The response stream ended without the response and could not be resumed.");
}

function tooManyMessages(): AppError {
  return new AppError("response_too_large", `The server sent too many messages in one call.`);
}
