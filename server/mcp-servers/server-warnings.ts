import type { Problem } from "../../contract/graph.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import type { McpTool } from "../../contract/mcp-servers.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { missingNames } from "../lib/missing-names.ts";

const MAX_WARNINGS = 100;

interface StepsGraph {
  steps: readonly unknown[];
}

export interface ServerWarningsDeps {
  /** Those of these ids that this owner has. */
  known(ownerId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The tools that were listed lately; undefined when they were not. Never calls the server. */
  recentTools(ownerId: string, serverId: string): Promise<McpTool[]> | undefined;
}

export type GraphWarnings = (ownerId: string, graph: StepsGraph) => Promise<Problem[]>;

/** Warns about steps whose MCP server or tool does not exist. A graph without such steps costs nothing. */
export function createServerWarnings({ known, recentTools }: ServerWarningsDeps): GraphWarnings {
  return async (ownerId, graph) => {
    const steps = mcpSteps(graph);
    const missing = await missingNames(
      steps.map(({ server }) => server),
      (ids) => known(ownerId, ids),
    );
    const warnings: Problem[] = [];
    for (const { stepId, server, tool } of steps) {
      if (warnings.length >= MAX_WARNINGS) break;
      if (missing.has(server)) {
        const message = `Step "${stepId}" names an MCP server that you do not have. Choose another one.`;
        warnings.push({ code: "unknown_mcp_server", message, stepId });
        continue;
      }
      const tools = await recentTools(ownerId, server)?.catch(() => undefined);
      if (tool === undefined || tools === undefined || tools.some(({ name }) => name === tool)) continue;
      const message = `Step "${stepId}" names the tool "${tool.slice(0, 100)}", which its MCP server does not offer.`;
      warnings.push({ code: "unknown_mcp_tool", message, stepId });
    }
    return warnings;
  };
}

/** Steps that name a server without a placeholder, those inside loops included. */
function mcpSteps({ steps }: StepsGraph): { stepId: string; server: string; tool: string | undefined }[] {
  return steps.filter(isRecord).flatMap((step) => {
    const inside = mcpSteps(innerGraph(step) ?? { steps: [] });
    const { stepId, type, server, tool } = step;
    if (type !== "mcp" || typeof server !== "string" || server.includes("{{")) return inside;
    const isFixed = typeof tool === "string" && !tool.includes("{{");
    return [{ stepId: String(stepId), server, tool: isFixed ? tool : undefined }, ...inside];
  });
}
