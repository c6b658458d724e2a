import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { useTestApp } from "./support/test-app.ts";
import { upgradeStatus } from "./support/upgrade-status.ts";

const { app, ada } = await shareApp(["ada"]);
const foreign = { host: "rebinding.example:3000" };
const refused = { ok: false, error: "host_not_allowed", message: expect.stringContaining("ALLOWED_HOSTS") };

test("[S35] a page that points its own name at this service can neither register nor read", async () => {
  const responses = [
    await app.anonymous.post(
      "/api/auth/register",
      { email: "mallory@example.com", password: "long enough words" },
      foreign,
    ),
    await ada.get("/api/workflows", foreign),
    await app.anonymous.get("/", foreign),
    await app.anonymous.get("/metrics", foreign),
    await app.anonymous.get("/api/openapi.json", foreign),
    await app.anonymous.get("/nowhere", foreign),
    await app.anonymous.get("/socket.io/?EIO=4&transport=polling", foreign),
  ];
  for (const { status, body } of responses) expect([status, body]).toEqual([421, refused]);
  expect(await app.sql("select id from account where email = 'mallory@example.com'")).toEqual([]);
});

test("a forwarded host does not replace the Host header, even behind a trusted proxy", async () => {
  const proxied = await useTestApp({ TRUST_PROXY: "1" });
  const forwarded = { ...foreign, "x-forwarded-host": "localhost" };
  expect((await proxied.anonymous.get("/metrics", forwarded)).status).toBe(421);
});

test("probes reach /health and /ready under any name", async () => {
  for (const url of ["/health", "/ready"])
    for (const host of ["10.1.2.3:3000", "rebinding.example"])
      expect((await app.anonymous.get(url, { host })).status).toBe(200);
});

test("the names of PUBLIC_URL and ALLOWED_HOSTS are served", async () => {
  const named = await useTestApp({
    PUBLIC_URL: "https://baton.example.com",
    ALLOWED_HOSTS: "10.1.2.3,*.internal",
  });
  for (const host of ["baton.example.com", "10.1.2.3:3000", "baton.internal:3000", "localhost:3000"])
    expect((await named.anonymous.get("/metrics", { host })).status).toBe(200);
  expect((await named.anonymous.get("/metrics", { host: "10.1.2.4:3000" })).status).toBe(421);
});

test("[S35] no socket opens under a foreign name", async () => {
  const address = await app.listen();
  expect(await socketStatus(address, "rebinding.example")).toBe(421);
  expect(await socketStatus(address, "localhost")).toBe(101);
});

function socketStatus(address: string, host: string): Promise<number> {
  const headers = {
    host,
    origin: `http://${host}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
  };
  return upgradeStatus(`${address}/socket.io/?EIO=4&transport=websocket`, headers);
}
