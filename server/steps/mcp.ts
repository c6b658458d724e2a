import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import packageFile from "../../package.json" with { type: "json" };
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import { AppError } from "../lib/errors.ts";
import { checkSchema } from "../models/json-schema.ts";
import type { Egress } from "../security/egress.ts";
import { appErrorWithin } from "../security/outbound-errors.ts";
import { headersOf } from "./http-request.ts";
import { limitStreams } from "./limited-fetch.ts";
import { parseJsonText } from "./json-text.ts";
import { describeValue, invalidField, permanentFailure, requiredText } from "./step-failure.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_TOOL_PAGES = 20;
const EXCERPT_LENGTH = 300;

export interface McpRunnerDeps {
  egress: Pick<Egress, "webFetch">;
  /** Of all responses of the server in one call. */
  maxBytes?: number;
}

interface Waiting {
  signal: AbortSignal;
  timeout: number;
}

/**
 * Calls a tool of an MCP server over Streamable HTTP. There is no stdio transport: it starts a command, so anyone who
 * can save a workflow could run programs on this machine.
 */
export function createMcpRunner({ egress, maxBytes = MAX_BYTES }: McpRunnerDeps): StepRunner {
  return {
    async run(call) {
      const url = webAddressOf(call.fields);
      const toolName = requiredText(call.fields, "tool");
      const args = argumentsOf(call.fields);
      const headers = headersOf(call.fields);
      const broken = new AbortController();
      const waiting = {
        signal: AbortSignal.any([call.signal, broken.signal]),
        timeout: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      };
      let isDone = false;
      // Closing aborts open requests, which is not a failure.
      const onBroken = (error: unknown): void => (isDone ? undefined : broken.abort(error));
      const fetch = limitStreams(egress.webFetch, { maxBytes, onBroken });
      try {
        return await withClient({ url, headers, fetch }, waiting, async (client) => {
          const result = await callTool(client, toolName, args, waiting).finally(() => (isDone = true));
          return { output: resultOf(toolName, result) };
        });
      } catch (error) {
        throw toStepError(broken.signal.reason ?? error, url, call);
      }
    },
  };
}

/** One client per call: a shared one could mix up the responses of different owners. */
async function withClient<T>(
  { url, headers, fetch }: { url: URL; headers: Record<string, string>; fetch: typeof globalThis.fetch },
  waiting: Waiting,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const [{ Client: McpClient }, { StreamableHTTPClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  ]);
  const client = new McpClient(
    { name: "baton", version: packageFile.version },
    { jsonSchemaValidator: { getValidator: validatorOf } },
  );
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  try {
    await client.connect(transport as Parameters<Client["connect"]>[0], waiting);
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Replaces the library's own validator, which compiles schemas of untrusted servers into code. */
function validatorOf(schema: unknown) {
  return (input: unknown) => {
    const [problem] = checkSchema(input as JsonValue, schema);
    return problem === undefined
      ? { valid: true as const, data: input as never, errorMessage: undefined }
      : { valid: false as const, data: undefined, errorMessage: `${problem.path} ${problem.message}` };
  };
}

async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  waiting: Waiting,
): Promise<CallToolResult> {
  checkArguments(await findTool(client, name, waiting), args);
  return (await client.callTool({ name, arguments: args }, undefined, waiting)) as CallToolResult;
}

async function findTool(client: Client, name: string, waiting: Waiting): Promise<Tool> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, waiting);
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) return found;
    names.push(...tools.map((tool) => tool.name));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  const offered = names.length === 0 ? "none" : names.slice(0, 20).join(", ");
  throw permanentFailure("mcp_tool_not_found", `The MCP server has no tool "${name}"; it offers ${offered}.`);
}

function checkArguments({ name, inputSchema }: Tool, args: Record<string, unknown>): void {
  const problems = checkSchema(args as JsonValue, inputSchema).slice(0, 5);
  if (problems.length === 0) return;
  const list = problems
    .map(({ path, message }) => `${path.replace(/^\$/, "arguments")} ${message}`)
    .join("; ");
  throw permanentFailure(
    "mcp_invalid_arguments",
    `The tool "${name}" does not accept these arguments: ${list}.`,
  );
}

function resultOf(tool: string, result: CallToolResult): JsonValue {
  if (result.isError !== true) return valueOf(result);
  const said = textOf(result.content).replace(/\s+/g, " ").trim().slice(0, EXCERPT_LENGTH);
  throw new AppError("mcp_tool_failed", `The tool "${tool}" failed${said === "" ? "." : `: ${said}`}`);
}

function toStepError(error: unknown, url: URL, call: StepCall): unknown {
  if (call.signal.aborted) return call.signal.reason;
  const known = appErrorWithin(error);
  if (known !== undefined) return known;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // Protocol errors have negative codes and a message for the caller.
  const said = typeof code === "number" ? ` (${code}): ${String(message).slice(0, EXCERPT_LENGTH)}` : ".";
  // Only the host: paths and queries often contain tokens.
  return new AppError("mcp_failed", `The server at ${url.host} did not respond as an MCP server${said}`, {
    cause: error,
  });
}

function webAddressOf(fields: StepCall["fields"]): URL {
  const text = requiredText(fields, "url");
  if (!URL.canParse(text)) throw invalidField("url", "must be a complete URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidField("url", `must begin with http:// or https://, not ${url.protocol}`);
  if (url.username || url.password) throw invalidField("url", "must not contain a user name or password");
  return url;
}

function argumentsOf({ arguments: given }: StepCall["fields"]): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) throw invalidField("arguments", `must be an object, not ${describeValue(given)}`);
  return given;
}

/**
 * A tool's result as a value: its structured content, else its text (parsed if it is a JSON object or list), else its
 * content parts.
 */
function valueOf({ structuredContent, content }: CallToolResult): JsonValue {
  if (structuredContent !== undefined) return structuredContent as JsonValue;
  const [only] = content;
  if (only === undefined) return null;
  if (content.length > 1 || only.type !== "text") {
    return content.every((part) => part.type === "text") ? textOf(content) : (content as JsonValue);
  }
  const text = only.text.trim();
  return (/^[{[]/.test(text) ? parseJsonText(text) : undefined) ?? only.text;
}

function textOf(content: CallToolResult["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
