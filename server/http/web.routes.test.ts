import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { webRoutes } from "./web.routes.ts";
import { securityHeaders } from "./security-headers.ts";
import type { HttpServer } from "./server.ts";

async function openPage(files: Record<string, string>) {
  const parent = await mkdtemp(join(tmpdir(), "baton-page-"));
  const folder = join(parent, "web");
  await mkdir(join(folder, "assets"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(parent, "outside.txt"), "secret");
  const app = Fastify() as unknown as HttpServer;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(securityHeaders);
    done();
  });
  const chatOrigins = (slug: string) => Promise.resolve(slug === "open" ? ["https://www.example.com"] : []);
  await webRoutes(app, { folder, chatOrigins });
  onTestFinished(async () => {
    await app.close();
    await rm(parent, { recursive: true, force: true });
  });
  return app;
}
const files = {
  "index.html": "<!doctype html>",
  "form.html": "<!doctype html><title>Form</title>",
  "chat.html": "<!doctype html><title>Chat</title>",
  "chat-widget.js": "widget()",
  "assets/main-abc.js": "run()",
  "assets/main-abc.js.gz": "packed",
};

test("a person at an unknown URL gets the page with status 404, a program the JSON error", async () => {
  const app = await openPage(files);
  const person = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await app.inject({ url: "/no-such-screen", headers: person });
  expect([page.statusCode, page.body]).toEqual([404, files["index.html"]]);
  for (const request of [
    { url: "/no-such-screen", headers: { accept: "*/*" } },
    { url: "/api/no-such-route", headers: person },
  ]) {
    const { statusCode, headers } = await app.inject(request);
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  }
});

test("every URL of the page returns index.html without caching", async () => {
  const app = await openPage(files);
  for (const url of [
    "/",
    "/workflows",
    "/workflows/wf_1",
    "/teams/team_1/sessions/sess_1",
    "/runs?status=failed",
  ]) {
    const response = await app.inject(url);
    expect([url, response.statusCode, response.body]).toEqual([url, 200, "<!doctype html>"]);
    expect(response.headers["cache-control"]).toBe("no-cache");
  }
});

test("files with a hash in their name are cached for a year and served compressed to clients that accept it", async () => {
  const app = await openPage(files);
  const plain = await app.inject("/assets/main-abc.js");
  expect(plain.body).toBe("run()");
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const packed = await app.inject({ url: "/assets/main-abc.js", headers: { "accept-encoding": "gzip" } });
  expect([packed.body, packed.headers["content-encoding"]]).toEqual(["packed", "gzip"]);
  expect(packed.headers["content-type"]).toContain("javascript");
});

test.each([
  "/api/nothing",
  "/webhook/x",
  "/nowhere",
  "/workflowsx",
  "/assets/../index.html",
  "/assets/..%2f..%2foutside.txt",
  "/assets/none.js",
])("%s serves neither the page nor a file outside its folder", async (url) => {
  const response = await (await openPage(files)).inject(url);
  expect([403, 404]).toContain(response.statusCode);
  expect(response.body).not.toContain("secret");
});

test("a missing build is reported with the command to run", async () => {
  expect((await (await openPage({})).inject("/")).json()).toMatchObject({
    message: expect.stringContaining("npm start"),
  });
});

test("the URL of a form serves the page of forms, which is always revalidated", async () => {
  const app = await openPage(files);
  const { statusCode, body, headers } = await app.inject("/f/refund");
  expect([statusCode, body, headers["cache-control"]]).toEqual([200, files["form.html"], "no-cache"]);
});

test("the page of a chat may be framed by the sites of its owner and by nobody else", async () => {
  const app = await openPage(files);
  const closed = await app.inject("/chat/closed");
  expect([closed.statusCode, closed.body]).toEqual([200, files["chat.html"]]);
  expect(closed.headers).toMatchObject({
    "x-frame-options": "DENY",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  const open = await app.inject("/chat/open");
  expect(open.headers["x-frame-options"]).toBe(undefined);
  expect(open.headers["content-security-policy"]).toContain("frame-ancestors 'self' https://www.example.com");
  expect(open.headers["content-security-policy"]).toContain("script-src 'self';");
});

test("other sites may load the script that embeds a chat", async () => {
  const { headers, body } = await (await openPage(files)).inject("/chat-widget.js");
  expect([body, headers["cross-origin-resource-policy"]]).toEqual(["widget()", "cross-origin"]);
});
