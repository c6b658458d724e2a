import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import { callTool } from "../mcp-client/call-tool.ts";
import type { McpClients } from "../mcp-client/mcp-clients.ts";
import type { McpTarget } from "../mcp-client/mcp-target.ts";
import { outputOf } from "../mcp-client/tool-result.ts";
import { headersOf } from "./http-request.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

export interface McpRunnerDeps {
  clients: McpClients;
}

/** Calls a tool of an MCP server. */
export function createMcpRunner({ clients }: McpRunnerDeps): StepRunner {
  return {
    async run(call) {
      const target = targetOf(call.fields);
      const tool = requiredText(call.fields, "tool");
      const args = recordOf(call.fields, "arguments") ?? {};
      const options = {
        signal: call.signal,
        timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        answers: recordOf(call.fields, "answers"),
      };
      const result = await clients.call(target, options, (session) => callTool(session, tool, args));
      return { output: outputOf(tool, result) };
    },
  };
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
