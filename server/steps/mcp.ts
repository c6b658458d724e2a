import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import { callTool } from "../mcp-client/call-tool.ts";
import type { McpClients, McpSession } from "../mcp-client/mcp-clients.ts";
import type { McpTarget } from "../mcp-client/mcp-target.ts";
import { getPrompt, readResource } from "../mcp-client/read-content.ts";
import { outputOf } from "../mcp-client/tool-result.ts";
import type { ServerCalls } from "../mcp-servers/server-calls.ts";
import { headersOf } from "./http-request.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

export interface McpRunnerDeps {
  clients: Pick<McpClients, "call">;
  /** Calls of stored servers. */
  calls: Pick<ServerCalls, "call">;
}

/** Calls a tool of an MCP server, or reads a resource or a prompt. */
export function createMcpRunner({ clients, calls }: McpRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { fields, ownerId, signal } = call;
      const use = operationOf(fields);
      const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const options = { signal, timeoutMs, answers: recordOf(fields, "answers") };
      const { server } = fields;
      if (server === undefined || server === null)
        return { output: await clients.call(targetOf(fields), options, use) };
      const serverId = requiredText(fields, "server");
      return { output: await calls.call({ ...options, ownerId, serverId }, use) };
    },
  };
}

/** Reads the fields before a connection is opened. */
function operationOf(fields: StepCall["fields"]): (session: McpSession) => Promise<JsonValue> {
  const args = recordOf(fields, "arguments") ?? {};
  if (fields["operation"] === "resource") {
    const uri = requiredText(fields, "uri");
    return (session) => readResource(session, uri);
  }
  if (fields["operation"] === "prompt") {
    const prompt = requiredText(fields, "prompt");
    return (session) => getPrompt(session, prompt, args);
  }
  const tool = requiredText(fields, "tool");
  return async (session) => outputOf(tool, await callTool(session, tool, args));
}

function targetOf(fields: StepCall["fields"]): McpTarget {
  return { kind: "http", url: webAddressOf(requiredText(fields, "url")), headers: headersOf(fields) };
}

/**
 * There is no address for stdio: it would start a command, so anyone who can save a workflow could run programs on this
 * machine.
 */
function webAddressOf(text: string): URL {
  if (!URL.canParse(text)) throw invalidField("url", "must be a complete URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidField("url", `must begin with http:// or https://, not ${url.protocol}`);
  if (url.username || url.password) throw invalidField("url", "must not contain a user name or password");
  return url;
}

function recordOf(fields: StepCall["fields"], field: string) {
  const given = fields[field];
  if (given === undefined || given === null) return undefined;
  if (!isRecord(given)) throw invalidField(field, `must be an object, not ${describeValue(given)}`);
  return given as Record<string, never>;
}
