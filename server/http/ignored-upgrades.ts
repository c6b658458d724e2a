import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Serves a request that asks for an upgrade as a plain one, which RFC 9110 allows. `curl --http2` and Java's HttpClient ask for
 * h2c on every plain HTTP request. Node has detached its parser from the socket by now, so the server gets the connection again,
 * with the head of the request before the bytes that follow it.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  socket.unshift(Buffer.concat([headWithoutUpgrade(request), rest]));
  afterResponses(socket, () => server.emit("connection", socket));
}

/**
 * Responses to earlier pipelined requests are sent first: they are queued in the state of the detached parser, and the server would
 * never send a response that is queued behind them in a new one.
 */
function afterResponses(socket: Duplex & { _httpMessage?: ServerResponse | null }, serve: () => void): void {
  const response = socket._httpMessage;
  if (!response) return serve();
  // Node took its own listeners off the socket.
  const drained = (): boolean => response.emit("drain");
  const failed = (): Duplex => socket.destroy();
  socket.on("drain", drained).on("error", failed);
  response.once("close", () => {
    socket.off("drain", drained).off("error", failed);
    if (!socket.destroyed) afterResponses(socket, serve);
  });
}

/**
 * By default Node drops headers after the thousandth. A head without its `content-length` would make a request of the body, which
 * a proxy in front has not seen. The size of a head stays limited.
 */
export function allowAnyNumberOfHeaders(server: Server): void {
  server.maxHeadersCount = 0;
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() !== "upgrade")
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  // The parser reads bytes as Latin-1.
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
