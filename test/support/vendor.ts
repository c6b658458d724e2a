import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Vendor {
  url: string;
  /** As a host entry of a connection. */
  host: string;
  requests: { method: string; url: string; headers: IncomingMessage["headers"] }[];
}

/** A service on loopback that records its requests; it ends with the test. */
export async function startVendor(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Vendor> {
  const requests: Vendor["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, requests };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
