import type { McpPrompt, McpResource, McpServerTest, McpTool } from "../../contract/mcp-servers.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { listTools } from "../mcp-client/call-tool.ts";
import type { McpSession } from "../mcp-client/mcp-clients.ts";
import type { ServerCalls } from "./server-calls.ts";

const TIMEOUT_MS = 20_000;
const KEPT_MS = 60_000;
const MAX_ENTRIES = 200;
/** Longer lists are read every time: 200 of them would fill the memory. */
const MAX_KEPT_CHARACTERS = 256 * 1024;
const MAX_DESCRIPTION = 4000;

export interface OffersDeps {
  calls: ServerCalls;
  clock: Clock;
}

export type Offers = ReturnType<typeof createOffers>;

/** What stored servers offer, kept for a minute: a form asks for it with every step that it shows. */
export function createOffers({ calls, clock }: OffersDeps) {
  const kept = new Map<string, { value: Promise<unknown>; until: number }>();

  async function list<T>(
    kind: string,
    ownerId: string,
    serverId: string,
    read: (session: McpSession) => Promise<T>,
  ): Promise<T> {
    const key = `${kind} ${ownerId} ${serverId}`;
    const found = kept.get(key);
    if (found !== undefined && found.until > clock.monotonic()) return found.value as Promise<T>;
    const value = calls
      .call({ ownerId, serverId, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS }, read)
      .then((offer) => {
        if (JSON.stringify(offer).length > MAX_KEPT_CHARACTERS) kept.delete(key);
        return offer;
      })
      .catch((error: unknown) => {
        kept.delete(key);
        throw toResponseError(error);
      });
    kept.delete(key);
    kept.set(key, { value, until: clock.monotonic() + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_ENTRIES && oldest !== undefined) kept.delete(oldest);
    return value;
  }

  function recentTools(ownerId: string, serverId: string): Promise<McpTool[]> | undefined {
    const found = kept.get(`tools ${ownerId} ${serverId}`);
    return found === undefined || found.until <= clock.monotonic()
      ? undefined
      : (found.value as Promise<McpTool[]>);
  }

  function forget(serverId: string): void {
    for (const key of kept.keys()) if (key.endsWith(` ${serverId}`)) kept.delete(key);
  }

  return {
    forget,
    recentTools,
    tools: (ownerId: string, serverId: string) => list("tools", ownerId, serverId, readTools),
    resources: (ownerId: string, serverId: string) => list("resources", ownerId, serverId, readResources),
    prompts: (ownerId: string, serverId: string) => list("prompts", ownerId, serverId, readPrompts),

    /** Connects and counts the tools. A failure is the result, not an error. */
    async test(ownerId: string, serverId: string): Promise<McpServerTest> {
      forget(serverId);
      const options = { ownerId, serverId, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS };
      try {
        return await calls.call(options, async (session) => ({
          status: "connected" as const,
          message: "",
          serverName: session.client.getServerVersion()?.name ?? null,
          protocolVersion: session.client.getNegotiatedProtocolVersion() ?? null,
          tools: (await listTools(session)).length,
        }));
      } catch (error) {
        if (
          !(error instanceof AppError) ||
          error.code === "mcp_server_not_found" ||
          error.code === "forbidden"
        )
          throw error;
        const isRefused = AUTHORIZATION_CODES.has(error.code);
        const status = isRefused ? "authorization_required" : "failed";
        return { status, message: error.message, serverName: null, protocolVersion: null, tools: null };
      }
    },
  };
}

async function readTools(session: McpSession): Promise<McpTool[]> {
  return (await listTools(session)).map((tool) => ({
    name: tool.name,
    title: tool.title ?? tool.annotations?.title ?? null,
    description: (tool.description ?? "").slice(0, MAX_DESCRIPTION),
    inputSchema: tool.inputSchema,
    isReadOnly: tool.annotations?.readOnlyHint === true,
  }));
}

async function readResources({ client, waiting }: McpSession): Promise<McpResource[]> {
  if (client.getServerCapabilities()?.resources === undefined) return [];
  const { resources } = await client.listResources(undefined, waiting);
  // Optional for a server, unlike the list of resources.
  const { resourceTemplates } = await client
    .listResourceTemplates(undefined, waiting)
    .catch(() => ({ resourceTemplates: [] }));
  return [
    ...resources.map((resource) => toResource(resource, resource.uri, false)),
    ...resourceTemplates.map((template) => toResource(template, template.uriTemplate, true)),
  ];
}

function toResource(
  {
    name,
    description = "",
    mimeType,
  }: { name: string; description?: string | undefined; mimeType?: string | undefined },
  uri: string,
  isTemplate: boolean,
): McpResource {
  return {
    uri,
    name,
    description: description.slice(0, MAX_DESCRIPTION),
    mimeType: mimeType ?? null,
    isTemplate,
  };
}

async function readPrompts({ client, waiting }: McpSession): Promise<McpPrompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return [];
  const { prompts } = await client.listPrompts(undefined, waiting);
  return prompts.map((prompt) => ({
    name: prompt.name,
    description: (prompt.description ?? "").slice(0, MAX_DESCRIPTION),
    arguments: (prompt.arguments ?? []).map((argument) => ({
      name: argument.name,
      description: (argument.description ?? "").slice(0, MAX_DESCRIPTION),
      required: argument.required === true,
    })),
  }));
}

const AUTHORIZATION_CODES = new Set(["mcp_authorization_required", "connection_authorization_required"]);

const OWN_CODES = new Set([
  ...AUTHORIZATION_CODES,
  "connection_host_not_allowed",
  "connection_not_found",
  "mcp_server_not_found",
  "forbidden",
  "egress_denied",
]);

/** Codes of steps have no status of a response. */
function toResponseError(error: unknown): unknown {
  if (!(error instanceof AppError) || OWN_CODES.has(error.code)) return error;
  return new AppError("mcp_failed", error.message, { cause: error });
}
