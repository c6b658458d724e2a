import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEgress } from "./egress.ts";
import { Exchange } from "./exchange.ts";

const MEGABYTE = 1024 * 1024;
const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
const answers: Record<string, (response: ServerResponse) => void> = {
  "/hints": (response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.end("after the hints");
  },
  "/large": (response) => response.end(Buffer.alloc(3 * MEGABYTE, "x")),
  "/moved": (response) => response.writeHead(302, { location: "/end" }).end("here"),
  "/moved-large": (response) =>
    response.writeHead(302, { location: "/end" }).end(Buffer.alloc(3 * MEGABYTE, "x")),
  "/end": (response) => response.end("end"),
};
const sockets = new Set<object>();
const server = createServer((request, response) => {
  sockets.add(request.socket);
  request.resume();
  answers[request.url ?? ""]?.(response);
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await egress.close();
  server.close();
});

test("an informational head is not the response", async () => {
  expect(await egress.fetch(`${base}/hints`)).toMatchObject({
    status: 200,
    body: Buffer.from("after the hints"),
  });
  let saved = "";
  const saveBody = async (body: Readable) => {
    for await (const chunk of body) saved += String(chunk);
  };
  const { status, headers } = await egress.fetch(`${base}/hints`, { saveBody });
  expect([status, saved]).toEqual([200, "after the hints"]);
  expect(headers).not.toHaveProperty("link");
});

test("a large body is read on only after its caller agrees", async () => {
  let agree = () => {};
  const agreed = new Promise<void>((resolve) => (agree = resolve));
  let calls = 0;
  let ended = false;
  const pending = egress
    .fetch(`${base}/large`, { onLargeBody: () => (calls++, agreed) })
    .finally(() => (ended = true));
  await expect.poll(() => calls).toBe(1);
  // Meanwhile another one arrives whole.
  expect((await egress.fetch(`${base}/large`)).body).toHaveLength(3 * MEGABYTE);
  expect(ended).toBe(false);
  agree();
  expect((await pending).body).toHaveLength(3 * MEGABYTE);
  expect(calls).toBe(1);
});

test("a caller that refuses a large body ends the request", async () => {
  const refused = egress.fetch(`${base}/large`, { onLargeBody: () => Promise.reject(new Error("no room")) });
  await expect(refused).rejects.toMatchObject({ cause: { message: "no room" } });
});

test("the body of a redirect is not kept, and a small one leaves its connection open", async () => {
  expect(await egress.fetch(`${base}/moved-large`)).toMatchObject({ body: Buffer.from("end") });
  const fresh = createEgress({ allowPrivate: true, allow: [], deny: [] });
  sockets.clear();
  for (let call = 0; call < 5; call += 1)
    expect(await fresh.fetch(`${base}/moved`)).toMatchObject({ body: Buffer.from("end") });
  expect(sockets.size).toBeLessThan(5);
  await fresh.close();
});

test("an upload that cannot be sent is closed", async () => {
  const body = Readable.from(["words"]);
  const upload = { bytes: 5, open: () => Promise.resolve(body) };
  const closed = createEgress({ allowPrivate: false, allow: [], deny: [] });
  await expect(closed.fetch(`${base}/end`, { method: "POST", body: upload })).rejects.toMatchObject({
    code: "egress_denied",
  });
  expect(body.destroyed).toBe(true);
  await closed.close();
});

test("a body of thousands of tiny chunks lets others run, and is whole", () => {
  let pauses = 0;
  const controller = { pause: () => pauses++, resume: () => undefined } as never;
  let body: unknown;
  const exchange = new Exchange({ dispatch: () => true } as never, {} as never, {
    beforeSend: () => undefined,
    streams: () => false,
    onGrowth: () => undefined,
    received: (response) => void (body = response.body),
    failed: () => undefined,
  });
  exchange.onResponseStart(controller, 200, {});
  for (let i = 0; i < 2500; i++) exchange.onResponseData(controller, Buffer.from(String(i % 10)));
  exchange.onResponseEnd();
  expect(String(body)).toBe("0123456789".repeat(250));
  expect(pauses).toBe(2);
});
