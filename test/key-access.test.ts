import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import { clientOf } from "./support/client.ts";
import { bearer, createKey, echoGraph, publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";
import { addTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);

/** Requests with a new key of this person and body. */
async function withKey(owner: typeof alice, body: object) {
  const { id, rawKey } = await createKey(owner, body);
  return { id, rawKey, ...clientOf(app.http, rawKey) };
}

const setRole = (workspaceId: string, userId: string, role: string) =>
  app.sql(
    `update member set role = '${role}' where workspace_id = '${workspaceId}' and user_id = '${userId}'`,
  );

test("a key opens the routes whose scope it has, and `:write` includes `:read`", async () => {
  const reader = await withKey(alice, { scopes: ["workflows:read"] });
  const writer = await withKey(alice, { scopes: ["workflows:write"] });
  const created = await writer.post("/api/workflows", { name: "Deployed", metadata: echoGraph });
  expect(created.status).toBe(201);
  expect(created.body.workflow.ownerId).toBe(alice.user.id);
  const url = `/api/workflows/${created.body.workflow.id}`;
  for (const key of [reader, writer]) expect((await key.get(url)).body.workflow.name).toBe("Deployed");
  for (const [refused, scope] of [
    [await reader.post("/api/workflows", { name: "Refused", metadata: echoGraph }), "workflows:write"],
    [await writer.post(`${url}/run`, {}), "runs:write"],
    [await writer.get("/api/keys"), "workspace:read"],
  ] as const)
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        ok: false,
        error: "insufficient_scope",
        message: expect.stringContaining(`\`${scope}\``),
        details: { requiredScope: scope },
      },
    ]);
  const [used] = (await alice.get("/api/keys?limit=1")).body.keys;
  expect([used.id, used.lastUsedAt, used.lastUsedFrom]).toEqual([
    writer.id,
    expect.stringMatching(/Z$/),
    "127.0.0.1",
  ]);
});

test("every operation of the document that names a scope is refused without it, and opened to no key without one", async () => {
  const key = await withKey(alice, { scopes: ["endpoints"] });
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  let refused = 0;
  for (const [path, operations] of Object.entries(paths as Record<string, Record<string, any>>))
    for (const [method, operation] of Object.entries(operations)) {
      if (operation["x-required-role"] === undefined) continue;
      const scope = operation["x-required-scope"] ?? null;
      const { status, body } = await key.call(path.replaceAll(/\{\w+\}/g, "x"), {
        method: method.toUpperCase(),
      });
      expect([method, path, status, body.error]).toEqual([
        method,
        path,
        403,
        scope === null ? "forbidden" : "insufficient_scope",
      ]);
      // The document says the same: a login or a key by default, and a login alone where no scope opens it.
      expect([method, path, operation.security]).toEqual([
        method,
        path,
        scope === null ? [{ login: [] }] : undefined,
      ]);
      refused += 1;
    }
  expect(refused).toBeGreaterThan(150);
});

test("[S16] a key acts with the role that its creator has at that moment, and a removed member's key opens nothing", async () => {
  const team = await addTeamWorkspace(app, [
    [alice, "owner"],
    [bob, "admin"],
  ]);
  const key = await withKey(inWorkspace(bob, team), {
    scopes: ["workflows:write", "workspace:write", "endpoints", "mcp"],
  });
  const workflow = await publish(inWorkspace(alice, team));
  const call = () => app.anonymous.post(`/api/workflows/public/${workflow.id}`, {}, bearer(key.rawKey));
  expect((await key.get("/api/workflows")).body.workflows).toHaveLength(1);
  expect((await key.get("/api/keys")).status).toBe(200);
  expect((await call()).status).toBe(200);

  await setRole(team, bob.user.id, "viewer");
  expect((await key.get("/api/workflows")).status).toBe(200);
  expect((await key.post("/api/workflows", { name: "X", metadata: echoGraph })).body).toMatchObject({
    error: "forbidden",
    details: { role: "viewer", requiredRole: "builder" },
  });
  expect((await key.get("/api/keys")).body.error).toBe("forbidden");
  expect((await call()).body.error).toBe("forbidden");

  await app.sql(`delete from member where workspace_id = '${team}' and user_id = '${bob.user.id}'`);
  expect((await key.get("/api/workflows")).body.error).toBe("invalid_token");
  expect((await call()).body.error).toBe("invalid_api_key");
  const mcp = await app.anonymous.post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }, bearer(key.rawKey));
  expect(mcp.body.error).toBe("invalid_token");
});

test("a key acts in its own workspace: the header may name it and no other", async () => {
  const team = await addTeamWorkspace(app, [[alice, "owner"]]);
  const key = await withKey(alice, { scopes: ["workflows:read"] });
  const other = await inWorkspace(key, team).get("/api/workflows");
  expect([other.status, other.body.error, other.body.message]).toEqual([
    403,
    "forbidden",
    expect.stringContaining("another workspace"),
  ]);
  expect((await inWorkspace(key, alice.user.id).get("/api/workflows")).status).toBe(200);
});

test("routes of a person and of the instance refuse keys with a sentence", async () => {
  const key = await withKey(alice, { scopes: ["workspace:write"] });
  for (const url of ["/api/auth/me", "/api/auth/sessions", "/api/connected-apps"]) {
    const { status, body } = await key.get(url);
    expect([url, status, body.error, body.message]).toEqual([
      url,
      403,
      "forbidden",
      "API keys do not open this. Log in as a person.",
    ]);
  }
});

test("[S16] a key creates no key that opens more than itself", async () => {
  const key = await withKey(alice, { scopes: ["workspace:write", "runs:write"] });
  expect((await key.post("/api/keys", { scopes: ["connections:read"] })).body).toMatchObject({
    error: "insufficient_scope",
    message: expect.stringContaining("`connections:read`"),
  });
  expect((await key.post("/api/keys")).body.error).toBe("insufficient_scope");
  const made = await key.post("/api/keys", { scopes: ["workspace:read", "runs:write"] });
  expect(made.status).toBe(201);
  expect(made.body.apiKey.createdBy).toEqual({ id: alice.user.id, name: "alice" });
  for (const limit of [{ addresses: ["127.0.0.1"] }, { expiresAt: "2999-01-01T00:00:00Z" }]) {
    const limited = await withKey(alice, { scopes: ["workspace:write"], ...limit });
    expect((await limited.get("/api/keys")).status).toBe(200);
    expect((await limited.post("/api/keys", { scopes: ["workspace:read"] })).body.error).toBe("forbidden");
  }
});

test("[S16] a key gives nobody access: people invite, change roles and move workflows", async () => {
  const [team, other] = await Promise.all([
    addTeamWorkspace(app, [
      [alice, "owner"],
      [bob, "viewer"],
    ]),
    addTeamWorkspace(app, [[alice, "owner"]]),
  ]);
  const key = await withKey(inWorkspace(alice, team), { scopes: ["workspace:write", "workflows:write"] });
  const workflow = await publish(inWorkspace(alice, team));
  for (const response of [
    await key.post(`/api/workspaces/${team}/invitations`, { role: "viewer" }),
    await key.patch(`/api/workspaces/${team}/members/${bob.user.id}`, { role: "owner" }),
    await key.post(`/api/workflows/${workflow.id}/copy`, { workspaceId: other }),
    await key.post(`/api/workflows/${workflow.id}/move`, { workspaceId: other }),
  ])
    expect([response.status, response.body.message]).toEqual([
      403,
      "API keys do not open this. Log in as a person.",
    ]);
  expect((await inWorkspace(alice, other).get("/api/workflows")).body.workflows).toEqual([]);
});

test("[S16] a key of an owner acts as an admin: it removes no owner", async () => {
  const team = await addTeamWorkspace(app, [
    [alice, "owner"],
    [bob, "owner"],
  ]);
  const key = await withKey(inWorkspace(alice, team), { scopes: ["workspace:write"] });
  const url = `/api/workspaces/${team}/members/${bob.user.id}`;
  expect((await key.delete(url)).body).toMatchObject({
    error: "forbidden",
    details: { role: "admin", requiredRole: "owner" },
  });
  await setRole(team, bob.user.id, "viewer");
  expect((await key.delete(url)).status).toBe(200);
});

test("a key with workflows opens their endpoints and tasks and no others", async () => {
  const named = await publish(alice, { sync: false });
  const other = await publish(alice, { sync: false });
  const { rawKey } = await createKey(alice, { workflowIds: [named.id] });
  const { rawKey: all } = await createKey(alice);
  const call = (id: string, key = rawKey) =>
    app.anonymous.post(`/api/workflows/public/${id}`, { input: {} }, bearer(key));
  const read = (taskId: string) => app.anonymous.get(`/api/workflows/public/tasks/${taskId}`, bearer(rawKey));
  const started = await call(named.id);
  expect(started.status).toBe(200);
  expect((await read(started.body.taskId)).status).toBe(200);
  const refused = await call(other.id);
  expect([refused.status, refused.body.error]).toEqual([403, "insufficient_scope"]);
  const foreign = await call(other.id, all);
  expect((await read(foreign.body.taskId)).body.error).toBe("insufficient_scope");
  // An event names no workflow.
  const event = await app.anonymous.post("/api/events", { name: "paid", key: "1" }, bearer(rawKey));
  expect(event.body.error).toBe("insufficient_scope");
});

test("workflows of a key must be of its workspace and need `endpoints` as the only scope", async () => {
  const foreign = await publish(bob);
  const own = await publish(alice);
  const create = async (body: object) => {
    const { status, body: answer } = await alice.post("/api/keys", body);
    return [status, answer.error];
  };
  expect(await create({ workflowIds: [own.id] })).toEqual([201, undefined]);
  expect(await create({ workflowIds: [foreign.id] })).toEqual([403, "forbidden"]);
  expect(await create({ workflowIds: ["wf_00000000000000000000000000000"] })).toEqual([
    404,
    "workflow_not_found",
  ]);
  expect(await create({ workflowIds: [own.id], scopes: ["endpoints", "mcp"] })).toEqual([
    400,
    "invalid_request",
  ]);
  expect(await create({ workflowIds: [] })).toEqual([400, "invalid_request"]);
  expect(await create({ addresses: ["localhost"] })).toEqual([400, "invalid_request"]);
});

test("[S16] a key with addresses is refused from others on every protocol, by the address that trusted proxies report", async () => {
  const own = await useTestApp({ TRUST_PROXY: "1" });
  const dora = await registerUser(own, "dora");
  const workflow = await publish(dora);
  const key = await createKey(dora, {
    scopes: ["endpoints", "mcp", "chat", "a2a", "workflows:read"],
    addresses: ["203.0.113.0/24", "2001:db8::/32"],
  });
  await dora.put(`/api/exposures/workflow/${workflow.id}`, { a2a: true, mcp: true, chat: true });
  const rpc = { jsonrpc: "2.0", id: 1, method: "ping" };
  const requests: [string, string, object?][] = [
    ["GET", "/api/workflows"],
    ["POST", `/api/workflows/public/${workflow.id}`, {}],
    ["POST", "/api/events", { name: "paid", key: "1" }],
    ["POST", "/mcp", rpc],
    ["GET", "/v1/models"],
    ["POST", `/a2a/${workflow.id}`, rpc],
  ];
  for (const [method, url, body] of requests) {
    const from = (address: string) =>
      own.anonymous.call(url, {
        method,
        body,
        headers: { ...bearer(key.rawKey), "x-forwarded-for": address },
      });
    const refused = await from("198.51.100.9");
    expect([url, refused.status, refused.text]).toEqual([
      url,
      403,
      expect.stringContaining("may not be used from 198.51.100.9"),
    ]);
    expect([url, refused.text]).toEqual([url, expect.stringContaining("address_not_allowed")]);
    expect([url, (await from("2001:db8::7")).status]).toEqual([url, 200]);
    // A client cannot choose its address: only the entry of the proxy counts.
    expect([url, (await from("203.0.113.7, 198.51.100.9")).status]).toEqual([url, 403]);
  }
});

test("[S16] a stream that a key opened ends when the key is revoked", async () => {
  const wait = { stepId: "wait", type: "wait_event", event: "paid" };
  const { workflow } = (await alice.post("/api/workflows", { name: "W", metadata: { steps: [wait] } })).body;
  const { taskId } = (await alice.post(`/api/workflows/${workflow.id}/run`, {})).body;
  const key = await withKey(alice, { scopes: ["runs:read"] });
  const base = await app.listen();
  const stream = await fetch(new URL(`/api/tasks/${taskId}/events`, base), { headers: bearer(key.rawKey) });
  expect(stream.status).toBe(200);
  const reader = stream.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  await alice.delete(`/api/keys/${key.id}`);
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow();
  await alice.post(`/api/tasks/${taskId}/cancel`);
});

test("[S16] an expired key manages nothing", async () => {
  let now = Date.parse("2030-01-01T00:00:00Z");
  const clock: Clock = { now: () => now, monotonic: () => now };
  const own = await useTestApp({}, { clock });
  const dora = await registerUser(own, "dora");
  const { rawKey } = await createKey(dora, { scopes: ["runs:read"], expiresAt: "2030-01-01T01:00:00Z" });
  expect((await clientOf(own.http, rawKey).get("/api/tasks")).status).toBe(200);
  now += 3_600_000;
  expect((await clientOf(own.http, rawKey).get("/api/tasks")).body.error).toBe("invalid_token");
});
