import { KEY_SCOPES } from "../../contract/keys.ts";
import { upload } from "../documents/upload.ts";
import { type Client, clientFrom } from "../support/client.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { type OwnedRecord, ownedRecords } from "../support/owned-records.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { type Noun, nouns } from "./tokens.ts";

const pathOfNoun: Record<(typeof nouns)[number], string> = {
  agent: "/api/agents/{id}",
  team: "/api/agent-teams/{id}",
  session: "/api/agent-teams/sessions/{sessionId}",
  workflow: "/api/workflows/{id}",
  template: "/api/templates/{id}",
  task: "/api/tasks/{id}",
  schedule: "/api/schedules/{id}",
  key: "/api/keys/{id}",
  webhook: "/api/webhooks/{id}",
  document: "/api/v1/documents/{id}",
  endpoint: "no path of its own",
  workspace: "/api/workspaces/{id}",
  connection: "/api/connections/{id}",
  app: "/api/apps/{id}",
  subscription: "/api/event-subscriptions/{id}",
  trigger: "/api/triggers/{id}",
  collection: "/api/v1/collections/{id}",
  service: "/api/service-accounts/{id}",
  exposure: "/api/exposures/{kind}/{id}",
  store: "/api/store/{scope}/{key}",
  server: "/api/mcp-servers/{id}",
  login: "/api/auth/sessions/{id}",
  file: "/api/run-files/{id}",
  client: "/api/connected-apps/{id}",
};

/** The kind of record that a path of the OpenAPI document refers to. */
export function nounOf(path: string): Noun | undefined {
  const owned = ownedRecords.find((record) => record.path.test(path));
  return nouns.find((noun) => owned?.path.test(pathOfNoun[noun]) === true);
}

/** With what a `RegisteredUser` has. */
export interface RecordOwner extends Pick<RegisteredUser, "token" | "user" | "email" | "password"> {
  client: Client;
  /** Part of every text of the user. */
  mark: string;
}

let made = 0;

/** Creates a record with the user's mark in its texts; returns the values of path parameters that refer to it. */
export async function createRecord(user: RecordOwner, noun: Noun): Promise<Record<string, string>> {
  const owner = { ...user, ...marking(user.client, user.mark) } as RegisteredUser;
  switch (noun) {
    case "document":
      return createDocument(owner, user.mark);
    case "team":
    case "session":
      return createTeam(user.client, user.mark, noun);
    case "endpoint":
      return createEndpoint(user.client);
    case "webhook":
      return createWebhook(user.client, user.mark);
    case "key": {
      const { apiKey, rawKey } = (await owner.post("/api/keys", { name: "Private", scopes: KEY_SCOPES }))
        .body;
      return { id: apiKey.id, secret: rawKey };
    }
    case "task":
      return createTask(owner);
    case "trigger":
      return createChat(owner);
    case "server": {
      const given = { name: "Private", url: "http://127.0.0.1:9/mcp" };
      return { id: (await owner.post("/api/mcp-servers", given)).body.server.id };
    }
    case "app":
      return createApp(owner);
    case "file":
      return createFile(owner);
    case "account":
      return createAccount(user.client);
    default:
      return recordOf(noun).create(owner);
  }
}

async function createTask(owner: RegisteredUser): Promise<Record<string, string>> {
  const task = await recordOf("task").create(owner);
  const { url } = (await owner.post(`/api/tasks/${task["id"]}/approvals/ask/link`)).body;
  return { ...task, failedId: await createFailure(owner), token: new URL(url).pathname.split("/").at(-1)! };
}

/** Visitors know the slug of a chat, so it has no mark. */
async function createChat(owner: Client): Promise<Record<string, string>> {
  const steps = [{ stepId: "echo", type: "transform", template: "{{input.message}}" }];
  const { workflow } = (await owner.post("/api/workflows", { name: "Chat", metadata: { steps } })).body;
  const slug = `chat${++made}`;
  const chat = { kind: "chat", workflowId: workflow.id, settings: { slug, title: "Chat" } };
  const { id } = (await owner.post("/api/triggers", chat)).body.trigger;
  return { id, triggerId: id, slug };
}

/** A name in place of an address: the settings of the fuzzed service deny every address. */
async function createApp(owner: Client): Promise<Record<string, string>> {
  const servers = [{ url: "https://api.example.invalid/v1" }];
  const document = { openapi: "3.0.0", servers, paths: { "/items": { get: { operationId: "listItems" } } } };
  const given = { document: JSON.stringify(document), title: "Private" };
  return { id: (await owner.post("/api/apps/import", given)).body.app.id };
}

/** The wait of a call is short here, so the run may end after it. */
async function createFile(owner: Client): Promise<Record<string, string>> {
  const steps = [
    { stepId: "write", type: "file", action: "write", path: "private.txt", content: "secret" },
    { stepId: "read", type: "file", action: "read", path: "private.txt", as: "file" },
  ];
  const { workflow } = (await owner.post("/api/workflows", { name: "Files", metadata: { steps } })).body;
  const { taskId } = (await owner.post(`/api/workflows/${workflow.id}/run`, {})).body;
  for (;;) {
    const { task } = (await owner.get(`/api/tasks/${taskId}`)).body;
    if (task.status === "failed") throw new Error(JSON.stringify(task));
    if (task.status === "completed")
      return { id: task.stepResults.find(({ stepId }: { stepId: string }) => stepId === "read").output.file };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function createAccount(admin: Client): Promise<Record<string, string>> {
  const account = { email: `expendable${++made}@example.com`, password: "password of nobody" };
  const { user } = (await admin.post("/api/auth/register", account)).body;
  const { invitation } = (await admin.post("/api/admin/invitations", { email: `guest${made}@example.com` }))
    .body;
  return { userId: user.id, workspaceId: user.id, invitationId: invitation.id, taskId: "task_x" };
}

async function createFailure(owner: Client): Promise<string> {
  const steps = [{ stepId: "call", type: "http", method: "GET", url: "http://127.0.0.1:9/" }];
  const { workflow } = (await owner.post("/api/workflows", { name: "Fails", metadata: { steps } })).body;
  return (await owner.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body.taskId;
}

function recordOf(noun: keyof typeof pathOfNoun): OwnedRecord {
  return ownedRecords.find(({ path }) => path.test(pathOfNoun[noun]))!;
}

async function createDocument(owner: Client, mark: string): Promise<Record<string, string>> {
  const pdf = await pdfOf([lines([`The safe number ${++made} opens with ${mark}.`])]);
  const { body } = await upload(owner, pdf, { metadata: { title: mark, tags: [mark] } });
  const query = { query: `How does the safe number ${made} open?`, document_ids: [body.document_id] };
  const { sources } = (await owner.post("/api/v1/documents/query", query)).body;
  return { id: body.document_id, chunkId: sources[0].chunk_id, page: "1" };
}

/** Name and description of a team are public, on its A2A card; its messages are not. */
async function createTeam(
  owner: Client,
  mark: string,
  noun: "team" | "session",
): Promise<Record<string, string>> {
  const externalAgents = [{ name: "outsider", capabilities: ["search"] }];
  const { team } = (await owner.post("/api/agent-teams", { name: "Crew", externalAgents })).body;
  const { sessionId } = (await owner.post(`/api/agent-teams/${team.id}/run`, { objective: mark })).body;
  return { id: noun === "team" ? team.id : sessionId, teamId: team.id, secret: team.a2aSecret, sessionId };
}

/** A public endpoint without a key that returns its input. */
async function createEndpoint(owner: Client): Promise<Record<string, string>> {
  const slug = `echo${++made}`;
  const steps = [{ stepId: "echo", type: "transform", template: "{{input}}" }];
  const apiSettings = { enabled: true, authentication: false, endpointName: slug };
  const { workflow } = (
    await owner.post("/api/workflows", { name: "Echo", metadata: { steps }, apiSettings })
  ).body;
  const { taskId } = (await owner.post(`/api/workflows/public/${slug}`, { input: { n: made } })).body;
  return { id: workflow.id, slug, taskId };
}

async function createWebhook(owner: Client, mark: string): Promise<Record<string, string>> {
  const workflow = { name: mark, metadata: { steps: [{ stepId: "a", type: "transform", template: mark }] } };
  const workflowId: string = (await owner.post("/api/workflows", workflow)).body.workflow.id;
  const source = `source${++made}`;
  const { webhook } = (await owner.post("/api/webhooks", { name: mark, source, workflowId })).body;
  await owner.post(`/webhook/${source}`, { mark }, { "x-webhook-secret": webhook.secret });
  const { deliveries } = (await owner.get(`/api/webhooks/${webhook.id}/deliveries`)).body;
  return { id: webhook.id, source, secret: webhook.secret, deliveryId: deliveries[0].id };
}

/** Adds the user's mark to the name and title of every created record, and a number: the title of an app is unique. */
function marking(client: Client, mark: string): Client {
  return clientFrom((url, options = {}) => {
    const body = options.body as Record<string, unknown> | undefined;
    const marked = ["name", "title"].flatMap((field) =>
      typeof body?.[field] === "string" ? [[field, `${body[field]} ${++made} ${mark}`]] : [],
    );
    const named = marked.length > 0 ? { ...body, ...Object.fromEntries(marked) } : options.body;
    return client.call(url, { ...options, body: named });
  });
}
