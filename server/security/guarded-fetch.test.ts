import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import { createEgress } from "./egress.ts";

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
const servers: Server[] = [];
let base = "";
let silentCloses = 0;

const zeros = Buffer.alloc(8 * 1024 * 1024);
const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/echo": async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
  },
  "/gzip": (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain words")),
  "/asked-encodings": (request, response) => response.end(request.headers["accept-encoding"]),
  "/deflate": (_request, response) =>
    response.writeHead(200, { "content-encoding": "deflate" }).end(deflateSync("plain words")),
  "/br": (_request, response) =>
    response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("plain words")),
  "/twice": (_request, response) =>
    response
      .writeHead(200, { "content-encoding": "deflate, gzip" })
      .end(gzipSync(deflateSync("plain words"))),
  "/unknown-encoding": (_request, response) =>
    response.writeHead(200, { "content-encoding": "rot13" }).end("cynva jbeqf"),
  "/bomb": (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(zeros)),
  "/brotli-bomb": (_request, response) =>
    response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync(zeros)),
  "/layers": (_request, response) =>
    response
      .writeHead(200, { "content-encoding": "gzip, gzip, gzip, gzip" })
      .end([1, 2, 3, 4].reduce((bytes) => gzipSync(bytes), Buffer.from("x"))),
  "/broken-gzip": (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end("this is not gzip"),
  "/cut-gzip": (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain words").subarray(0, 15)),
  "/empty-gzip": (_request, response) => response.writeHead(204, { "content-encoding": "gzip" }).end(),
  "/bytes": (_request, response) => response.end(Buffer.alloc(1000, "x")),
  "/endless": (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(zeros.subarray(0, 65_536)));
    };
    response.on("drain", write);
    write();
  },
  "/silent": (request) => void request.socket.once("close", () => (silentCloses += 1)),
  "/stalls": (_request, response) => void response.write("first words"),
  "/many-headers": (_request, response) => {
    for (let i = 0; i < 100; i++) response.setHeader(`x-header-${i}`, "x".repeat(1000));
    response.end();
  },
  "/cut": (_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("part", () => response.destroy());
  },
  "/cookies": (_request, response) =>
    response.writeHead(200, { "set-cookie": ["a=1", "b=2"], "x-one": "1" }).end(),
};

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  base = await listen(
    createServer((request, response) => {
      const handle = routes[new URL(request.url ?? "/", "http://x").pathname];
      if (handle) handle(request, response);
      else response.writeHead(404).end("nothing here");
    }),
  );
});
afterAll(async () => {
  await egress.close();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

async function echo(init: Parameters<typeof egress.fetch>[1]) {
  const { body } = await egress.fetch(`${base}/echo`, init);
  return JSON.parse(body.toString()) as { method: string; headers: Record<string, string>; body: string };
}

test("method, headers and body are sent, and the response is complete", async () => {
  const seen = await echo({ method: "post", headers: { "X-Key": "k" }, body: "words" });
  expect(seen).toMatchObject({ method: "POST", body: "words", headers: { "x-key": "k" } });
  expect(await egress.fetch(`${base}/none#part`)).toMatchObject({ status: 404, url: `${base}/none` });
});

test("a caller cannot set the headers that frame or route the message", async () => {
  const { headers } = await echo({
    method: "POST",
    body: "four",
    headers: { Host: "internal.example", "Content-Length": "1", "Transfer-Encoding": "chunked", Expect: "x" },
  });
  expect(headers).toMatchObject({ host: base.slice("http://".length), "content-length": "4" });
  expect(headers).not.toHaveProperty("transfer-encoding");
});

test("repeated response headers are joined", async () => {
  expect((await egress.fetch(`${base}/cookies`)).headers).toMatchObject({
    "set-cookie": "a=1, b=2",
    "x-one": "1",
  });
});

test.each(["/gzip", "/deflate", "/br", "/twice"])("%s is decompressed", async (path) => {
  const response = await egress.fetch(base + path);
  expect(response.body.toString()).toBe("plain words");
  expect(response.headers).not.toHaveProperty("content-encoding");
});

test("deflate, of which servers send two kinds, is decompressed but not asked for", async () => {
  const { body } = await egress.fetch(`${base}/asked-encodings`);
  expect(body.toString()).toBe("gzip, br");
});

test("a body with an unknown encoding is returned as it is", async () => {
  const response = await egress.fetch(`${base}/unknown-encoding`);
  expect(response.body.toString()).toBe("cynva jbeqf");
  expect(response.headers["content-encoding"]).toBe("rot13");
});

test("a response without a body needs no decompression", async () => {
  expect(await egress.fetch(`${base}/empty-gzip`)).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  expect(await egress.fetch(`${base}/gzip`, { method: "HEAD" })).toMatchObject({ status: 200 });
});

test.each(["/broken-gzip", "/cut-gzip", "/layers"])("%s is an invalid response", async (path) => {
  await expect(egress.fetch(base + path)).rejects.toMatchObject({ code: "invalid_response" });
});

test("a body is read up to its limit and no further", async () => {
  expect((await egress.fetch(`${base}/bytes`, { maxBytes: 1000 })).body).toHaveLength(1000);
  await expect(egress.fetch(`${base}/bytes`, { maxBytes: 999 })).rejects.toMatchObject({
    code: "response_too_large",
    retryable: false,
  });
});

test.each(["/endless", "/bomb", "/brotli-bomb", "/many-headers"])("%s stops at the limit", async (path) => {
  await expect(egress.fetch(base + path, { maxBytes: 100_000 })).rejects.toMatchObject({
    code: "response_too_large",
  });
});

test.each(["/silent", "/stalls"])("%s ends at the time limit and is retryable", async (path) => {
  await expect(egress.fetch(base + path, { timeoutMs: 59.999 })).rejects.toMatchObject({
    code: "request_timeout",
    message: expect.stringContaining("did not respond within 60 ms"),
    retryable: true,
  });
});

test.each(["/silent", "/stalls"])("%s ends when the request is aborted", async (path) => {
  const controller = new AbortController();
  const pending = egress.fetch(base + path, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  await expect(pending).rejects.toMatchObject({ code: "aborted", retryable: false });
});

test("a request that ends at its time limit closes its connection", async () => {
  const before = silentCloses;
  // Long enough for the request to arrive on a busy machine too.
  await expect(egress.fetch(`${base}/silent`, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: "request_timeout",
  });
  await expect.poll(() => silentCloses).toBe(before + 1);
});

test("a request whose time ends while it is authorized is not sent", async () => {
  const controller = new AbortController();
  const sent: string[] = [];
  await expect(
    egress.fetch(`${base}/echo`, {
      signal: controller.signal,
      authorize: async () => controller.abort(),
      beforeSend: () => void sent.push("/echo"),
    }),
  ).rejects.toMatchObject({ code: "aborted" });
  await egress.fetch(`${base}/echo`);
  expect(sent).toEqual([]);
});

test("an aborted signal sends nothing and asks for no credentials", async () => {
  const calls: string[] = [];
  const authorize = async () => void calls.push("authorize");
  const beforeSend = () => void calls.push("send");
  const signal = AbortSignal.abort();
  await expect(egress.fetch(`${base}/echo`, { signal, authorize, beforeSend })).rejects.toMatchObject({
    code: "aborted",
  });
  expect(calls).toEqual([]);
});

test("a resolver that never responds ends at the time limit or when the request is aborted", async () => {
  const hanging = createEgress({
    allowPrivate: true,
    allow: [],
    deny: [],
    lookup: () => new Promise(() => {}),
  });
  await expect(hanging.fetch("http://slow.example/", { timeoutMs: 20 })).rejects.toMatchObject({
    code: "request_timeout",
  });
  const signal = AbortSignal.timeout(20);
  await expect(hanging.fetch("http://slow.example/", { signal })).rejects.toMatchObject({ code: "aborted" });
  await hanging.close();
});

test("a refused or lost connection is retryable, and the message omits the query", async () => {
  const closed = createTcpServer();
  const address = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const failure = await egress.fetch(`${address}/path?token=s3cret`).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: "connection_failed",
    retryable: true,
    message: expect.stringContaining("(ECONNREFUSED). No program accepts connections there"),
  });
  expect(String(failure)).not.toContain("s3cret");
  await expect(egress.fetch(`${base}/cut`)).rejects.toMatchObject({
    code: "connection_failed",
    retryable: true,
  });
});

test.each(["GET", "POST"])(
  "a 100 Continue that %s did not ask for is named, and nothing is sent again",
  async (method) => {
    let requests = 0;
    const address = await listen(
      createTcpServer((socket) =>
        socket
          .on("error", () => {})
          .on("data", () => {
            requests += 1;
            socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
          }),
      ),
    );
    await expect(egress.fetch(address, { method })).rejects.toMatchObject({
      code: "invalid_response",
      retryable: false,
      message: expect.stringContaining("100 Continue"),
    });
    expect(requests).toBe(1);
  },
);

test("a response that is not HTTP is a failed connection", async () => {
  const address = await listen(
    createTcpServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("SSH-2.0-OpenSSH\r\n"),
    ),
  );
  await expect(egress.fetch(address)).rejects.toMatchObject({ code: "connection_failed" });
});

test.each([
  "",
  "no address",
  "/path",
  "http://",
  "http://[::1",
  "http://[fe80::1%25eth0]/",
  "http://256.256.256.256/",
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://127.0.0.1:25/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock",
  "http://user@example.com/",
  "http://user:password@example.com/",
  "http://example.com@127.0.0.1/",
  "http://example.com%2F@127.0.0.1/",
])("[S3] %j is not a valid URL to call", async (url) => {
  await expect(egress.fetch(url)).rejects.toMatchObject({ name: "AppError", code: "invalid_url" });
});

test.each([
  [{ headers: { "x-a": "1\r\nx-injected: 2" } }],
  [{ headers: { "bad name": "1" } }],
  [{ method: "GET / HTTP/1.1\r\nx: y" }],
])("a request with invalid framing is rejected: %j", async (init) => {
  await expect(egress.fetch(`${base}/echo`, init)).rejects.toMatchObject({ code: "invalid_request" });
});

test("a read on a kept connection that the server closes is sent again, a write is not", async () => {
  const requests: string[] = [];
  const perConnection = new WeakMap<object, number>();
  const server = createServer(({ method, socket }, response) => {
    const served = (perConnection.get(socket) ?? 0) + 1;
    perConnection.set(socket, served);
    requests.push(`${method} ${served}`);
    // Every connection serves one request.
    if (served > 1) socket.destroy();
    else response.end("ok");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const outcomes = async (method: string): Promise<string[]> => {
    const found: string[] = [];
    for (let call = 0; call < 10; call += 1)
      found.push(
        await egress.fetch(url, { method, timeoutMs: 5000 }).then(
          ({ body }) => body.toString(),
          ({ code }: { code: string }) => code,
        ),
      );
    return found;
  };
  expect(await outcomes("GET")).toEqual(Array.from({ length: 10 }, () => "ok"));
  expect(requests).toContain("GET 2");
  const failed = (await outcomes("POST")).filter((outcome) => outcome === "connection_failed");
  expect(failed.length).toBeGreaterThan(0);
  expect(requests.filter((request) => request === "POST 2")).toHaveLength(failed.length);
});

test("a compressed read that breaks off is not sent again", async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (request.url === "/whole") return response.end("ok");
    response.writeHead(200, { "content-encoding": "gzip", "content-length": "100" });
    return response.write(gzipSync("plain words").subarray(0, 15), () => response.destroy());
  });
  const address = await listen(server);
  await egress.fetch(`${address}/whole`);
  await expect(egress.fetch(`${address}/part`)).rejects.toMatchObject({ code: "connection_failed" });
  await egress.fetch(`${address}/whole`);
  expect(paths).toEqual(["/whole", "/part", "/whole"]);
});

test("every request of a call is called before it is sent, and a call that forbids one sends no more", async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(302, { location: "/next" }).end();
  });
  const address = await listen(server);
  let calls = 0;
  const beforeSend = () => {
    calls += 1;
    if (calls === 2) throw new AppError("limit_reached", "no more");
  };
  await expect(egress.fetch(`${address}/first`, { beforeSend })).rejects.toMatchObject({
    code: "limit_reached",
  });
  expect(paths).toEqual(["/first"]);
});

test("a call that is cancelled while a redirect is followed sends no more", async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(302, { location: "/next" }).end();
  });
  const address = await listen(server);
  const controller = new AbortController();
  const onRedirect = () => controller.abort();
  const { signal } = controller;
  await expect(egress.fetch(`${address}/first`, { onRedirect, signal })).rejects.toMatchObject({
    code: "aborted",
  });
  await egress.fetch(`${address}/last`, { maxRedirects: 0 });
  expect(paths).toEqual(["/first", "/last"]);
});

test("credentials and saved bodies keep the async context of their call on a kept connection", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/first") response.writeHead(302, { location: "/next" }).end();
    else response.end("words");
  });
  const address = await listen(server);
  const context = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const call = (): Promise<unknown> =>
    egress.fetch(`${address}/first`, {
      authorize: async () => void seen.push(context.getStore()),
      async saveBody(body) {
        seen.push(context.getStore());
        for await (const _chunk of body);
      },
    });
  await context.run("a", call);
  await context.run("b", call);
  expect(seen).toEqual(["a", "a", "a", "b", "b", "b"]);
});
