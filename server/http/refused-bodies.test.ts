import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createTestServer } from "./testing/create-test-server.ts";

test("a client that continues to send a refused body gets the response and is disconnected", async () => {
  const app = createTestServer({ refusedBodyMs: 100 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  let received = "";
  client.on("data", (chunk: Buffer) => (received += chunk.toString()));
  client.write("POST /unknown HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  const sending = setInterval(() => client.write("4\r\nmore\r\n"), 5);
  onTestFinished(() => clearInterval(sending));
  // It may be reset while it sends: `once` of `node:events` would reject.
  await new Promise((resolve) => client.once("close", resolve));
  expect(received).toMatch(/^HTTP\/1\.1 404 /);
});
