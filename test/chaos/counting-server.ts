import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingServer {
  address: string;
  /** Arrival times by task and step, `task_1:call`. */
  arrivals: Map<string, number[]>;
  /** Resolves when everything that was sent before has been counted, also by a process that no longer lives. */
  allCounted(): Promise<void>;
  /** Responds to all requests held at `/held`, and to later ones at once. */
  release(): void;
  close(): Promise<void>;
}

/**
 * The server that workflows call. `/ok` responds, `/slow` responds late, `/long` after `longMs`, `/held` waits to be
 * released, `/flaky` fails the first time it sees a step. All record the arrival of each step, which shows a step that
 * was executed again.
 */
export async function startCountingServer(
  onRequest?: (request: IncomingMessage) => void,
  longMs: () => number = () => 0,
): Promise<CountingServer> {
  const arrivals = new Map<string, number[]>();
  let held: (() => void)[] | undefined = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/counted") {
      response.end();
      return;
    }
    // The key goes on with the request and its answered failures: the step is the same for all of its requests.
    const key = String(request.headers["idempotency-key"]).split(":").slice(0, 2).join(":");
    const url = new URL(request.url ?? "/", "http://loopback");
    const before = arrivals.get(key) ?? [];
    arrivals.set(key, [...before, Date.now()]);
    onRequest?.(request);
    const fails = url.pathname === "/flaky" && before.length === 0;
    const answer = (): void => {
      response.writeHead(fails ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ n: Number(url.searchParams.get("n")) }));
    };
    if (url.pathname === "/slow") setTimeout(answer, 40);
    else if (url.pathname === "/long") setTimeout(answer, longMs());
    else if (url.pathname === "/held" && held !== undefined) held.push(answer);
    else answer();
  });
  // While the history is read, this process responds to nothing: a connection closed as idle would fail a step.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    arrivals,
    async allCounted() {
      // The first request is accepted after every connection that waited, the second one is read after theirs.
      for (let turn = 0; turn < 2; turn += 1) await responseOf(`${address}/counted`);
    },
    release() {
      for (const answer of held ?? []) answer();
      held = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Over a new connection. */
function responseOf(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => response.resume().once("end", resolve)).once("error", reject);
  });
}
