import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../../contract/errors.ts";
import { hostNotAllowed, type IsAllowedHost } from "../http/allowed-hosts.ts";
import { errorBody } from "../http/errors.ts";
import { allowAnyNumberOfHeaders, ignoreUpgrade } from "../http/ignored-upgrades.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { IoServer } from "./io.ts";
import { isAllowedOrigin } from "./origin.ts";
import { openSockets, type SocketsDeps } from "./sockets.ts";

export interface SocketUpgradeDeps extends SocketsDeps {
  publicUrl: string | undefined;
  isAllowedHost: IsAllowedHost;
}

const PATH = /^\/socket\.io\/?(\?|$)/;

function opensSocket({ url = "", headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket" && PATH.test(url);
}

/** Serves Socket.IO on the service's port: long polling as a route, WebSocket as an upgrade, both after the origin check. */
export function serveSockets(app: HttpServer, deps: SocketUpgradeDeps): void {
  let opening: Promise<IoServer> | undefined;
  const open = (): Promise<IoServer> => (opening ??= openSockets(deps));
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    isAllowedOrigin(headers.origin, headers.host, deps);

  void app.register(async (scope) => {
    // Socket.IO reads the bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const url of ["/socket.io", "/socket.io/"]) {
      scope.route({
        method: ["GET", "POST"],
        url,
        config: { auth: "public", audit: { none: "transport of events" } },
        schema: { hide: true },
        handler: async (request, reply) => {
          if (!isAllowed(request.raw))
            throw new AppError("forbidden", "This origin may not open sockets. Add it to CORS_ORIGINS.");
          const io = await open();
          reply.hijack();
          for (const [name, value] of Object.entries(reply.getHeaders()))
            if (value !== undefined) reply.raw.setHeader(name, value);
          io.engine.handleRequest(
            request.raw as Parameters<IoServer["engine"]["handleRequest"]>[0],
            reply.raw,
          );
        },
      });
    }
  });

  allowAnyNumberOfHeaders(app.server);
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!opensSocket(request)) return ignoreUpgrade(app.server, request, socket, head);
    // Until Socket.IO takes the socket over, an unhandled error event would end the process.
    socket.on("error", () => socket.destroy());
    // An upgrade does not pass the hooks of the server, so the Host header is checked here too.
    if (!deps.isAllowedHost(request.headers.host)) {
      const { code, message } = hostNotAllowed();
      return refuse(socket, 421, code, message);
    }
    if (!isAllowed(request))
      return refuse(socket, 403, "forbidden", "This origin may not open sockets. Add it to CORS_ORIGINS.");
    open().then(
      (io) =>
        io.engine.handleUpgrade(request as Parameters<IoServer["engine"]["handleUpgrade"]>[0], socket, head),
      (error: unknown) => {
        deps.onError(error, "opening the socket server");
        refuse(socket, 503, "unavailable", "The socket server could not be started. Try again.");
      },
    );
  });

  // In preClose: the HTTP server waits for connections to end, and sockets stay open until closed.
  app.addHook("preClose", async () => {
    await (await opening)?.close();
  });
}

const REASONS: Record<number, string> = {
  403: "Forbidden",
  421: "Misdirected Request",
  503: "Service Unavailable",
};

function refuse(socket: Duplex, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify(errorBody(code, message));
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
