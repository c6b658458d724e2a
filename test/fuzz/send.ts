import { Agent, request as httpRequest } from "node:http";

export interface RawAnswer {
  status: number;
  contentType: string;
  requestId: string | undefined;
  text: string;
  ms: number;
}

/** An event stream has no end of its own; so much of it is enough to see whose it is. */
const STREAM_MS = 30;

export interface Sender {
  send(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string | Buffer | undefined,
  ): Promise<RawAnswer>;
  close(): void;
}

/** Requests as they are: no address is put right on the way, and an unreadable one is an answer like any other. */
export function createSender(address: string, retryForMs: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { hostname, port } = new URL(address);
  return {
    close: () => agent.destroy(),
    send: (method, url, headers, body) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const outgoing = httpRequest({
          agent,
          hostname,
          port,
          method,
          path: url,
          // Node frames no body of a GET or HEAD by itself, and what follows would be read as the next request.
          headers:
            body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
          timeout: retryForMs,
        });
        outgoing.on("error", reject);
        outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${retryForMs} ms`)));
        outgoing.on("response", (response) => {
          const ms = performance.now() - began;
          const pieces: Buffer[] = [];
          const done = (): void =>
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers["content-type"] ?? "",
              requestId: response.headers["x-request-id"] as string | undefined,
              text: Buffer.concat(pieces).toString("utf8"),
              ms,
            });
          response.on("data", (piece: Buffer) => pieces.push(piece));
          response.on("end", done);
          response.on("error", done);
          if (response.headers["content-type"]?.startsWith("text/event-stream") === true)
            setTimeout(() => {
              done();
              response.destroy();
            }, STREAM_MS);
        });
        outgoing.end(body);
      }),
  };
}
