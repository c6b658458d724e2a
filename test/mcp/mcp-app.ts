import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";

export type Version = "2026-07-28" | "2025-11-25";
export const VERSIONS: readonly Version[] = ["2026-07-28", "2025-11-25"];

export const text = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });

/** Creates a workflow whose steps run one after the other, and switches it on for MCP clients. */
export async function exposeWorkflow(
  user: RegisteredUser,
  name: string,
  steps: readonly object[],
  more: { inputSchema?: object; description?: string } = {},
): Promise<string> {
  const { inputSchema, description = "" } = more;
  const ids = steps.map((step) => (step as { stepId: string }).stepId);
  const edges = ids.slice(1).map((target, index) => ({ id: target, source: ids[index], target }));
  const created = await user.post("/api/workflows", {
    name: `The ${name}`,
    description,
    metadata: { steps, edges, ...(inputSchema && { inputSchema }) },
  });
  if (created.status !== 201) throw new Error(created.text);
  const { id } = created.body.workflow;
  await expose(user, "workflow", id, name);
  return id as string;
}

export async function expose(user: RegisteredUser, kind: string, id: string, name?: string): Promise<void> {
  const exposed = await user.put(`/api/exposures/${kind}/${id}`, { mcp: true, ...(name && { name }) });
  if (exposed.status !== 200) throw new Error(exposed.text);
}

export async function createKey(user: RegisteredUser, scopes: readonly string[] = ["mcp"]): Promise<string> {
  const { body } = await user.post("/api/keys", { name: "my client", scopes });
  return body.rawKey as string;
}

export interface ConnectOptions {
  version: Version;
  key: string;
  capabilities?: ClientOptions["capabilities"];
  fetch?: typeof fetch;
}

/** The official client, connected to the service. */
export async function connectClient(
  url: string,
  { version, key, capabilities = {}, fetch: request }: ConnectOptions,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities,
      versionNegotiation: { mode: version === "2026-07-28" ? { pin: version } : "legacy" },
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    ...(request && { fetch: request }),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** The messages of an event stream, as they arrive. */
export async function* messagesOf(response: Response): AsyncGenerator<Record<string, any>> {
  let rest = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop()!;
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield JSON.parse(data.slice(6));
    }
  }
}
