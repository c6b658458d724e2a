import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../server/app.ts";
import { readConfig } from "../../../server/config.ts";
import { type Client, clientOf } from "../../support/client.ts";

/**
 * The client that the MCP conformance suite tests: a whole service that is used over its own API. The suite starts it with
 * the address of its server, and the name of the scenario in a variable.
 */
const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};
const MAX_AUTHORIZATIONS = 3;

interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, { type?: string }> };
}

interface Fields {
  operation?: string;
  [name: string]: unknown;
}

/** Sends the user through the sign-in, which the suite accepts at once. False when it cannot be completed. */
async function authorize(user: Client, id: string): Promise<boolean> {
  const started = await user.post(`/api/mcp-servers/${id}/authorize`, {});
  if (started.status !== 200) return report("authorize", started.body);
  const response = await fetch(started.body.authorizationUrl, { redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) return report("sign-in", await response.text());
  const answer = Object.fromEntries(new URL(location).searchParams);
  const finished = await user.post("/api/mcp-servers/callback", answer);
  return finished.status === 200 || report("callback", finished.body);
}

function report(what: string, body: unknown): false {
  console.error(what, JSON.stringify(body));
  return false;
}

/** Runs one `mcp` step, and connects the server again while it asks for that. */
async function runStep(user: Client, server: string, fields: Fields): Promise<void> {
  const steps = [
    { stepId: "call", type: "mcp", server, maxRetries: 0, answers: { confirmed: true }, ...fields },
  ];
  const { body } = await user.post("/api/workflows", { name: "Suite", metadata: { steps, edges: [] } });
  for (let attempt = 0; attempt <= MAX_AUTHORIZATIONS; attempt++) {
    const run = await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
    const { task } = (await user.get(`/api/tasks/${run.body.taskId}`)).body;
    console.error(fields, task.status, JSON.stringify(task.error));
    if (task.error?.code !== "mcp_authorization_required" || attempt === MAX_AUTHORIZATIONS) return;
    if (!(await authorize(user, server))) return;
  }
}

async function listTools(user: Client, server: string) {
  for (let attempt = 0; attempt < MAX_AUTHORIZATIONS; attempt++) {
    const { body } = await user.get(`/api/mcp-servers/${server}/tools`);
    if (body.ok === true) return body.tools as Tool[];
    if (body.error !== "mcp_authorization_required" || !(await authorize(user, server))) {
      report("tools", body);
      return [];
    }
  }
  return [];
}

/** Arguments that the schema of any tool of the suite accepts. */
function argumentsFor({ name, inputSchema }: Tool, schemas: object) {
  if (name === "json_schema_echo") return { schema: schemas };
  const samples: Record<string, unknown> = { string: "a", boolean: true, object: {}, array: [] };
  const properties = Object.entries(inputSchema.properties ?? {});
  return Object.fromEntries(
    properties.map(([each, { type = "number" }], n) => [each, samples[type] ?? n + 2]),
  );
}

async function use(user: Client): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const { body } = await user.post("/api/mcp-servers", {
    name: "Suite",
    url,
    auth: scenario.startsWith("auth/") ? "oauth" : "none",
    ...(clientId === undefined ? {} : { oauth: { clientId, clientSecret } }),
  });
  const { id } = body.server;
  const tools = await listTools(user, id);
  const schemas = tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema ?? {};
  const calls =
    context.toolCalls ??
    tools
      .filter(({ name }) => name !== "json_schema_2020_12_tool")
      .map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, schemas) }));
  for (const call of calls) await runStep(user, id, { tool: call.name, arguments: call.arguments });
  for (const { uri } of (await user.get(`/api/mcp-servers/${id}/resources`)).body.resources ?? [])
    await runStep(user, id, { operation: "resource", uri });
  for (const { name } of (await user.get(`/api/mcp-servers/${id}/prompts`)).body.prompts ?? [])
    await runStep(user, id, { operation: "prompt", prompt: name });
}

const dataDir = await mkdtemp(join(tmpdir(), "baton-mcp-suite-"));
const app = await createApp(
  readConfig({
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
    ALLOW_REGISTRATION: "true",
    // The client id that the suite expects of a client with a metadata document.
    PUBLIC_URL: "https://conformance-test.local",
    EGRESS_ALLOW: "127.0.0.0/8,::1,localhost",
  }),
);
try {
  await app.http.ready();
  app.start();
  const account = { email: "suite@example.com", password: "a long enough passphrase 42" };
  const { body } = await clientOf(app.http).post("/api/auth/register", account);
  await use(clientOf(app.http, body.token));
} finally {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}
