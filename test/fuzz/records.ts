import { upload } from "../documents/upload.ts";
import { type Client, clientFrom } from "../support/client.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { type OwnedRecord, ownedRecords } from "../support/owned-records.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { type Noun, nouns } from "./tokens.ts";

const pathOfNoun: Record<Noun, string> = {
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
};

/** The kind of record that a path of the OpenAPI document refers to. */
export function nounOf(path: string): Noun | undefined {
  const owned = ownedRecords.find((record) => record.path.test(path));
  return nouns.find((noun) => owned?.path.test(pathOfNoun[noun]) === true);
}

let made = 0;

/** Creates a record with the user's mark in its texts; returns the values of path parameters that refer to it. */
export async function createRecord(
  user: { client: Client; mark: string },
  noun: Noun,
): Promise<Record<string, string>> {
  const owner = marking(user.client, user.mark) as RegisteredUser;
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
      const { apiKey, rawKey } = (await owner.post("/api/keys", { name: "Private" })).body;
      return { id: apiKey.id, secret: rawKey };
    }
    case "task":
      return { ...(await recordOf(noun).create(owner)), failedId: await createFailure(owner) };
    default:
      return recordOf(noun).create(owner);
  }
}

async function createFailure(owner: Client): Promise<string> {
  const steps = [{ stepId: "call", type: "http", method: "GET", url: "http://127.0.0.1:9/" }];
  const { workflow } = (await owner.post("/api/workflows", { name: "Fails", metadata: { steps } })).body;
  return (await owner.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body.taskId;
}

function recordOf(noun: Noun): OwnedRecord {
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

/** Adds the user's mark to the name of every created record. */
function marking(client: Client, mark: string): Client {
  return clientFrom((url, options = {}) => {
    const body = options.body as Record<string, unknown> | undefined;
    const named = typeof body?.["name"] === "string" ? { ...body, name: `${body["name"]} ${mark}` } : body;
    return client.call(url, { ...options, body: named });
  });
}
