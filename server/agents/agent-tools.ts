import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { notFound } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { type AppOffers, createAppTools } from "./app-tools.ts";
import { askDocumentsWorkflow } from "./ask-documents.ts";
import { type AgentMemory, createMemoryTools } from "./memory-tools.ts";
import { createMcpTools, type McpOffers } from "./mcp-tools.ts";
import { slugOf, uniqueName } from "./tool-name.ts";
import { createToolTasks, type StartToolTask, type TaskEngine, type WorkContext } from "./tool-task.ts";

/** The documents and collections that an agent may query. */
export interface NamedDocuments {
  documentIds: readonly string[];
  collectionIds: readonly string[];
}

export interface AgentToolsDeps {
  /** A function, since the engine runs agents as steps and is created after them. */
  engine(): TaskEngine;
  /** The current version of a workflow of this owner. */
  workflow(ownerId: string, id: string): Promise<RunnableWorkflow | undefined>;
  /** Those that still exist: a deleted one must not make the others unreadable. */
  readable(ownerId: string, named: NamedDocuments): Promise<NamedDocuments>;
  mcp: McpOffers;
  apps: AppOffers;
  memory: AgentMemory;
}

export type ToolsFor = (agent: AgentRecord, context: WorkContext) => Promise<ModelTool[]>;

/** The tools of an agent: its workflows, documents, MCP servers, apps and memory. All but memory run as a separate task. */
export function createAgentTools({
  engine,
  workflow: current,
  readable,
  mcp,
  apps,
  memory,
}: AgentToolsDeps): ToolsFor {
  return async (agent, context) => {
    const start = createToolTasks(engine, context);
    const tools: ModelTool[] = [];
    for (const id of agent.tools.workflows) {
      const workflow = await current(context.ownerId, id);
      // Deleted workflows are skipped.
      if (workflow === undefined) continue;
      const readCurrent = () => current(context.ownerId, id);
      tools.push(workflowTool(readCurrent, workflow, nameFor(workflow, tools), start));
    }
    const { documents: documentIds, collections: collectionIds = [] } = agent.tools;
    const named = await readable(context.ownerId, { documentIds, collectionIds });
    // Without any, a question would search all documents of the workspace.
    if (named.documentIds.length > 0 || named.collectionIds.length > 0)
      tools.push(documentsTool(named, context.ownerId, start));
    if (agent.tools.memory === true) {
      const { ownerId, conversation } = context;
      tools.push(...createMemoryTools(memory, { ownerId, agentId: agent.id, conversation }));
    }
    tools.push(...(await createMcpTools(mcp, agent, tools, start)));
    tools.push(...(await createAppTools(apps, agent, tools, start)));
    return tools;
  };
}

function workflowTool(
  readCurrent: () => Promise<RunnableWorkflow | undefined>,
  { name: title, graph: { inputSchema } }: RunnableWorkflow,
  name: string,
  start: StartToolTask,
): ModelTool {
  return {
    name,
    title,
    asksFirst: true,
    description: `Runs the workflow "${title}" and returns its output.`,
    inputSchema: inputSchema === undefined ? ANY_INPUT : { ...inputSchema },
    async execute(given, signal) {
      const workflow = await readCurrent();
      if (workflow === undefined) throw notFound("workflow");
      const input = inputSchema === undefined ? given["input"] : given;
      return start(workflow, isRecord(input) ? input : {}, signal);
    },
  };
}

/** The parameters of a workflow without an input schema. */
const ANY_INPUT = {
  type: "object",
  properties: { input: { type: "object", description: "The workflow's input" } },
  required: ["input"],
};

/** Queries only the agent's documents and collections, whatever ids the model passes. */
function documentsTool(
  { documentIds, collectionIds }: NamedDocuments,
  ownerId: string,
  start: StartToolTask,
): ModelTool {
  return {
    name: "ask_documents",
    title: "Search documents",
    description:
      "Answers a question from the documents, with sources. With confidence low or none, say that the documents do not clearly answer it.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "The question, in full" } },
      required: ["query"],
    },
    execute: ({ query }, signal) =>
      start(
        { ...askDocumentsWorkflow, ownerId },
        { query: String(query), documentIds: [...documentIds], collectionIds: [...collectionIds] },
        signal,
      ),
  };
}

function nameFor({ name }: RunnableWorkflow, taken: readonly ModelTool[]): string {
  const slug = slugOf(name, 50);
  return uniqueName(`run_${slug === "" ? "workflow" : slug}`, taken);
}
