import type { JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { isRecord } from "../../contract/placeholders/json-value.ts";

export interface TransportWatch {
  /** A response stream ended for good without its response. The MCP library ignores that, and the call would wait on. */
  onBroken(error: Error): void;
  /** A server returned a task handle in place of a result. The library rejects it without the handle. */
  onTask(handle: Record<string, unknown>): void;
}

export function watchTransport(
  transport: StreamableHTTPClientTransport,
  { onBroken, onTask }: TransportWatch,
): void {
  const open = new Set<unknown>();
  const onmessage = (message: JSONRPCMessage): void => {
    if (!("result" in message || "error" in message)) return;
    open.delete(message.id);
    if ("result" in message && isRecord(message.result) && message.result["resultType"] === "task")
      onTask(message.result);
  };
  // The client calls this handler before its own.
  Object.assign(transport, { onmessage });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) open.add(id);
    const ended = { onRequestStreamEnd: () => void (open.has(id) && onBroken(streamEnded())) };
    return send(message, { ...options, ...ended });
  };
}

function streamEnded(): Error {
  return new Error("The response stream ended without the response and could not be resumed.");
}
