import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { mergeChunks } from "./merge-chunks.ts";

const pieces: number[] = [];

/** Sends a body in these chunks and resolves with what the server received. */
async function send(chunks: readonly string[], maxBytes?: number): Promise<string> {
  pieces.length = 0;
  const server = createServer((request, response) => {
    mergeChunks(request, maxBytes);
    let body = "";
    request.on("error", () => undefined);
    request.on("data", (piece: Buffer) => {
      pieces.push(piece.length);
      body += piece.toString("latin1");
    });
    request.on("end", () => response.end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ port, method: "POST", agent: false }, (response) => resolve(text(response)));
    sent.on("error", reject);
    for (const chunk of chunks) sent.write(chunk, "latin1");
    sent.end();
  });
}

test("the chunks of a body are merged, whatever their sizes are", async () => {
  const chunks = [..."abc", "x".repeat(5000), ...Array.from({ length: 9000 }, (_, i) => String(i % 10)), "é"];
  const received = await send(chunks);
  expect(Buffer.from(received).toString()).toBe(chunks.join(""));
  expect(pieces.length).toBeLessThan(10);
});

test("a body of too many tiny chunks ends the connection", async () => {
  await expect(send(Array.from({ length: 10_001 }, () => "a"))).rejects.toThrow();
  expect(await send(Array.from({ length: 10_001 }, () => "0123456789abcdef"))).toHaveLength(160_016);
});

test("a body over its limit ends the connection", async () => {
  const chunks = Array.from({ length: 10 }, () => "x".repeat(10_000));
  expect(await send(chunks, 100_000)).toHaveLength(100_000);
  await expect(send(chunks, 99_999)).rejects.toThrow();
});
