import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

const SLOW_MS = 200;
const LARGE_BYTES = 9_900_000;

/** The server that workflows of attackers and victims call. */
export async function startAttackServer(): Promise<{ url: string; close(): void }> {
  const large = gzipSync(JSON.stringify("x".repeat(LARGE_BYTES)));
  const server = createServer((request, response) => {
    if (request.url === "/silent") return;
    if (request.url === "/slow") return void setTimeout(() => response.end("{}"), SLOW_MS);
    if (request.url === "/large") {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      return void response.end(large);
    }
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
