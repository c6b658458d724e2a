import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createTestServer } from "./testing/create-test-server.ts";
import { type BodyLimits, createUnfinishedBodies } from "./unfinished-bodies.ts";

const WIDE: BodyLimits = { networkBytes: 1e9, totalBytes: 1e9 };
const PIECE = Buffer.alloc(8192, " ");

test("a network whose unfinished bodies hold too much gets 429 for the next one", async () => {
  const send = await listen({ networkBytes: 20_000 });
  const [first] = [await send("one", { pieces: 1 }), await send("one", { pieces: 1 })];
  const refused = await send("one", { pieces: 1 });
  await expect(refused.response()).resolves.toMatch(
    /^HTTP\/1\.1 429 [^]*retry-after: 5\r\n[^]*"error":"rate_limited"/,
  );
  // Others are served, and so is this network once a body has arrived.
  const other = await send("two", { pieces: 1 });
  other.finish();
  await expect(other.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
  first!.finish();
  await expect(first!.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
  const next = await send("one", { pieces: 1 });
  next.finish();
  await expect(next.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
});

test("many small bodies at once are served", async () => {
  const send = await listen({ networkBytes: 20_000 });
  const calls = [];
  for (let n = 0; n < 30; n++) calls.push(await send("one", { framing: "content-length: 1000" }));
  for (const call of calls) call.write(`{}${" ".repeat(998)}`);
  for (const call of calls) await expect(call.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ["without a length", "transfer-encoding: chunked"],
  ["of a declared length", "content-length: 60000"],
])("a body %s that exceeds the bytes of its network gets 429", async (_, framing) => {
  const send = await listen({ networkBytes: 40_000 });
  const bodies = [await send("one", { framing }), await send("one", { framing })];
  for (const body of [...bodies, ...bodies, ...bodies]) body.piece();
  await Promise.race(bodies.map((body) => body.response()));
  const responses = bodies.map((body) => body.received());
  expect(responses.toSorted()).toEqual(["", expect.stringMatching(/^HTTP\/1\.1 429 /)]);
});

test("beyond the limit of all networks, the oldest body of the one that holds the most gets 503", async () => {
  const send = await listen({ totalBytes: 40_000 });
  const oldest = await send("many", { pieces: 2 });
  await send("many", { pieces: 1 });
  const other = await send("few", { pieces: 1 });
  const newest = await send("few", { pieces: 1 });
  await expect(oldest.response()).resolves.toMatch(
    /^HTTP\/1\.1 503 [^]*retry-after: 5\r\n[^]*"error":"unavailable"/,
  );
  for (const body of [other, newest]) {
    body.finish();
    await expect(body.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
  }
});

test("requests whose bodies have arrived do not count", async () => {
  const send = await listen({ networkBytes: 10_000 });
  for (let n = 0; n < 3; n++) {
    const call = await send("one", { path: "/slow", pieces: 1 });
    call.finish();
    await call.handled();
  }
  const next = await send("one", { pieces: 1 });
  next.finish();
  await expect(next.response()).resolves.toMatch(/^HTTP\/1\.1 200 /);
});

test("a client that leaves makes room for the next one", async () => {
  const send = await listen({ networkBytes: 10_000 });
  const first = await send("one", { pieces: 1 });
  first.leave();
  // The server notices a closed connection in its own time.
  let answer = "HTTP/1.1 429 ";
  while (answer.startsWith("HTTP/1.1 429 ")) {
    const next = await send("one", { pieces: 1 });
    next.finish();
    answer = await next.response();
  }
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("a connection that was reset before its body is counted has no address to count it by", async () => {
  const headers = { "content-length": "20000" };
  const raw = { headers, complete: false, destroyed: false, socket: {}, push: () => true };
  const request = {
    raw,
    routeOptions: {},
    get ip(): string {
      throw new Error("The address was read.");
    },
  } as unknown as FastifyRequest;
  createUnfinishedBodies(WIDE).watch(request, { sent: false } as FastifyReply);
  // An error would be an uncaught one, which fails the run.
  await new Promise((resolve) => setImmediate(resolve));
});

/** Each request is sent over its own connection, up to the start of its body. */
async function listen(limits: Partial<BodyLimits>) {
  const app = createTestServer({
    trustProxy: true,
    jsonBodyBytes: 1_000_000,
    unfinished: { ...WIDE, ...limits },
  });
  app.post("/", async () => ({ ok: true }));
  app.post("/slow", async () => new Promise(() => undefined));
  app.get("/turn", async () => ({ ok: true }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const address = { one: "192.0.2.1", two: "192.0.2.2", many: "192.0.2.3", few: "192.0.2.4" };

  /** The server has handled what was sent before. */
  async function turn(): Promise<void> {
    await (await fetch(`http://127.0.0.1:${port}/turn`)).text();
  }

  return async (
    from: keyof typeof address,
    { framing = "transfer-encoding: chunked", path = "/", pieces = 0 } = {},
  ) => {
    const client: Socket = connect(port, "127.0.0.1");
    onTestFinished(() => void client.destroy());
    client.on("error", () => undefined);
    let received = "";
    client.on("data", (chunk: Buffer) => (received += chunk.toString()));
    await once(client, "connect");
    const isChunked = framing.startsWith("transfer");
    client.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address[from]}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`,
    );
    if (isChunked) client.write("1\r\n{\r\n");

    function piece(): void {
      if (!client.writable) return;
      if (isChunked) client.write(`${PIECE.length.toString(16)}\r\n`);
      client.write(PIECE);
      if (isChunked) client.write("\r\n");
    }
    await turn();
    for (let n = 0; n < pieces; n++) piece();
    await turn();
    return {
      piece,
      write: (text: string) => void client.write(text),
      finish: () => void client.write("1\r\n}\r\n0\r\n\r\n"),
      leave: () => void client.destroy(),
      handled: turn,
      received: () => received,
      response: async () => {
        // A connection that is closed without a response fails the test at once.
        while (!received.includes("\r\n\r\n") && !client.destroyed)
          await Promise.race([once(client, "data"), once(client, "close")]);
        return received;
      },
    };
  };
}
