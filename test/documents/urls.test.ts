import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shareApp } from "../support/shared-app.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const PAGE = "<!doctype html><title>Valves</title><h1>Pressure</h1><p>The valve opens at 9 bar.</p>";
const PATHS: Record<string, [number, Record<string, string>, string | Buffer]> = {
  "/start": [302, { location: "/guide" }, ""],
  "/guide": [200, { "content-type": "text/plain" }, PAGE],
  "/notes/my%20notes.txt": [200, {}, "The pump has two valves."],
  "/loop": [302, { location: "/loop" }, ""],
  "/missing": [404, { "content-type": "text/html" }, PAGE],
  "/image": [200, { "content-type": "text/html" }, Buffer.from("89504e470d0a1a0a00", "hex")],
  "/large": [200, {}, "many words ".repeat(30_000)],
};
function listen() {
  return createServer((request, response) => {
    const [status, headers, body] = PATHS[request.url ?? ""] ?? [404, {}, ""];
    response.writeHead(status, headers).end(body);
  }).listen(0, "127.0.0.1");
}
const [web, internal] = [listen(), listen()];
await Promise.all([once(web, "listening"), once(internal, "listening")]);
afterAll(() => void [web.close(), internal.close()]);
const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const denied = `127.0.0.1:${(internal.address() as AddressInfo).port}`;
PATHS["/to-internal"] = [302, { location: `http://${denied}/guide` }, ""];

const words = await shareWordEmbeddings();
const { app, alice } = await shareApp(["alice"], {
  ...words.settings,
  UPLOAD_LIMIT_BYTES: "100000",
  EGRESS_DENY: denied,
});

test("a document is fetched from a URL, through redirects, and read by its content", async () => {
  const { status, body } = await alice.post("/api/v1/documents/url", {
    url: `${base}/start`,
    metadata: { tags: ["web"] },
  });
  expect([status, body]).toMatchObject([201, { ok: true, status: "indexed", chunks_created: 1 }]);
  expect((await alice.get(`/api/v1/documents/${body.document_id}`)).body).toMatchObject({
    title: "Valves",
    media_type: "text/html",
    tags: ["web"],
    metadata: { source_url: `${base}/start` },
  });
  const again = await alice.post("/api/v1/documents/url", { url: `${base}/guide` });
  expect([again.status, again.body.document_id]).toEqual([200, body.document_id]);
  const question = { query: "At which pressure does the valve open?" };
  const { sources } = (await alice.post("/api/v1/documents/query", question)).body;
  expect(sources[0]).toMatchObject({ location: "section Pressure", quote: "The valve opens at 9 bar." });
  await alice.delete(`/api/v1/documents/${body.document_id}`);
});

test("?async=true responds at once, and a document without a title has that of the path", async () => {
  const { status, body } = await alice.post("/api/v1/documents/url?async=true", {
    url: `${base}/notes/my%20notes.txt`,
  });
  expect([status, body.status]).toEqual([202, "processing"]);
  const read = async () => (await alice.get(`/api/v1/documents/${body.document_id}`)).body;
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({ status: "indexed", title: "my notes" });
  await alice.delete(`/api/v1/documents/${body.document_id}`);
});

test.each([
  ["that is no URL", "example", 400, "invalid_request"],
  ["of a file", "file:///etc/passwd", 400, "invalid_request"],
  ["with a password", "http://a:b@example.org/", 400, "invalid_request"],
  ["that is not allowed", `http://${denied}/guide`, 403, "egress_denied"],
  ["that redirects to one that is not allowed", `${base}/to-internal`, 403, "egress_denied"],
  ["that redirects without end", `${base}/loop`, 422, "fetch_failed"],
  ["that does not exist", `${base}/missing`, 422, "fetch_failed"],
  ["without a server", "http://127.0.0.1:9/", 422, "fetch_failed"],
  ["of an image", `${base}/image`, 415, "unsupported_media_type"],
  ["of a large response", `${base}/large`, 413, "payload_too_large"],
])("[S6] a URL %s is refused and leaves nothing behind", async (_what, url, status, code) => {
  const answer = await alice.post("/api/v1/documents/url", { url });
  expect([answer.status, answer.body]).toEqual([
    status,
    {
      ok: false,
      error: code,
      message: expect.any(String),
      ...(code === "invalid_request" && { details: [{ path: "", message: answer.body.message }] }),
    },
  ]);
  expect((await alice.get("/api/v1/documents")).body.documents).toEqual([]);
  const names = await readdir(join(app.dataDir, "documents"), { recursive: true }).catch(() => []);
  expect(names.filter((name) => name !== "incoming")).toEqual([]);
});
