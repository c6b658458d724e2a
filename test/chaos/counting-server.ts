import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingServer {
  address: string;
  /** When each Idempotency-Key has arrived here. */
  arrivals: Map<string, number[]>;
  /** Answers all who wait at `/held`, and from now on at once. */
  release(): void;
  close(): Promise<void>;
}

/**
 * The outside world of the workflows. `/ok` answers, `/slow` takes its time, `/held` waits to be released, `/flaky`
 * fails the first time it sees a key; all of them note who came when, which is how a step that was executed again shows.
 */
export async function startCountingServer(
  onRequest?: (request: IncomingMessage) => void,
): Promise<CountingServer> {
  const arrivals = new Map<string, number[]>();
  let held: (() => void)[] | undefined = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const key = String(request.headers["idempotency-key"]);
    const before = arrivals.get(key) ?? [];
    arrivals.set(key, [...before, Date.now()]);
    onRequest?.(request);
    const url = new URL(request.url ?? "/", "http://loopback");
    const fails = url.pathname === "/flaky" && before.length === 0;
    const answer = (): void => {
      response.writeHead(fails ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ n: Number(url.searchParams.get("n")) }));
    };
    if (url.pathname === "/slow") setTimeout(answer, 40);
    else if (url.pathname === "/held" && held !== undefined) held.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
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
