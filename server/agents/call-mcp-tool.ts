import type { RunnableWorkflow } from "../engine/engine-api.ts";

/** The built-in graph of an agent's call of a tool of an MCP server. */
export const callMcpToolWorkflow: RunnableWorkflow = {
  id: "call_mcp_tool",
  ownerId: "",
  name: "Call an MCP tool",
  version: 1,
  graph: {
    steps: [
      {
        stepId: "call",
        type: "mcp",
        server: "{{input.server}}",
        tool: "{{input.tool}}",
        arguments: "{{input.arguments}}",
      },
    ],
    edges: [],
  },
};
