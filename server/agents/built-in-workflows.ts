import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { agentRunWorkflow } from "./agent-run.ts";
import { approvedAppActionWorkflow, callAppActionWorkflow } from "./app-tools.ts";
import { askDocumentsWorkflow } from "./ask-documents.ts";
import { approvedMcpToolWorkflow, callMcpToolWorkflow } from "./call-mcp-tool.ts";

/** Workflows that agents start for their tools. The engine continues a run only of a workflow that is listed. */
export const builtInWorkflows: readonly RunnableWorkflow[] = [
  agentRunWorkflow,
  approvedAppActionWorkflow,
  approvedMcpToolWorkflow,
  askDocumentsWorkflow,
  callAppActionWorkflow,
  callMcpToolWorkflow,
];
