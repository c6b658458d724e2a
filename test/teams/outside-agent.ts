import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Answer = { status?: number; body?: unknown };

/** The server of an external agent: records requests and sends the given reply. */
export async function outsideAgent(answer: (path: string, body: any) => Answer) {
  const received: { path: string; body: any; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    received.push({ path: request.url ?? "", body, headers: request.headers });
    const { status = 200, body: reply } = answer(request.url ?? "", body);
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(reply === undefined ? "" : JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
