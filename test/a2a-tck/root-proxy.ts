import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The TCK expects one agent per host: its card at `/.well-known/agent-card.json` and its operations at the root.
 * This proxy serves the agent at `agentUrl` there, and replaces the agent's address in the card by its own.
 */
export async function startRootProxy(
  agentUrl: string,
  headers: Record<string, string>,
): Promise<{ address: string; close(): void }> {
  const { hostname, port, pathname } = new URL(agentUrl);
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url === "/" ? pathname : pathname + incoming.url;
    const isCard = incoming.url?.endsWith("agent-card.json") === true;
    const upstream = request(
      {
        hostname,
        port,
        path,
        method: incoming.method,
        headers: { ...incoming.headers, ...headers, host: `${hostname}:${port}` },
      },
      (response) => {
        if (!isCard) {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
          return;
        }
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () => {
          const { "content-length": _, ...rest } = response.headers;
          outgoing.writeHead(response.statusCode ?? 502, rest).end(text.replaceAll(agentUrl, address));
        });
      },
    );
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // By name: the TCK takes an address of a private network in the card for a leak.
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    address,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
