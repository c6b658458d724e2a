import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { connectionContext } from "../server/security/seal-contexts.ts";
import { createSecretBox } from "../server/security/secret-box.ts";
import { createKey } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { ownedRecords } from "./support/owned-records.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

test("every secret that the workspace has stored is masked in a record that contains it by mistake", async () => {
  const key = randomBytes(32);
  const app = await useTestApp({ ENCRYPTION_KEY: key.toString("hex") });
  const ada = await registerUser(app, "ada");
  const stored: string[] = [];
  const keep = (name: string): string => {
    const secret = `${name}-8731-recognisable-${stored.length}`;
    stored.push(secret);
    return secret;
  };
  const workflow = async (name: string, metadata: object) =>
    (await ada.post("/api/workflows", { name, metadata })).body.workflow;
  const { id: workflowId } = await workflow("Target", chain("a"));
  const hosts = ["a.example"];
  for (const connection of [
    { kind: "bearer", secrets: { token: keep("token") } },
    { kind: "headers", secrets: { headers: { Authorization: `Custom ${keep("header")}` } } },
    { kind: "basic", settings: { username: "ada" }, secrets: { password: keep("password") } },
  ])
    expect((await ada.post("/api/connections", { name: "C", hosts, ...connection })).body.ok).toBe(true);
  const server = { name: "M", url: "https://a.example/mcp", headers: { "x-key": keep("mcp") } };
  expect((await ada.post("/api/mcp-servers", server)).body.ok).toBe(true);
  const signature = { scheme: "github", secret: keep("webhook") };
  expect((await ada.post("/api/webhooks", { name: "W", source: "w", workflowId, signature })).body.ok).toBe(
    true,
  );
  const subscription = { url: "https://a.example/hook", types: ["baton.run.failed"] };
  stored.push((await ada.post("/api/event-subscriptions", subscription)).body.subscription.secret);
  await ada.put("/api/variables/key", { value: keep("variable"), secret: true });
  // Tokens of a connection that a person authorized.
  const tokens = { accessToken: keep("access"), refreshToken: keep("refresh"), scope: "calendar.readonly" };
  const [connection] = await app.sql("select id from connection limit 1");
  const row = { ownerId: ada.user.id, id: String(connection?.["id"]) };
  const sealed = createSecretBox(key).seal(JSON.stringify(tokens), connectionContext(row, "tokens"));
  await app.sql(`update connection set tokens = '${sealed}' where id = '${row.id}'`);

  const steps = stored.map((secret, index) => ({
    stepId: `s${index}`,
    type: "http",
    url: `https://a.example/${encodeURIComponent(secret)}`,
    headers: { authorization: `Basic ${Buffer.from(`user:${secret}`).toString("base64")}` },
    body: { secret, scope: "calendar.readonly" },
  }));
  const { id } = await workflow(`Uses ${stored[0]}`, { steps, edges: [] });
  await ada.patch(`/api/workflows/${id}`, { description: stored.join(" ") });
  await ada.delete(`/api/workflows/${id}`);
  const events = JSON.stringify(await app.sql("select * from audit_event"));
  expect(stored).toHaveLength(9);
  for (const secret of stored) {
    expect([secret, events.includes(secret)]).toEqual([secret, false]);
    expect(events).not.toContain(Buffer.from(`user:${secret}`).toString("base64").slice(8, 40));
  }
  expect(events).toContain("calendar.readonly");
  expect(events).toContain("Uses •••");
});

test("a stored secret whose key is lost keeps nobody from replacing it", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/key", { value: "some secret value", secret: true });
  await app.sql("update variable set value = 'v1.000000000000.AAAA.AAAA' where name = 'key'");
  expect((await ada.put("/api/variables/key", { value: "another secret", secret: true })).status).toBe(200);
  expect((await ada.get("/api/audit-events?action=putVariable")).body.events).toHaveLength(2);
});

test("no secret is in an event or an export, also one that a record contains by mistake", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const hidden = "S3CRET-recognisable-value-8731";
  const kept: string[] = [hidden, ada.password, ada.token];
  await ada.put("/api/variables/token", { value: hidden, secret: true });
  await ada.post("/api/connections", {
    name: "A",
    kind: "bearer",
    secrets: { token: hidden },
    hosts: ["a.example"],
  });
  const steps = [{ stepId: "call", type: "http", url: "https://a.example", headers: { "x-token": hidden } }];
  const { workflow } = (
    await ada.post("/api/workflows", { name: `Uses ${hidden}`, metadata: { steps, edges: [] } })
  ).body;
  await ada.put(`/api/workflows/${workflow.id}`, {
    name: "Renamed",
    metadata: { steps: [{ ...steps[0], url: "https://b.example" }], edges: [] },
  });
  await ada.patch(`/api/workflows/${workflow.id}`, { name: "Again" });
  const { webhook } = (
    await ada.post("/api/webhooks", {
      name: "W",
      source: "w",
      workflowId: workflow.id,
      signature: { scheme: "github", secret: hidden },
    })
  ).body;
  kept.push((await ada.post(`/api/webhooks/${webhook?.id}/rotate`)).body.webhook?.secret ?? hidden);
  const { rawKey } = await createKey(ada, { scopes: ["workflows:write"] });
  kept.push(rawKey);
  const { subscription } = (
    await ada.post("/api/event-subscriptions", { url: "https://a.example/hook", types: ["baton.run.failed"] })
  ).body;
  kept.push(subscription.secret);
  const { team } = (await ada.post("/api/agent-teams", { name: "T", externalAgents: [{ name: "scout" }] }))
    .body;
  kept.push(
    (await ada.post(`/api/agent-teams/${team.id}/external-agents/scout/secret`)).body.secret ?? hidden,
  );
  const factor = (await ada.post("/api/auth/second-factor/setup")).body;
  kept.push(factor.secret);
  await ada.post("/api/auth/password", { currentPassword: ada.password, newPassword: "a new pass phrase" });
  kept.push("a new pass phrase");
  await app.anonymous.post("/api/auth/login", { email: ada.email, password: `${hidden} wrong` });
  await ada.put(`/api/store/workspace/note`, { value: { text: `the ${hidden}` } });
  for (const { create } of ownedRecords) await create(ada);
  await ada.post("/api/workflows", { name: "Plain", metadata: chain("a") });
  const exports = await Promise.all(
    ["", "?format=csv"].flatMap((query) => [
      ada.get(`/api/audit-events/export${query}`),
      ada.get(`/api/admin/audit-events/export${query}`),
    ]),
  );
  const stored = JSON.stringify(await app.sql("select * from audit_event"));
  expect(stored.length).toBeGreaterThan(20_000);
  for (const text of [stored, ...exports.map((response) => response.text)])
    for (const secret of kept) expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(stored).toContain("•••");
});
