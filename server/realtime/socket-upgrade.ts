import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../../contract/errors.ts";
import { errorBody } from "../http/errors.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { IoServer } from "./io.ts";
import { isAllowedOrigin } from "./origin.ts";
import { openSockets, type SocketsDeps } from "./sockets.ts";

export interface SocketUpgradeDeps extends SocketsDeps {
  publicUrl: string | undefined;
}

const PATH = /^\/socket\.io\/?(\?|$)/;

/** Socket.IO on the service's own address: polling as a route, WebSocket as an upgrade, both behind the origin check. */
export function serveSockets(app: HttpServer, deps: SocketUpgradeDeps): void {
  let opening: Promise<IoServer> | undefined;
  const opened = (): Promise<IoServer> => (opening ??= openSockets(deps));
  const isWelcome = ({ headers }: IncomingMessage): boolean =>
    isAllowedOrigin(headers.origin, headers.host, deps);

  void app.register(async (scope) => {
    // The bodies are Socket.IO's to read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const url of ["/socket.io", "/socket.io/"]) {
      scope.route({
        method: ["GET", "POST"],
        url,
        config: { auth: "public" },
        schema: { hide: true },
        handler: async (request, reply) => {
          if (!isWelcome(request.raw))
            throw new AppError("forbidden", "Sockets may not be opened from this origin.");
          const io = await opened();
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

  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Before Socket.IO has taken it over, nobody else listens to its errors.
    socket.on("error", () => socket.destroy());
    if (!PATH.test(request.url ?? ""))
      return refuse(socket, 404, "not_found", "There is nothing to upgrade to at this address.");
    if (!isWelcome(request))
      return refuse(socket, 403, "forbidden", "Sockets may not be opened from this origin.");
    opened().then(
      (io) =>
        io.engine.handleUpgrade(request as Parameters<IoServer["engine"]["handleUpgrade"]>[0], socket, head),
      (error: unknown) => {
        deps.onError(error, "opening the socket server");
        refuse(socket, 503, "unavailable", "Sockets cannot be opened right now.");
      },
    );
  });

  // Before the server waits for its connections to end: sockets never do by themselves.
  app.addHook("preClose", async () => {
    await (await opening)?.close();
  });
}

const REASONS: Record<number, string> = { 403: "Forbidden", 404: "Not Found", 503: "Service Unavailable" };

function refuse(socket: Duplex, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify(errorBody(code, message));
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
