import type { McpTool } from "../../contract/mcp-servers.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { approvedMcpToolWorkflow, callMcpToolWorkflow } from "./call-mcp-tool.ts";
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
  { ownerId, name: agent, tools: { mcp = [] } }: AgentRecord,
  taken: readonly ModelTool[],
  start: StartToolTask,
): Promise<ModelTool[]> {
  const result: ModelTool[] = [];
  for (const { server, tools: chosen, permission } of mcp) {
    const offered = await offers.tools(ownerId, server).catch(deletedAsUndefined);
    if (offered === undefined) continue;
    for (const tool of offered.tools) {
      if (chosen !== undefined && !chosen.includes(tool.name)) continue;
      if (result.length === MAX_TOOLS) return result;
      const title = `${offered.name}: ${tool.title ?? tool.name}`;
      const call = { server, tool: tool.name };
      result.push({
        name: uniqueName(`${offered.name}_${tool.name}`, [...taken, ...result]),
        title,
        asksFirst: permission !== "allow",
        description: tool.description.slice(0, MAX_DESCRIPTION),
        inputSchema: tool.inputSchema,
        execute: (given, signal) =>
          start({ ...callMcpToolWorkflow, ownerId }, { ...call, arguments: given }, signal),
        ...(permission === "ask" && {
          executeWithApproval: (given: Record<string, JsonValue>, signal: AbortSignal) =>
            start(
              { ...approvedMcpToolWorkflow, ownerId },
              { ...call, arguments: given, agent, title },
              signal,
              { throughApprovals: true },
            ),
        }),
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
