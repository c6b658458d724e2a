import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { askStep } from "./ask-step.ts";

const callStep = {
  stepId: "call",
  type: "mcp",
  server: "{{input.server}}",
  tool: "{{input.tool}}",
  arguments: "{{input.arguments}}",
};

/** The built-in graph of an agent's call of a tool of an MCP server. */
export const callMcpToolWorkflow: RunnableWorkflow = {
  id: "call_mcp_tool",
  ownerId: "",
  name: "Call an MCP tool",
  version: 1,
  graph: { steps: [callStep], edges: [] },
};

/** The same after a person has approved it. */
export const approvedMcpToolWorkflow: RunnableWorkflow = {
  id: "call_approved_mcp_tool",
  ownerId: "",
  name: "Call an MCP tool after approval",
  version: 1,
  graph: { steps: [askStep("{{input.arguments}}"), callStep], edges: [{ source: "ask", target: "call" }] },
};
