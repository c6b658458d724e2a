import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { serialize } from "../lib/serialize-json.ts";
import type { Channel } from "./call.ts";

/** The response of one POST: JSON, or an event stream from the first message on. */
export interface McpReply extends Channel {
  readonly hasBegun: boolean;
  /** Ends the stream, with the response as its last message. */
  end(body: object | undefined): Promise<void>;
}

const KEEP_ALIVE_MS = 15_000;
/** A client that does not read is disconnected; its run continues. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** `closing`: shutdown does not wait for runs, so waiting clients get the current state. */
export function createReplies(
  closing: AbortSignal,
): (request: FastifyRequest, reply: FastifyReply) => McpReply {
  return (request, reply) => {
    const response: ServerResponse = reply.raw;
    const left = new AbortController();
    response.once("close", () => left.abort());
    if (response.closed) left.abort();
    const acceptsStream = /\btext\/event-stream\b|\*\/\*/.test(request.headers.accept ?? "*/*");
    let keepAlive: NodeJS.Timeout | undefined;

    function write(text: string): void {
      if (left.signal.aborted) return;
      response.write(text);
      if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
    }
    const event = (json: string): string => `event: message\ndata: ${json}\n\n`;

    function begin(): void {
      reply.hijack();
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        // Tells nginx not to hold events back.
        "x-accel-buffering": "no",
      });
      keepAlive = setInterval(() => write(": keep-alive\n\n"), KEEP_ALIVE_MS);
    }

    return {
      signal: AbortSignal.any([left.signal, closing]),
      isStream: acceptsStream,
      get hasBegun() {
        return keepAlive !== undefined;
      },
      send(message) {
        if (!acceptsStream) return;
        if (keepAlive === undefined) begin();
        write(event(JSON.stringify(message)));
      },
      async end(body) {
        clearInterval(keepAlive);
        // The result of a run may be large. Nothing follows it, so it may wait for the client.
        if (body !== undefined && !left.signal.aborted) response.write(event(await serialize(body)));
        response.end();
      },
    };
  };
}
