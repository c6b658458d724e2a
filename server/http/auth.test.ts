import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../log.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { requireLogin } from "./auth.ts";
import { createHttpServer } from "./server.ts";

function createServer() {
  const app = createHttpServer({
    logger: createLogger("silent"),
    metrics: createMetrics(),
    isAllowedHost: () => true,
    trustProxy: false,
    corsOrigins: [],
    jsonBodyBytes: 1024,
    stopGraceMs: 0,
  });
  requireLogin(app, {
    logins: {
      verify: (token) => Promise.resolve({ userId: token, sessionId: "login_1", name: token }),
      watch: () => () => undefined,
    },
    keys: {
      accepts: () => false,
      authenticate: () => Promise.reject(new Error("not a key")),
      watch: () => () => undefined,
    },
    memberships: {
      roleOf: (workspaceId, userId) => Promise.resolve(workspaceId === userId ? "owner" : undefined),
      exists: () => Promise.resolve(true),
      watch: () => () => undefined,
    },
    isAdministrator: (userId) => Promise.resolve(userId === "root"),
  });
  onTestFinished(() => app.close());
  return app;
}

test("a service with a route that declares no access does not start", async () => {
  const app = createServer();
  app.get("/public", { config: { auth: "public" } }, () => ({}));
  app.get("/own", { config: { access: "account" } }, () => ({}));
  app.get("/forgotten", () => ({}));
  await expect(app.ready()).rejects.toThrow(/^Routes without access: GET \/forgotten/);
});

test("routes of the instance are for its administrator; those of the person need no workspace", async () => {
  const app = createServer();
  app.get("/instance", { config: { access: "administrator" } }, () => ({ ok: true }));
  app.get("/own", { config: { access: "account" } }, ({ workspaceId }) => ({ workspaceId }));
  const get = (url: string, user: string, workspace?: string) =>
    app.inject({
      url,
      headers: { authorization: `Bearer ${user}`, ...(workspace && { "x-workspace": workspace }) },
    });
  expect((await get("/instance", "root")).statusCode).toBe(200);
  expect((await get("/instance", "ada")).json()).toMatchObject({ error: "forbidden" });
  expect((await get("/own", "ada", "ws_of_others")).json()).toEqual({ workspaceId: "ada" });
});
