import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type FakeRedis, startFakeRedis } from "../../../test/support/fake-redis.ts";
import { SELF_SIGNED } from "../../../test/support/self-signed.ts";
import { createEgress } from "../../security/egress.ts";
import { createReplyReader } from "./resp.ts";
import { runRedis, testRedis } from "./testing/redis-contract.ts";

let server: FakeRedis;
beforeAll(async () => {
  server = await startFakeRedis({});
});
afterAll(() => server.close());

const url = (port = server.port, scheme = "redis") => `${scheme}://127.0.0.1:${port}`;
const get = { command: "get", key: "k" };

async function startServer(serve: (socket: Socket) => void): Promise<number> {
  const hostile = createServer((socket) => serve(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void hostile.close());
  return (hostile.address() as AddressInfo).port;
}

describe("the redis step, on a server that only speaks the protocol", () => {
  testRedis(() => url());

  test("a redirect of a cluster is followed through the guard", async () => {
    const other = await startFakeRedis();
    onTestFinished(other.close);
    await runRedis(url(other.port), { command: "set", key: "k", value: "of the other node" });
    server.move(`127.0.0.1:${other.port}`);
    expect(await runRedis(url(), get)).toBe("of the other node");
    const guarded = createEgress({ allowPrivate: false, allow: [`127.0.0.1:${server.port}`], deny: [] });
    await expect(runRedis(url(), get, { egress: guarded })).rejects.toMatchObject({ code: "egress_denied" });
    server.move(`127.0.0.1:${server.port}`);
    await expect(runRedis(url(), get)).rejects.toMatchObject({ code: "query_failed" });
    server.move(undefined);
  });

  test("a redirect to another host is not followed: it would get the password", async () => {
    const other = await startFakeRedis();
    onTestFinished(other.close);
    server.move(`localhost:${other.port}`);
    onTestFinished(() => server.move(undefined));
    await expect(runRedis(url(), get)).rejects.toMatchObject({
      code: "query_failed",
      message: expect.stringContaining(`MOVED`),
    });
  });

  test("with TLS the certificate must be that of the host, not of the address", async () => {
    const secure = await startFakeRedis({ tls: { cert: SELF_SIGNED.certificate, key: SELF_SIGNED.key } });
    onTestFinished(secure.close);
    const trust = { ca: SELF_SIGNED.certificate };
    const at = (host: string) => `rediss://${host}:${secure.port}`;
    expect(await runRedis(at("localhost"), get, { trust })).toBeNull();
    await expect(runRedis(at("localhost"), get)).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("certificate"),
    });
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const egress = createEgress({ allowPrivate: true, allow: [], deny: [], lookup });
    await expect(runRedis(at("redis.example.test"), get, { trust, egress })).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("certificate"),
    });
  });

  test.each([
    ["a push message without a type", ">1\r\n$-1\r\n"],
    ["a list of lists that declare 33,000,000 items each", "*33000000\r\n".repeat(20)],
    ["a list that is nested too deeply", "*1\r\n".repeat(20_000)],
    ["a length that is no number", "$x\r\n"],
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["a line without an end", `+${"a".repeat(100_000)}`],
    ["a number instead of a list", ":1\r\n"],
  ])("a hostile server that sends %s fails the step, not the process", async (_name, reply) => {
    const hostile = await startServer((socket) => socket.once("data", () => socket.write(reply)));
    await expect(runRedis(url(hostile), { command: "hash_get", key: "k" })).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("EPROTO"),
    });
  });

  test("a reply is read whatever the pieces are in which it arrives", async () => {
    const list = ["x", "é".repeat(100_000), "", "\r\n"].map(
      (text) => `$${Buffer.byteLength(text)}\r\n${text}`,
    );
    const reply = Buffer.from(`*6\r\n${list.join("\r\n")}\r\n:-7\r\n$-1\r\n`);
    for (const size of [1, 7, reply.length]) {
      const pieces = async function* () {
        for (let at = 0; at < reply.length; at += size) yield reply.subarray(at, at + size);
      };
      expect(await createReplyReader(pieces())()).toEqual(["x", "é".repeat(100_000), "", "\r\n", -7, null]);
    }
  });

  test("a server without a password accepts a URL with one", async () => {
    const refusal = "-ERR AUTH <password> called without any password configured for the default user.\r\n";
    const open = await startServer((socket) =>
      socket.on("data", (chunk) => socket.write(chunk.includes("AUTH") ? refusal : "$2\r\nok\r\n")),
    );
    expect(await runRedis(`redis://:secret@127.0.0.1:${open}`, get)).toBe("ok");
  });

  test("a server that never answers ends with the step's signal", async () => {
    const controller = new AbortController();
    const silent = await startServer((socket) =>
      socket.once("data", () => controller.abort(new Error("cancelled"))),
    );
    await expect(runRedis(url(silent), get, { signal: controller.signal })).rejects.toThrow("cancelled");
  });
});
