import { listen, mcpHandler } from "../../server/mcp-client/testing/http-servers.ts";
import { upload } from "../documents/upload.ts";
import { chain } from "./graphs.ts";
import { connectApp } from "./oauth.ts";
import { lines, pdfOf } from "./pdf.ts";
import { resultOf, runSteps } from "./run-steps.ts";
import type { RegisteredUser } from "./test-app.ts";

/** A record of one user that another user tries to access. */
export interface OwnedRecord {
  /** Matches the OpenAPI paths that contain the id of the record. */
  path: RegExp;
  /** Creates the record and returns the values of the path parameters. */
  create(owner: RegisteredUser): Promise<Record<string, string>>;
  /** Another user gets 404 instead of 403: a user without access must not learn that the record exists. */
  isHidden?: boolean;
}

/** Valid bodies of the operations that need more than an empty object. */
export const requestBodies: Record<string, unknown> = {
  "PUT /api/store/{scope}/{key}": { value: 2 },
  "PATCH /api/v1/documents/{id}": { tags: ["Taken"] },
  "POST /api/apps/{id}/options": { options: "channels", connection: "conn_x" },
  "POST /api/apps/{id}/refresh": { document: "{}" },
  "POST /api/workflows/{id}/copy": { workspaceId: "ws_other" },
  "POST /api/workflows/{id}/move": { workspaceId: "ws_other" },
  "POST /api/agents/{id}/copy": { workspaceId: "ws_other" },
  "POST /api/agents/{id}/move": { workspaceId: "ws_other" },
  "POST /api/agent-teams/{id}/copy": { workspaceId: "ws_other" },
  "POST /api/agent-teams/{id}/move": { workspaceId: "ws_other" },
  "POST /api/templates/{id}/copy": { workspaceId: "ws_other" },
  "POST /api/templates/{id}/move": { workspaceId: "ws_other" },
  "POST /api/v1/documents/{id}/copy": { workspaceId: "ws_other" },
  "POST /api/v1/documents/{id}/move": { workspaceId: "ws_other" },
  "PATCH /api/workflows/{id}/versions/{version}": { note: "Taken" },
  "POST /api/workflows/{id}/run-partial": { stepIds: ["a"] },
  "POST /api/agents/{id}/run": { input: "Tell me" },
  "POST /api/agents/{id}/chat": { messages: [{ role: "user", content: "Tell me" }] },
  "POST /api/agents/{id}/chats/{chatId}/tool-calls/{callId}": { allow: true },
  "POST /api/agent-teams/{id}/run": { objective: "Take over" },
  "POST /api/agent-teams/sessions/{sessionId}/messages": { content: "Hello" },
};

/** Paths whose parameter is not the id of a record: names that are separate per user, and public URLs. */
export const pathsWithoutRecord: RegExp[] = [
  // Of the instance; test/connection-oauth.test.ts: only for the administrator.
  /^\/api\/oauth-clients\/\{/,
  // Of the instance; test/administration.test.ts: only for the administrator.
  /^\/api\/admin\//,
  // The holder of the link, not an account, may use it.
  /^\/api\/invitations\/\{/,
  /^\/api\/approval-links\//,
  /^\/resume\//,
  /^\/api\/workflows\/public\//,
  /^\/api\/forms\//,
  // Visitors hold the address of the chat and the id of their conversation.
  /^\/api\/chats\//,
  /^\/webhook\//,
  // The holder of the upload key, not an account, may use it.
  /^\/api\/v1\/collections\/\{id\}\/upload$/,
  /^\/a2a\//,
  // A name among the models of the account of the API key.
  /^\/v1\/models\/\{id\}$/,
  /^\/api\/variables\/\{name\}$/,
];

export const ownedRecords: OwnedRecord[] = [
  {
    path: /^\/api\/workspaces\/\{/,
    async create(owner) {
      const { id } = (await owner.post("/api/workspaces", { name: "Private" })).body.workspace;
      const { invitation } = (await owner.post(`/api/workspaces/${id}/invitations`, { role: "viewer" })).body;
      return { id, userId: owner.user.id, invitationId: invitation.id };
    },
  },
  {
    path: /^\/api\/store\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Private", metadata: chain("a") });
      const scope: string = body.workflow.id;
      await owner.put(`/api/store/${scope}/private`, { value: 1 });
      return { scope, key: "private", id: scope };
    },
  },
  {
    path: /^\/api\/agents\/\{/,
    create: async (owner) => ({ id: (await owner.post("/api/agents", { name: "Private" })).body.agent.id }),
  },
  {
    path: /^\/api\/agent-teams\/\{/,
    async create(owner) {
      const given = { name: "Private", externalAgents: [{ name: "scout" }] };
      const { id } = (await owner.post("/api/agent-teams", given)).body.team;
      return { id, teamId: id, name: "scout" };
    },
  },
  {
    path: /^\/api\/agent-teams\/sessions\/\{/,
    async create(owner) {
      const { id } = (await owner.post("/api/agent-teams", { name: "Private" })).body.team;
      const run = await owner.post(`/api/agent-teams/${id}/run`, { objective: "Keep it to yourself" });
      return { id: run.body.sessionId, sessionId: run.body.sessionId };
    },
  },
  {
    path: /^\/api\/workflows\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Private", metadata: chain("a", "b") });
      const id: string = body.workflow.id;
      await owner.put(`/api/workflows/${id}/draft`, { metadata: chain("a", "b", "c") });
      return { id, workflowId: id, version: "1" };
    },
  },
  {
    path: /^\/api\/templates\/(import\/)?\{/,
    async create(owner) {
      const { body } = await owner.post("/api/templates", { name: "Private", ...chain("a", "b") });
      return { id: body.template.id };
    },
  },
  {
    // The task waits for a decision: a resume or cancel by another user would change its status.
    path: /^\/api\/tasks\/\{/,
    async create(owner) {
      const steps = [{ stepId: "ask", type: "approval", message: "Continue?" }];
      const { body } = await owner.post("/api/workflows", { name: "Asks", metadata: { steps, edges: [] } });
      const run = await owner.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
      return { id: run.body.taskId, stepId: "ask" };
    },
  },
  {
    path: /^\/api\/exposures\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Hidden", metadata: chain("a", "b") });
      return { kind: "workflow", id: body.workflow.id };
    },
  },
  {
    path: /^\/api\/schedules\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Nightly", metadata: chain("a", "b") });
      const schedule = { workflowId: body.workflow.id, cron: "0 3 * * *" };
      return { id: (await owner.post("/api/schedules", schedule)).body.schedule.id };
    },
  },
  {
    path: /^\/api\/triggers\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Digest", metadata: chain("a", "b") });
      const settings = { url: "http://169.254.169.254/feed" };
      const trigger = { kind: "rss", workflowId: body.workflow.id, active: false, settings };
      return { id: (await owner.post("/api/triggers", trigger)).body.trigger.id };
    },
  },
  {
    path: /^\/api\/auth\/sessions\/\{/,
    async create(owner) {
      await owner.post("/api/auth/login", { email: owner.email, password: owner.password });
      return { id: (await owner.get("/api/auth/sessions")).body.sessions[0].id };
    },
  },
  {
    path: /^\/api\/service-accounts\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/service-accounts", { name: "Private", role: "viewer" });
      return { id: body.serviceAccount.id };
    },
  },
  {
    path: /^\/api\/keys\/\{/,
    create: async (owner) => ({ id: (await owner.post("/api/keys", { name: "Private" })).body.apiKey.id }),
  },
  {
    path: /^\/api\/connected-apps\/\{/,
    async create(owner) {
      await connectApp(owner);
      return { id: (await owner.get("/api/connected-apps")).body.apps[0].id };
    },
  },
  {
    path: /^\/api\/webhooks\/\{/,
    async create(owner) {
      const { body } = await owner.post("/api/workflows", { name: "Hooked", metadata: chain("a", "b") });
      const workflowId: string = body.workflow.id;
      const { webhook } = (await owner.post("/api/webhooks", { name: "Private", source: "own", workflowId }))
        .body;
      await owner.post("/webhook/own", { event: 1 }, { "x-webhook-secret": webhook.secret });
      const { deliveries } = (await owner.get(`/api/webhooks/${webhook.id}/deliveries`)).body;
      return { id: webhook.id, deliveryId: deliveries[0].id };
    },
  },
  {
    path: /^\/api\/event-subscriptions\/\{/,
    async create(owner) {
      // An address that the guard always refuses: the only attempt fails, and the record no longer changes.
      const given = { url: "http://169.254.169.254/events", types: ["baton.run.failed"] };
      const { id } = (await owner.post("/api/event-subscriptions", given)).body.subscription;
      await owner.post(`/api/event-subscriptions/${id}/test`);
      for (let reads = 0; reads < 5000; reads++) {
        const { deliveries } = (await owner.get(`/api/event-subscriptions/${id}/deliveries`)).body;
        if (deliveries[0].status === "failed") return { id, deliveryId: deliveries[0].id };
      }
      throw new Error("the test event was not attempted");
    },
  },
  {
    path: /^\/api\/connections\/\{/,
    async create(owner) {
      const given = { name: "Private", kind: "bearer", secrets: { token: "hush" }, hosts: ["a.example"] };
      return { id: (await owner.post("/api/connections", given)).body.connection.id };
    },
  },
  {
    path: /^\/api\/apps\/\{/,
    async create(owner) {
      const paths = { "/items": { get: { operationId: "listItems" } } };
      const document = { openapi: "3.0.0", servers: [{ url: "http://127.0.0.1:9/v1" }], paths };
      const given = { document: JSON.stringify(document), title: "Private" };
      return { id: (await owner.post("/api/apps/import", given)).body.app.id };
    },
  },
  {
    path: /^\/api\/mcp-servers\/\{/,
    async create(owner) {
      const { url } = await listen(mcpHandler);
      return { id: (await owner.post("/api/mcp-servers", { name: "Private", url })).body.server.id };
    },
  },
  {
    path: /^\/api\/run-files\/\{/,
    async create(owner) {
      const task = await runSteps(owner, [
        { stepId: "write", type: "file", action: "write", path: "private.txt", content: "secret" },
        { stepId: "read", type: "file", action: "read", path: "private.txt", as: "file" },
      ]);
      return { id: resultOf(task, "read").output.file };
    },
  },
  {
    path: /^\/api\/v1\/documents\/\{/,
    async create(owner) {
      const { body } = await upload(owner, await pdfOf([lines(["The safe opens with 4711."])]));
      const query = { query: "How does the safe open?" };
      const { sources } = (await owner.post("/api/v1/documents/query", query)).body;
      return { id: body.document_id, chunkId: sources[0].chunk_id, page: "1" };
    },
  },
  {
    path: /^\/api\/v1\/collections\/\{/,
    isHidden: true,
    async create(owner) {
      const { body } = await upload(owner, await pdfOf([lines(["The vault opens with 4712."])]));
      const { collection_id: id } = (await owner.post("/api/v1/collections", { name: "Private" })).body;
      await owner.put(`/api/v1/collections/${id}/documents/${body.document_id}`);
      return { id, documentId: body.document_id };
    },
  },
];
