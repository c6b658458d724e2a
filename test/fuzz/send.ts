import { Agent, request as httpRequest } from "node:http";

export interface RawResponse {
  status: number;
  contentType: string;
  requestId: string | undefined;
  text: string;
  ms: number;
}

/** An event stream does not end; this much of it suffices to check for leaks. */
const STREAM_MS = 30;

export interface Sender {
  send(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string | Buffer | undefined,
  ): Promise<RawResponse>;
  close(): void;
}

/** Sends requests unchanged: no client normalizes the URL, and an unparsable response is returned as it is. */
export function createSender(address: string, retryForMs: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const { hostname, port } = new URL(address);
  return {
    close: () => agent.destroy(),
    send: (method, url, headers, body) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        sendOnce();

        function sendOnce(): void {
          const outgoing = httpRequest({
            agent,
            hostname,
            port,
            method,
            path: url,
            // Node does not frame the body of a GET or HEAD; the server would read it as the next request.
            headers:
              body === undefined
                ? headers
                : { ...headers, "content-length": String(Buffer.byteLength(body)) },
            timeout: retryForMs,
          });
          // The service may close an idle connection just when the next request is on its way.
          outgoing.on("error", (error: NodeJS.ErrnoException) => {
            if (outgoing.reusedSocket && error.code === "ECONNRESET") sendOnce();
            else reject(error);
          });
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
        }
      }),
  };
}
