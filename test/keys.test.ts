import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import { bearer, createKey, publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);

const call = (idOrSlug: string, rawKey: string) =>
  app.anonymous.post(`/api/workflows/public/${idOrSlug}`, { input: {} }, bearer(rawKey));

test("a new key has a name, a prefix and no last use", async () => {
  const response = await alice.post("/api/keys", { name: "CI" });
  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    ok: true,
    apiKey: {
      id: expect.stringMatching(/^key_/),
      name: "CI",
      prefix: response.body.rawKey.slice(0, 12),
      scopes: ["endpoints"],
      workflowIds: null,
      addresses: null,
      createdBy: { id: alice.user.id, name: "alice" },
      serviceAccount: null,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: null,
      revokedAt: null,
    },
    rawKey: expect.stringMatching(/^baton_[\w-]{43}$/),
  });
});

test("creating a key needs no body, and an invalid body is rejected with the field", async () => {
  expect((await alice.post("/api/keys")).status).toBe(201);
  for (const body of [
    { name: 1 },
    { expiresAt: "tomorrow" },
    { expiresAt: "2020-01-01T00:00:00Z" },
    { expiresAt: "9999-12-31T23:59:59-10:00" },
    { scopes: [] },
    { scopes: ["admin"] },
    { scopes: "mcp" },
    { scopes: Array.from({ length: 21 }, () => "mcp") },
    [],
  ]) {
    const response = await alice.post("/api/keys", body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe("invalid_request");
  }
  expect((await alice.get("/api/keys")).status).toBe(200);
});

test("a key opens only what its scopes name, and the list shows them once and in order", async () => {
  const workflow = await publish(alice, { sync: false });
  const { rawKey } = await createKey(alice, { scopes: ["mcp", "chat", "mcp"] });
  const { rawKey: opening } = await createKey(alice, { scopes: ["mcp", "endpoints"] });
  const [first, second] = (await alice.get("/api/keys?limit=2")).body.keys;
  expect(first.scopes).toEqual(["endpoints", "mcp"]);
  expect(second.scopes).toEqual(["mcp", "chat"]);
  const refused = await call(workflow.id, rawKey);
  expect(refused.status).toBe(403);
  expect(refused.body.error).toBe("insufficient_scope");
  const started = await call(workflow.id, opening);
  expect(started.status).toBe(200);
  const read = (key: string) =>
    app.anonymous.get(`/api/workflows/public/tasks/${started.body.taskId}`, bearer(key));
  expect((await read(rawKey)).body.error).toBe("insufficient_scope");
  expect((await read(opening)).status).toBe(200);
});

test("[S16] only the hash of a key is stored, and no response shows the key again", async () => {
  const { rawKey } = await createKey(alice);
  const list = await alice.get("/api/keys?limit=200");
  expect(list.text).not.toContain(rawKey);
  expect(list.body.keys.some((key: { prefix: string }) => rawKey.startsWith(key.prefix))).toBe(true);
  for (const file of await readdir(app.dataDir)) {
    if (!file.startsWith("baton.sqlite")) continue;
    expect((await readFile(join(app.dataDir, file))).includes(rawKey)).toBe(false);
  }
});

test("[S16] a revoked key fails from the next request on", async () => {
  const workflow = await publish(alice);
  const { id, rawKey } = await createKey(alice);
  expect((await call(workflow.id, rawKey)).status).toBe(200);
  const revoked = await alice.delete(`/api/keys/${id}`);
  expect(revoked.status).toBe(200);
  expect(revoked.body.apiKey.revokedAt).toMatch(/Z$/);
  const refused = await call(workflow.id, rawKey);
  expect(refused.status).toBe(401);
  expect(refused.body.error).toBe("invalid_api_key");
  expect(refused.body.message).toContain("Use an API key of the owner of this endpoint");
  const again = await alice.delete(`/api/keys/${id}`);
  expect(again.body.apiKey.revokedAt).toBe(revoked.body.apiKey.revokedAt);
});

test("[S16] a key of another owner, a login token and a key that differs in its last character fail with the same error", async () => {
  const workflow = await publish(alice);
  const { rawKey } = await createKey(alice);
  const { rawKey: foreign } = await createKey(bob);
  const changed = rawKey.slice(0, -1) + (rawKey.endsWith("A") ? "B" : "A");
  for (const wrong of [foreign, alice.token, changed, rawKey.slice(0, -1), `${rawKey}x`, "x"]) {
    const response = await call(workflow.id, wrong);
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ ok: false, error: "invalid_api_key", message: expect.any(String) });
  }
});

test("[S16] an expired key fails", async () => {
  let now = Date.parse("2030-01-01T00:00:00Z");
  const clock: Clock = { now: () => now, monotonic: () => now };
  const own = await useTestApp({}, { clock });
  const carol = await registerUser(own, "carol");
  const workflow = await publish(carol);
  const { rawKey } = await createKey(carol, { expiresAt: "2030-01-01T01:00:00Z" });
  const calling = () => own.anonymous.post(`/api/workflows/public/${workflow.id}`, {}, bearer(rawKey));
  expect((await calling()).status).toBe(200);
  now += 3_600_000;
  expect((await calling()).status).toBe(401);
});

test("the last use is shown at once and survives a stop", async () => {
  const own = await useTestApp();
  const carol = await registerUser(own, "carol");
  const workflow = await publish(carol);
  const { rawKey } = await createKey(carol);
  await own.anonymous.post(`/api/workflows/public/${workflow.id}`, {}, bearer(rawKey));
  const [{ lastUsedAt, lastUsedFrom }] = (await carol.get("/api/keys")).body.keys;
  expect([lastUsedAt, lastUsedFrom]).toEqual([expect.stringMatching(/Z$/), "127.0.0.1"]);
  await own.stop();
  const next = await useTestApp({}, { dataDir: own.dataDir });
  const kept = await next.anonymous.get("/api/keys", { authorization: `Bearer ${carol.token}` });
  expect(kept.body.keys[0]).toMatchObject({ lastUsedAt, lastUsedFrom });
});

test("keys of other users can be neither listed nor revoked, and an unknown key is 404", async () => {
  const { id } = await createKey(alice);
  expect((await bob.delete(`/api/keys/${id}`)).status).toBe(403);
  expect((await bob.get("/api/keys?limit=200")).text).not.toContain(id);
  expect((await alice.delete("/api/keys/key_unknown")).body.error).toBe("api_key_not_found");
});

test("a key without management scopes manages nothing", async () => {
  const { rawKey } = await createKey(alice, { scopes: ["endpoints", "mcp", "chat", "a2a"] });
  const response = await app.anonymous.get("/api/keys", bearer(rawKey));
  expect(response.status).toBe(403);
  expect(response.body.error).toBe("insufficient_scope");
});

test("keys are listed in pages, newest first", async () => {
  const carol = await registerUser(app, "carol");
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await createKey(carol)).id);
  const first = await carol.get("/api/keys?limit=2");
  const second = await carol.get(`/api/keys?limit=2&cursor=${first.body.nextCursor}`);
  expect([...first.body.keys, ...second.body.keys].map((key: { id: string }) => key.id)).toEqual(ids);
  expect(second.body.nextCursor).toBeNull();
});
