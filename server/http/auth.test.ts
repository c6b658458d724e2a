import { expect, test } from "vitest";
import type { Role, RouteAccess } from "../../contract/roles.ts";
import { type KeyPrincipal, requireLogin } from "./auth.ts";
import { createTestServer } from "./testing/create-test-server.ts";

const KEY: KeyPrincipal = {
  id: "key_1",
  ownerId: "team",
  userId: "ada",
  actor: { kind: "key", id: "key_1", name: "deploy" },
  role: "builder",
  scopes: ["runs:write"],
  addresses: null,
  expiresAt: null,
};

/** A login token is the name of its user; `key …` is an API key. In the workspace `team` each user has the role of their name. */
function createServer({ key = {} }: { key?: Partial<KeyPrincipal> } = {}) {
  const watched: unknown[][] = [];
  const ended: string[] = [];
  const watch =
    (name: string) =>
    (...values: unknown[]) => {
      watched.push([name, ...values]);
      return () => void ended.push(name);
    };
  const app = createTestServer();
  requireLogin(app, {
    logins: {
      verify: (token) =>
        Promise.resolve({ userId: token, sessionId: `login of ${token}`, name: `${token}!` }),
      watch: watch("login"),
    },
    keys: {
      accepts: (token) => token.startsWith("key"),
      authenticate: (_rawKey, address) =>
        address === "127.0.0.1"
          ? Promise.resolve({ ...KEY, ...key })
          : Promise.reject(new Error("another address")),
      watch: watch("key"),
    },
    memberships: {
      roleOf: (workspaceId, userId) =>
        Promise.resolve(workspaceId === "team" && userId !== "ada" ? (userId as Role) : undefined),
      exists: (workspaceId) => Promise.resolve(workspaceId === "team"),
      watch: watch("membership"),
    },
    isAdministrator: (userId) => Promise.resolve(userId === "root"),
  });
  return { app, watched, ended };
}

type Server = ReturnType<typeof createServer>["app"];

function addRoute(app: Server, url: string, access: RouteAccess): void {
  app.get(url, { config: { access } }, ({ userId, sessionId, workspaceId, role, actor, apiKey }) => ({
    userId,
    sessionId,
    workspaceId,
    role,
    actor,
    keyId: apiKey?.id ?? null,
  }));
}

async function get(app: Server, url: string, token: string, workspace?: string) {
  const response = await app.inject({
    url,
    headers: { authorization: `Bearer ${token}`, ...(workspace && { "x-workspace": workspace }) },
  });
  return { status: response.statusCode, ...response.json<Record<string, unknown>>() };
}

test("a service with a route that declares no access does not start", async () => {
  const { app } = createServer();
  app.get("/public", { config: { auth: "public" } }, () => ({}));
  app.get("/own", { config: { access: "account" } }, () => ({}));
  app.get("/forgotten", () => ({}));
  await expect(app.ready()).rejects.toThrow(/^Routes without access: GET \/forgotten/);
});

test("a service whose routes all declare their access starts; preflights need none", async () => {
  const { app } = createServer();
  app.get("/public", { config: { auth: "public" } }, () => ({}));
  addRoute(app, "/own", "account");
  app.options("/own", () => ({}));
  await expect(app.ready()).resolves.toBeDefined();
});

test("routes of the instance are for its administrator; those of the person need no workspace", async () => {
  const { app } = createServer();
  addRoute(app, "/instance", "administrator");
  addRoute(app, "/own", "account");
  expect(await get(app, "/instance", "root")).toMatchObject({ status: 200 });
  expect(await get(app, "/instance", "ada")).toMatchObject({ status: 403, error: "forbidden" });
  expect(await get(app, "/own", "ada", "ws_of_others")).toEqual({
    status: 200,
    userId: "ada",
    sessionId: "login of ada",
    workspaceId: "ada",
    role: "owner",
    actor: { kind: "user", id: "ada", name: "ada!" },
    keyId: null,
  });
});

test("a request without a bearer token is 401, except on public and unknown routes", async () => {
  const { app } = createServer();
  addRoute(app, "/own", "account");
  app.get("/public", { config: { auth: "public" } }, ({ userId, workspaceId, role, actor }) => ({
    userId,
    workspaceId,
    role,
    actor,
  }));
  for (const authorization of [undefined, "", "ada", "Basic ada", "Bearer", "Bearer "])
    expect(
      (
        await app.inject({ url: "/own", headers: authorization === undefined ? {} : { authorization } })
      ).json(),
    ).toMatchObject({ error: "missing_token" });
  expect((await app.inject({ url: "/own", headers: { authorization: "bearer  ada" } })).json()).toMatchObject(
    {
      userId: "ada",
    },
  );
  expect((await app.inject({ url: "/public" })).json()).toEqual({
    userId: "",
    workspaceId: "",
    role: "viewer",
    actor: { kind: "user", id: "", name: "" },
  });
  expect((await app.inject({ url: "/unknown" })).statusCode).toBe(404);
});

test("a route needs its role or a higher one in the workspace of the header", async () => {
  const { app } = createServer();
  addRoute(app, "/records", { role: "builder", scope: null });
  for (const role of ["builder", "admin", "owner"])
    expect(await get(app, "/records", role, "team")).toMatchObject({
      status: 200,
      workspaceId: "team",
      role,
    });
  for (const role of ["viewer", "operator"])
    expect(await get(app, "/records", role, "team")).toMatchObject({
      status: 403,
      error: "forbidden",
      details: { role, requiredRole: "builder" },
    });
  // In the personal workspace, which needs no header, everyone is the owner.
  expect(await get(app, "/records", "ada")).toMatchObject({ status: 200, workspaceId: "ada", role: "owner" });
});

test("a workspace of others is forbidden; one in the path that does not exist is not found", async () => {
  const { app } = createServer();
  addRoute(app, "/records", { role: "viewer", scope: null });
  addRoute(app, "/workspaces/:id", { role: "viewer", scope: null, workspace: "path" });
  const notMember = { status: 403, message: "You are not a member of this workspace." };
  expect(await get(app, "/records", "ada", "team")).toMatchObject(notMember);
  expect(await get(app, "/records", "ada", "none")).toMatchObject(notMember);
  expect(await get(app, "/workspaces/team", "ada")).toMatchObject(notMember);
  expect(await get(app, "/workspaces/none", "ada")).toMatchObject({
    status: 404,
    error: "workspace_not_found",
  });
  // The path decides, not the header.
  expect(await get(app, "/workspaces/team", "viewer", "none")).toMatchObject({
    status: 200,
    workspaceId: "team",
    role: "viewer",
  });
});

test("an API key acts in its own workspace, within its scopes and its role", async () => {
  const { app } = createServer();
  addRoute(app, "/runs", { role: "builder", scope: "runs:read" });
  addRoute(app, "/workflows", { role: "viewer", scope: "workflows:read" });
  addRoute(app, "/members", { role: "admin", scope: "runs:read" });
  addRoute(app, "/workspaces/:id", { role: "viewer", scope: "runs:read", workspace: "path" });
  const opened = {
    status: 200,
    userId: "ada",
    sessionId: "",
    workspaceId: "team",
    role: "builder",
    actor: KEY.actor,
    keyId: "key_1",
  };
  expect(await get(app, "/runs", "key")).toEqual(opened);
  expect(await get(app, "/runs", "key", "team")).toEqual(opened);
  expect(await get(app, "/workspaces/team", "key")).toEqual(opened);
  expect(await get(app, "/runs", "key", "ada")).toMatchObject({ status: 403, error: "forbidden" });
  expect(await get(app, "/workspaces/ada", "key")).toMatchObject({ status: 403, error: "forbidden" });
  expect(await get(app, "/workflows", "key")).toMatchObject({
    status: 403,
    error: "insufficient_scope",
    details: { requiredScope: "workflows:read" },
  });
  expect(await get(app, "/members", "key")).toMatchObject({
    status: 403,
    details: { role: "builder", requiredRole: "admin" },
  });
});

test("an API key opens no route for logins, also that of an administrator", async () => {
  const { app } = createServer({ key: { userId: "root", role: "owner" } });
  addRoute(app, "/own", "account");
  addRoute(app, "/instance", "administrator");
  addRoute(app, "/records", { role: "viewer", scope: null });
  for (const url of ["/own", "/instance", "/records"])
    expect(await get(app, url, "key")).toMatchObject({
      status: 403,
      message: "API keys do not open this. Log in as a person.",
    });
});

test("an API key of an owner has the role admin", async () => {
  const { app } = createServer({ key: { role: "owner" } });
  addRoute(app, "/admin", { role: "admin", scope: "runs:write" });
  addRoute(app, "/owner", { role: "owner", scope: "runs:write" });
  expect(await get(app, "/admin", "key")).toMatchObject({ status: 200, role: "admin" });
  expect(await get(app, "/owner", "key")).toMatchObject({ status: 403, details: { role: "admin" } });
});

test("a public route can ask for a login or an API key itself", async () => {
  const { app } = createServer();
  app.get("/mixed", { config: { auth: "public" } }, async (request) => {
    await request.requireAccess({ role: "builder", scope: "runs:read" });
    return { workspaceId: request.workspaceId, role: request.role };
  });
  expect(await get(app, "/mixed", "operator", "team")).toMatchObject({ status: 403 });
  expect(await get(app, "/mixed", "admin", "team")).toMatchObject({ workspaceId: "team", role: "admin" });
  expect(await get(app, "/mixed", "key")).toMatchObject({ workspaceId: "team", role: "builder" });
  expect((await app.inject({ url: "/mixed" })).statusCode).toBe(401);
});

test("a response that outlives its request watches the login and the role, or the key", async () => {
  const { app, watched, ended } = createServer();
  const onEnd = () => undefined;
  app.get("/stream", { config: { access: { role: "viewer", scope: "runs:read" } } }, (request) => {
    request.watchLogin(onEnd)();
    return {};
  });
  expect(await get(app, "/stream", "operator", "team")).toMatchObject({ status: 200 });
  expect(watched).toEqual([
    ["login", "operator", "operator", expect.any(Function)],
    ["membership", "team", "operator", "operator", expect.any(Function)],
  ]);
  expect(ended).toEqual(["login", "membership"]);
  watched.length = 0;
  ended.length = 0;
  expect(await get(app, "/stream", "key 2")).toMatchObject({ status: 200 });
  expect(watched).toEqual([["key", "key 2", KEY, onEnd]]);
  expect(ended).toEqual(["key"]);
});

test("the end of the login or of the role ends the other watch and is reported", async () => {
  const { app, watched, ended } = createServer();
  let calls = 0;
  app.get("/stream", { config: { access: { role: "viewer", scope: "runs:read" } } }, (request) => {
    request.watchLogin(() => void (calls += 1));
    return {};
  });
  await get(app, "/stream", "operator", "team");
  const onRoleEnd = watched.find(([name]) => name === "membership")!.at(-1) as () => void;
  onRoleEnd();
  expect({ calls, ended }).toEqual({ calls: 1, ended: ["login", "membership"] });
});
