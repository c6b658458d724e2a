import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientNetwork } from "../security/address-classes.ts";
import type { HttpServer } from "./server.ts";

/** One response of server-sent events. */
export interface EventStream {
  /** Aborted when the client has left, its login has ended or the service stops. */
  readonly signal: AbortSignal;
  /** False until the first event: an error before it can still be a normal response. */
  readonly hasBegun: boolean;
  /** The data contains the name of the event, too: clients that read only the data can tell the events apart. */
  send(event: string, data: object): void;
  /** Sends an event without a name. */
  sendData(data: string): void;
  end(): void;
}

const KEEP_ALIVE_MS = 15_000;

/** For routes that check their own credential, in place of the login of the request. */
export interface StreamCaller {
  /** Whose streams are counted. */
  ownerId: string;
  /** Calls `onEnd` once the credential is no longer valid. */
  watch(onEnd: () => void): () => void;
}

/**
 * Opens streams of a route that answers one request each. `openStream` throws when the workspace or the address has too
 * many; shutdown does not wait for them.
 */
export function createEventStreams(
  app: HttpServer,
  openStream: (ownerId: string, network: string) => () => void,
): (request: FastifyRequest, reply: FastifyReply, caller?: StreamCaller) => EventStream {
  const open = new Set<ServerResponse>();
  app.addHook("preClose", (done) => {
    for (const response of open) response.destroy();
    done();
  });

  return (request, reply, caller) => {
    const endStream = openStream(caller?.ownerId ?? request.workspaceId, clientNetwork(request.ip));
    const response = reply.raw;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (response.closed) gone.abort();
    const unwatch = (caller?.watch ?? request.watchLogin.bind(request))(() => response.destroy());
    let keepAlive: NodeJS.Timeout | undefined;
    const write = (text: string) => void (gone.signal.aborted || response.write(text));

    function writeEvent(text: string): void {
      if (keepAlive === undefined) begin();
      write(`${text}\n\n`);
    }

    function begin(): void {
      reply.hijack();
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
      });
      open.add(response);
      keepAlive = setInterval(() => write(": keep-alive\n\n"), KEEP_ALIVE_MS);
    }

    return {
      signal: gone.signal,
      get hasBegun() {
        return keepAlive !== undefined;
      },
      send: (event, data) => writeEvent(`event: ${event}\ndata: ${JSON.stringify({ event, ...data })}`),
      sendData: (data) => writeEvent(`data: ${data}`),
      end() {
        unwatch();
        endStream();
        if (keepAlive === undefined) return;
        clearInterval(keepAlive);
        open.delete(response);
        response.end();
      },
    };
  };
}
