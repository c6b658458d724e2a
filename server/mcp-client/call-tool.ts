import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { checkSchema } from "../models/json-schema.ts";
import { problemText } from "../models/json-schema-types.ts";
import { AppError } from "../lib/errors.ts";
import { addTraceHeaders } from "../telemetry/trace-context.ts";
import { inSpan } from "../telemetry/tracing.ts";
import { permanentFailure } from "../steps/step-failure.ts";
import type { McpSession } from "./mcp-clients.ts";
import { callAsTask, pollTask } from "./remote-task.ts";

/** Checks the arguments against the tool's schema and calls it. A task that the server starts is awaited. */
export function callTool(
  session: McpSession,
  name: string,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const { tracing } = session;
  if (tracing === undefined) return callUntraced(session, name, given);
  const span = tracing.start(`tools/call ${name}`, {
    kind: "client",
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
    },
  });
  const meta: Record<string, string> = {};
  if (tracing.propagates) addTraceHeaders(meta, span.context);
  return inSpan(tracing, span, () => callUntraced(session, name, given, meta), codeOf);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "mcp_error";
}

/** Servers over stdio have no headers: the trace is in `_meta` of the request, for all servers. */
async function callUntraced(
  session: McpSession,
  name: string,
  given: Record<string, unknown>,
  meta?: Record<string, string>,
): Promise<CallToolResult> {
  const { client, waiting } = session;
  const tool = await findTool(session, name);
  const args = withoutNulls(tool, given);
  checkArguments(tool, args);
  const call = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
  if (needsTask(session, tool)) return callAsTask(session, call);
  try {
    return await client.callTool(call, waiting);
  } catch (error) {
    const handle = session.takeTask();
    if (handle === undefined) throw error;
    return pollTask(session, handle);
  }
}

export async function listTools({ client, waiting }: McpSession): Promise<Tool[]> {
  // The library logs a line for every list that a server does not have.
  if (client.getServerCapabilities()?.tools === undefined) return [];
  return (await client.listTools(undefined, waiting)).tools;
}

async function findTool(session: McpSession, name: string): Promise<Tool> {
  const tools = await listTools(session);
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const offered = tools.map((tool) => tool.name);
  throw permanentFailure(
    "mcp_tool_not_found",
    `The MCP server has no tool "${name}"; it offers ${offered.slice(0, 20).join(", ") || "none"}.`,
  );
}

/** In version 2025-11-25 a tool may accept only calls that ask for a task. */
function needsTask({ client }: McpSession, tool: Tool): boolean {
  const { taskSupport } = (tool as { execution?: { taskSupport?: unknown } }).execution ?? {};
  return client.getProtocolEra() === "legacy" && taskSupport === "required";
}

/** A placeholder without a value is null. An optional argument that cannot be null is then left out. */
function withoutNulls({ inputSchema }: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const properties: Record<string, unknown> = inputSchema.properties ?? {};
  const isLeftOut = (name: string): boolean =>
    args[name] === null &&
    Object.hasOwn(properties, name) &&
    inputSchema.required?.includes(name) !== true &&
    checkSchema(null, properties[name]).length > 0;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !isLeftOut(name)));
}

function checkArguments({ name, inputSchema }: Tool, args: Record<string, unknown>): void {
  const problems = checkSchema(args as JsonValue, inputSchema).slice(0, 5);
  if (problems.length === 0) return;
  const list = problems.map((problem) => problemText(problem, "the input")).join("; ");
  throw permanentFailure(
    "mcp_invalid_arguments",
    `The tool "${name}" does not accept these arguments: ${list}.`,
  );
}
