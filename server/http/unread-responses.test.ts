import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { collectGarbage, oldBytes } from "../lib/testing/heap.ts";
import { createTestServer } from "./testing/create-test-server.ts";
import { createUnreadResponses } from "./unread-responses.ts";

test("the oldest responses of the network that holds the most are ended, until the rest fits", () => {
  const ended: string[] = [];
  const unread = createUnreadResponses(() => undefined, { maxBytes: 100, everyMs: 1_000_000 });
  onTestFinished(unread.stop);
  const add = (name: string, ip: string, writableLength: number, closed = false) => {
    const socket = { destroy: () => ended.push(name) };
    const response = { writableLength, closed, req: { socket } } as unknown as ServerResponse;
    return unread.add(response, { ip });
  };
  add("slow", "198.51.100.7", 40);
  add("first", "2001:db8::1", 40);
  const read = add("read", "2001:db8::1", 500);
  unread.remove(read);
  add("second", "2001:db8::2", 30);
  add("third", "2001:db8::3", 30);
  add("waits", "2001:db8::4", 0);
  add("of a client that left", "2001:db8::4", 500, true);
  expect([unread.enforce(), ended]).toEqual([1, ["first"]]);
  expect([unread.enforce(), ended]).toEqual([0, ["first"]]);
  add("fourth", "2001:db8::4", 50);
  expect([unread.enforce(), ended]).toEqual([2, ["first", "second", "third"]]);
});

test("minor collections free responses that have ended", () => {
  const unread = createUnreadResponses(() => undefined, { everyMs: 1_000_000 });
  onTestFinished(unread.stop);
  const [RESPONSES, RESPONSE_BYTES, OPEN] = [10_000, 4000, 50];
  collectGarbage();
  const before = oldBytes();
  const open: number[] = [];
  for (let added = 0; added < RESPONSES; added++) {
    const chunks = Array.from({ length: RESPONSE_BYTES / 8 }, (_, index) => index + added);
    open.push(unread.add({ chunks } as unknown as ServerResponse, { ip: "198.51.100.7" }));
    if (open.length > OPEN) unread.remove(open.shift()!);
    if (added % 200 === 0) collectGarbage("minor");
  }
  expect(oldBytes() - before).toBeLessThan((RESPONSES * RESPONSE_BYTES) / 4);
});

test("a connection whose client reads none of a large response is closed", async () => {
  const app = createTestServer({ unread: { maxBytes: 1024 * 1024, everyMs: 20 } });
  // More than what systems keep for a connection themselves.
  app.get("/large", () => "x".repeat(64 * 1024 * 1024));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const connections = () =>
    new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  const connected = once(app.server, "connection");
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  client.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  await connected;
  await expect.poll(connections).toBe(0);
});
