import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type FakeRedis, startFakeRedis } from "../../../test/support/fake-redis.ts";
import { SELF_SIGNED } from "../../../test/support/self-signed.ts";
import { createEgress } from "../../security/egress.ts";
import { runRedis, testRedis } from "./testing/redis-contract.ts";

let server: FakeRedis;
beforeAll(async () => {
  server = await startFakeRedis({});
});
afterAll(() => server.close());

const url = (port = server.port, scheme = "redis") => `${scheme}://127.0.0.1:${port}`;
const get = { command: "get", key: "k" };

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

  test("a server that never answers ends with the step's signal", async () => {
    const controller = new AbortController();
    const { createServer } = await import("node:net");
    const silent = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => controller.abort(new Error("cancelled")));
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    await expect(runRedis(url(port), get, { signal: controller.signal })).rejects.toThrow("cancelled");
  });
});
