import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app } = await shareApp([]);

test("/health and /ready need no login", async () => {
  for (const url of ["/health", "/ready"]) {
    const { status, body } = await app.anonymous.get(url);
    expect([status, body]).toEqual([200, { ok: true }]);
  }
});

test("/metrics is Prometheus text that counts requests by route, not by URL", async () => {
  const alice = await registerUser(app);
  await alice.get("/api/workflows/wf_unknown");
  await app.anonymous.get("/nowhere/at/all");
  const { status, headers, text } = await app.anonymous.get("/metrics");
  expect(status).toBe(200);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).toContain(
    'baton_http_request_seconds_count{method="GET",route="/api/workflows/:id",status="404"} 1',
  );
  expect(text).not.toMatch(/wf_unknown|nowhere/);
});

test("every response has a generated x-request-id, or the caller's if it is safe", async () => {
  const first = await app.anonymous.get("/health");
  const second = await app.anonymous.get("/health");
  expect(first.headers["x-request-id"]).toMatch(/^req_/);
  expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
  const own = await app.anonymous.get("/health", { "x-request-id": "trace-1.a_b" });
  expect(own.headers["x-request-id"]).toBe("trace-1.a_b");
  for (const forged of ["a b", "x".repeat(65), "<script>", ""]) {
    const response = await app.anonymous.get("/health", { "x-request-id": forged });
    expect(response.headers["x-request-id"]).toMatch(/^req_/);
  }
});

test.each(["/health", "/nowhere", "/api/workflows", "/api/openapi.json"])(
  "%s has the security headers",
  async (url) => {
    const { headers } = await app.anonymous.get(url);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-powered-by"]).toBeUndefined();
  },
);

test("HEAD has the status and headers of GET and no body, and is counted as HEAD", async () => {
  const listening = await useTestApp();
  const address = await listening.listen();
  const { token } = await registerUser(listening, "henry");
  const headers = { authorization: `Bearer ${token}` };
  for (const url of ["/api/workflows", "/api/workflows/wf_unknown", "/nowhere", "/api/openapi.json"]) {
    const get = await fetch(address + url, { headers });
    const head = await fetch(address + url, { method: "HEAD", headers });
    const { byteLength } = await get.arrayBuffer();
    expect([url, head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      url,
      get.status,
      get.headers.get("content-type"),
      "",
    ]);
    // The message names the method.
    if (url !== "/nowhere") expect(head.headers.get("content-length")).toBe(String(byteLength));
  }
  expect((await fetch(`${address}/api/workflows`, { method: "HEAD" })).status).toBe(401);
  expect((await listening.anonymous.get("/metrics")).text).toContain(
    'baton_http_request_seconds_count{method="HEAD",route="/api/workflows",status="200"} 1',
  );
});

test("a HEAD request of an event stream returns at once", async () => {
  const alice = await registerUser(app, "alice");
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await alice.post("/api/workflows", { name: "Asks", metadata: { steps } })).body;
  const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const { status } = await alice.call(`/api/tasks/${taskId}/events`, { method: "HEAD" });
  expect(status).toBe(404);
});

const origin = "https://page.example";
const preflight = { origin, "access-control-request-method": "POST" };

test("[S24] no other origin is allowed by default", async () => {
  const simple = await app.anonymous.get("/health", { origin });
  const asked = await app.anonymous.call("/api/workflows", { method: "OPTIONS", headers: preflight });
  for (const { headers } of [simple, asked]) {
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("only the origins in CORS_ORIGINS are allowed", async () => {
  const open = await useTestApp({ CORS_ORIGINS: `${origin}, https://other.example` });
  const asked = await open.anonymous.call("/api/workflows", { method: "OPTIONS", headers: preflight });
  expect(asked.status).toBe(204);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    expect(asked.headers["access-control-allow-methods"]).toContain(method);
  expect((await open.anonymous.call("/api/workflows", { method: "OPTIONS" })).status).toBe(204);
  expect(asked.headers["access-control-allow-origin"]).toBe(origin);
  const stranger = await open.anonymous.get("/health", { origin: "https://evil.example" });
  expect(stranger.headers["access-control-allow-origin"]).not.toBe("https://evil.example");
});

/** The raw response of a listening service to these bytes. */
async function exchange(bytes: string): Promise<string> {
  const listening = await useTestApp();
  const { port } = new URL(await listening.listen());
  const socket = connect(Number(port), "127.0.0.1");
  socket.end(bytes);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, "close");
  return text;
}

test("bytes that are not HTTP get the contract's error", async () => {
  const text = await exchange("this is no HTTP\r\n\r\n");
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/x-request-id: req_/);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
    ok: false,
    error: "invalid_request",
  });
});

test("a request with too large headers is told so", async () => {
  const text = await exchange(
    `GET /health HTTP/1.1\r\nhost: localhost\r\nx-a: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(text).toMatch(
    /^HTTP\/1\.1 431 [^]*"message":"The URL and the headers of the request are larger than/,
  );
});

test("a HEAD request that cannot be parsed gets a response without a body", async () => {
  const text = await exchange(`HEAD /health?${"x".repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 431 /);
  expect(text.endsWith("\r\n\r\n")).toBe(true);
});

test("a request without a Host header gets the contract's error", async () => {
  const text = await exchange("GET /health HTTP/1.1\r\nconnection: close\r\n\r\n");
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*x-request-id: req_/);
  const details = [{ path: "headers.host", message: expect.any(String) }];
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
    error: "invalid_request",
    details,
  });
});

test("an unknown Expect header is ignored", async () => {
  const text = await exchange(
    "GET /health HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n",
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id: req_[^]*\{"ok":true\}$/);
});

test("the documentation page loads only from this server", async () => {
  const page = await app.anonymous.get("/api/docs/");
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toMatch(/^text\/html/);
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    expect(address).not.toMatch(/^(https?:)?\/\//);
    expect((await app.anonymous.get(new URL(address, "http://x/api/docs/").pathname)).status).toBe(200);
  }
});
