import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { kindOfRoute, UNKNOWN_KIND } from "../server/audit/kind-of-route.ts";
import type { RouteAudit } from "../server/http/audit.ts";
import type { Row } from "../server/storage/db.ts";
import { sendForm } from "./documents/upload.ts";
import { chain } from "./support/graphs.ts";
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

/** The events since the last call, of which each action has one or two. */
function eventReader(app: TestApp): () => Promise<Row[]> {
  let last = 0;
  return async () => {
    const events = await app.sql(
      `select rowid as number, action_id, action, actor_id from audit_event where rowid > ${last} order by rowid`,
    );
    last = Number(events.at(-1)?.["number"] ?? last);
    return events;
  };
}

test("every route that changes something writes exactly one action, with the actor and the operation of the route", async () => {
  const { app, routes } = await openApp();
  const document = (await app.anonymous.get("/api/openapi.json")).body;
  const recorded = routes.filter(isRecorded);
  expect(recorded.length).toBeGreaterThan(110);
  // The first account is the administrator.
  const administrator = await registerUser(app, "administrator");
  const home = await createTeamWorkspace(administrator);
  const newEvents = eventReader(app);
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
    await newEvents();
    const status =
      operationId === "uploadDocument"
        ? (await sendForm(caller, [{ name: "file", value: "Hello", fileName: "a.txt" }])).status
        : await send(access === "public" ? app.anonymous : caller, {
            method,
            path: withQuery(path, operation),
            operation,
          });
    const events = await newEvents();
    const written = new Map(events.map((event) => [event["action_id"], String(event["action"])]));
    const names = [...written.values()];
    if (names.join() !== operationId) wrong.push(`${operationId} (${status}): ${names.join(" ")}`);
    if (access === "public") continue;
    const actor = events[0]?.["actor_id"];
    if (actor !== user.user.id) wrong.push(`${operationId}: actor ${String(actor)}`);
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
