import type { McpTool } from "../../contract/mcp-servers.ts";
import { AppError } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { callMcpToolWorkflow } from "./call-mcp-tool.ts";
import { uniqueName } from "./tool-name.ts";
import type { StartToolTask } from "./tool-task.ts";

const MAX_TOOLS = 128;
/** Vendors limit descriptions, and every one is paid for with every model call. */
const MAX_DESCRIPTION = 1000;

export interface McpOffers {
  /** The name of the server and its tools. Throws `mcp_server_not_found` when it was deleted. */
  tools(ownerId: string, serverId: string): Promise<{ name: string; tools: McpTool[] }>;
}

/** The tools of an agent's MCP servers. Each call runs as a separate task. */
export async function createMcpTools(
  offers: McpOffers,
  { ownerId, tools: { mcp = [] } }: AgentRecord,
  taken: readonly ModelTool[],
  start: StartToolTask,
): Promise<ModelTool[]> {
  const result: ModelTool[] = [];
  for (const { server, tools: chosen, permission = "ask" } of mcp) {
    const offered = await offers.tools(ownerId, server).catch(deletedAsUndefined);
    if (offered === undefined) continue;
    for (const tool of offered.tools) {
      if (chosen !== undefined && !chosen.includes(tool.name)) continue;
      if (result.length === MAX_TOOLS) return result;
      result.push({
        name: uniqueName(`${offered.name}_${tool.name}`, [...taken, ...result]),
        title: `${offered.name}: ${tool.title ?? tool.name}`,
        asksFirst: permission === "ask",
        description: tool.description.slice(0, MAX_DESCRIPTION),
        inputSchema: tool.inputSchema,
        execute: (given, signal) =>
          start({ ...callMcpToolWorkflow, ownerId }, { server, tool: tool.name, arguments: given }, signal),
      });
    }
  }
  return result;
}

/** Deleted servers are skipped, as deleted workflows are. One that does not answer fails the run: it may come back. */
function deletedAsUndefined(error: unknown): undefined {
  if (error instanceof AppError && error.code === "mcp_server_not_found") return undefined;
  throw error;
}
