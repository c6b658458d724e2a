import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedMessage {
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedMessage[];
  /** The status of the responses from now on. */
  respondWith(status: number, body?: string): void;
  close(): Promise<void>;
}

/** An address that stores what it is sent. */
export async function openReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  let answer = { status: 200, body: "" };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    received.push({ headers: request.headers, text, body: text === "" ? undefined : JSON.parse(text) });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    respondWith: (status, body = "") => void (answer = { status, body }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
