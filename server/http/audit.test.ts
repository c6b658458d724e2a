import { expect, test } from "vitest";
import { type RouteAudit, type RouteRecorder, recordActions } from "./audit.ts";
import { createTestServer } from "./testing/create-test-server.ts";

function createServer(
  begin: RouteRecorder["begin"] = () => Promise.resolve({ end: () => Promise.resolve() }),
) {
  const app = createTestServer();
  app.decorateRequest("actor");
  app.addHook("onRequest", (request, _reply, done) => {
    request.actor = { kind: "user", id: "ada", name: "Ada" };
    done();
  });
  const problems: unknown[] = [];
  recordActions(app, {
    recorder: { begin },
    instanceChain: "instance",
    report: (error) => void problems.push(error),
  });
  return { app, problems };
}

test("a service with a public route that says nothing about the audit log does not start", async () => {
  const { app } = createServer();
  const access = { role: "builder", scope: null } as const;
  app.post("/known", { config: { access } }, () => ({}));
  app.get("/forgotten-read", { config: { access } }, () => ({}));
  app.post("/skipped", { config: { access, audit: { none: "changes nothing" } } }, () => ({}));
  app.delete("/known/public", { config: { auth: "public" } }, () => ({}));
  await expect(app.ready()).rejects.toThrow(/^Public routes without audit: DELETE \/known\/public\. /);
});

test("nothing is changed when the attempt cannot be recorded", async () => {
  const { app } = createServer(() => Promise.reject(new Error("disk full")));
  let isChanged = false;
  app.post("/known", { config: { access: "account" } }, () => {
    isChanged = true;
    return {};
  });
  const { statusCode } = await app.inject({ method: "POST", url: "/known" });
  expect([statusCode, isChanged]).toEqual([500, false]);
});

test("the client is answered when the result cannot be recorded: the attempt is", async () => {
  const { app, problems } = createServer(() =>
    Promise.resolve({ end: () => Promise.reject(new Error("disk full")) }),
  );
  app.post("/known", { config: { access: "account" } }, () => ({ ok: true }));
  const { statusCode } = await app.inject({ method: "POST", url: "/known" });
  expect([statusCode, problems.length]).toEqual([200, 1]);
});

test("a response that a stream has taken over is recorded once, when it ends", async () => {
  const ends: number[] = [];
  const { app } = createServer(() =>
    Promise.resolve({ end: ({ status }) => Promise.resolve(void ends.push(status)) }),
  );
  app.post("/known", { config: { access: "account" } }, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(202).end("data: 1\n\n");
  });
  await app.inject({ method: "POST", url: "/known" });
  await expect.poll(() => ends).toEqual([202]);
});

test("a dry run is not recorded; a route without one cannot be called as one", async () => {
  let begun = 0;
  const { app } = createServer(() => {
    begun += 1;
    return Promise.resolve({ end: () => Promise.resolve() });
  });
  const route = (name: string, audit: RouteAudit) =>
    app.post(`/${name}`, { config: { access: "account", audit } }, () => ({}));
  route("in-query", { dryRunIn: "query" });
  route("in-body", { dryRunIn: "body" });
  route("always", {});
  const send = async (url: string, payload: object = {}) => {
    const before = begun;
    const { statusCode } = await app.inject({ method: "POST", url, payload });
    return [statusCode, begun > before];
  };
  expect(await send("/in-query?dryRun=true")).toEqual([200, false]);
  expect(await send("/in-body", { dryRun: true })).toEqual([200, false]);
  expect(await send("/in-query", { dryRun: true })).toEqual([200, true]);
  expect(await send("/in-body?dryRun=true")).toEqual([200, true]);
  expect(await send("/in-query?dryRun=false")).toEqual([200, true]);
  expect(await send("/always?dryRun=true", { dryRun: true })).toEqual([200, true]);
});
