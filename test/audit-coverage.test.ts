import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { kindOfRoute, UNKNOWN_KIND } from "../server/audit/record-kinds.ts";
import type { RouteAudit } from "../server/http/audit.ts";
import { connectionContext } from "../server/security/seal-contexts.ts";
import { createSecretBox } from "../server/security/secret-box.ts";
import { sendForm } from "./documents/upload.ts";
import { createKey } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { ownedRecords } from "./support/owned-records.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

interface Recorded {
  operationId: string;
  method: string;
  url: string;
  audit: RouteAudit | undefined;
  access: unknown;
}

/** The app with its routes, from Fastify itself: a route added tomorrow is among them. */
async function openApp(): Promise<{ app: TestApp; routes: Recorded[] }> {
  const routes: Recorded[] = [];
  const keep = ({ method, url, schema, config }: RouteOptions) => {
    const operationId = (schema as { operationId?: string } | undefined)?.operationId;
    if (operationId !== undefined && typeof method === "string" && method !== "HEAD")
      routes.push({ operationId, method, url, audit: config?.audit, access: config?.access ?? "public" });
  };
  const watch = (message: unknown): void =>
    void (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", keep);
  subscribe("fastify.initialization", watch);
  const app = await useTestApp();
  unsubscribe("fastify.initialization", watch);
  return { app, routes };
}

const isRecorded = ({ method, audit }: Recorded) =>
  audit === undefined ? method !== "GET" : !("none" in audit);

const actions = (app: TestApp, where = "true") =>
  app.sql(`select distinct action_id, action from audit_event where ${where}`);

test("every route that changes something writes exactly one action, with the actor and the operation of the route", async () => {
  const { app, routes } = await openApp();
  const document = (await app.anonymous.get("/api/openapi.json")).body;
  const recorded = routes.filter(isRecorded);
  expect(recorded.length).toBeGreaterThan(110);
  // The first account is the administrator.
  const administrator = await registerUser(app, "administrator");
  const home = await createTeamWorkspace(administrator);
  const wrong: string[] = [];
  // Add the record to server/audit/record-kinds.ts.
  for (const { operationId, url, audit } of recorded)
    if (kindOfRoute(url, audit && "creates" in audit ? audit.creates : undefined).kind.kind === UNKNOWN_KIND)
      wrong.push(`${operationId}: the kind of record of ${url} is unknown`);
  for (const { operationId, method, url, access } of recorded) {
    // These may end the login or the workspace.
    const isFinal = /^\/api\/(auth|workspaces)\//.test(url);
    const user = isFinal ? await registerUser(app, "user") : administrator;
    const team = isFinal ? await createTeamWorkspace(user) : home;
    const caller = isFinal ? user : inWorkspace(user, team);
    const values: Record<string, string> = { kind: "workflow", ...(isFinal && { id: team }) };
    const path = url.replaceAll(/:(\w+)/g, (_match, name: string) => values[name] ?? "x_1");
    const operation = document.paths[url.replaceAll(/:(\w+)/g, "{$1}")][method.toLowerCase()];
    const before = new Set((await actions(app)).map((row) => row["action_id"]));
    const status =
      operationId === "uploadDocument"
        ? (await sendForm(caller, [{ name: "file", value: "Hello", fileName: "a.txt" }])).status
        : await send(access === "public" ? app.anonymous : caller, {
            method,
            path: withQuery(path, operation),
            operation,
          });
    const written = (await actions(app)).filter((row) => !before.has(row["action_id"]));
    const names = written.map((row) => String(row["action"]));
    if (names.join() !== operationId) wrong.push(`${operationId} (${status}): ${names.join(" ")}`);
    if (access === "public") continue;
    const [row] = await app.sql(
      `select distinct actor_kind, actor_id from audit_event where action_id = '${written[0]?.["action_id"]}'`,
    );
    if (row?.["actor_id"] !== user.user.id) wrong.push(`${operationId}: actor ${String(row?.["actor_id"])}`);
  }
  expect(wrong).toEqual([]);
});

type Operation = Record<string, any>;

/** Where the example of the document has fields that exclude each other. */
const BODIES: Record<string, unknown> = {
  changeTasks: { action: "cancel", ids: ["task_1"] },
  createApiKey: { name: "Key" },
  createMcpServer: { name: "Tools", url: "https://mcp.example.com" },
  createTemplate: { name: "Template", ...chain("a") },
  putTeam: { name: "Team" },
  // The example is a dry run, which is not recorded.
  refreshApp: {},
  updateMcpServer: { name: "Tools" },
  updateTeam: { name: "Team" },
};

function withQuery(path: string, { parameters = [] }: Operation): string {
  const query = parameters
    .filter((parameter: Operation) => parameter["in"] === "query" && parameter["required"])
    .map((parameter: Operation) => `${parameter["name"]}=x`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** With the example of the document as the body. */
async function send(
  client: Pick<RegisteredUser, "call">,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Promise<number> {
  const body =
    BODIES[operation["operationId"]] ?? operation["requestBody"]?.content["application/json"]?.example;
  return (await client.call(path, { method, ...(body !== undefined && { body }) })).status;
}

test("routes that are not recorded say why", async () => {
  const { routes } = await openApp();
  const reasons: Record<string, string[]> = {};
  for (const { operationId, method, audit } of routes)
    if (method !== "GET" && audit !== undefined && "none" in audit)
      (reasons[audit.none] ??= []).push(operationId);
  for (const ids of Object.values(reasons)) ids.sort();
  expect(reasons).toMatchInlineSnapshot(`
    {
      "changes nothing": [
        "evaluateExpressions",
        "findAgentCard",
        "listAppOptions",
        "queryDocuments",
        "readAccountInvitation",
        "testTrigger",
        "testUnsavedConnection",
      ],
      "marks as read for one person": [
        "readNotifications",
      ],
      "public call": [
        "callAgent",
        "callAgentWithSlash",
        "callEndpoint",
        "callMcp",
        "cancelAgentTask",
        "createAgentPushConfig",
        "createChatCompletion",
        "deleteAgentPushConfig",
        "deleteConversation",
        "postA2aMessage",
        "receiveAppEvent",
        "receiveWebhook",
        "receiveWebhookById",
        "resumeByUrl",
        "sendAgentMessage",
        "sendChatMessage",
        "sendEvent",
        "submitForm",
        "uploadToCollection",
      ],
      "recorded for the workspace of the link": [
        "decideApprovalByLink",
      ],
      "the end of the login is recorded": [
        "startProviderLogin",
      ],
      "tokens of a grant, whose consent is recorded": [
        "registerOAuthClient",
        "requestOAuthTokens",
        "revokeOAuthToken",
      ],
    }
  `);
});

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
  const { app } = await openApp();
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
