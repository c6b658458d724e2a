import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { notFound } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { askDocumentsWorkflow } from "./ask-documents.ts";
import { createToolTasks, type StartToolTask, type TaskEngine, type WorkContext } from "./tool-task.ts";

export interface AgentToolsDeps {
  /** The engine runs agents as steps, and agents start tasks on it: whichever is built first waits for the other. */
  engine: Promise<TaskEngine>;
  /** Today's version of a workflow of this owner, if there is one. */
  workflow(ownerId: string, id: string): Promise<RunnableWorkflow | undefined>;
}

export type ToolsFor = (agent: AgentRecord, context: WorkContext) => Promise<ModelTool[]>;

/** What an agent can do beside talking: run its workflows and ask its documents. Each call is a task of its own. */
export function createAgentTools({ engine, workflow: current }: AgentToolsDeps): ToolsFor {
  return async (agent, context) => {
    const start = createToolTasks(engine, context);
    const tools: ModelTool[] = [];
    for (const id of agent.tools.workflows) {
      const workflow = await current(context.ownerId, id);
      // One that was deleted since is no tool any more.
      if (workflow === undefined) continue;
      const today = () => current(context.ownerId, id);
      tools.push(workflowTool(today, workflow.name, nameFor(workflow, tools), start));
    }
    if (agent.tools.documents.length > 0) {
      tools.push(documentsTool(agent.tools.documents, context.ownerId, start));
    }
    return tools;
  };
}

function workflowTool(
  today: () => Promise<RunnableWorkflow | undefined>,
  title: string,
  name: string,
  start: StartToolTask,
): ModelTool {
  return {
    name,
    description: `Runs the workflow "${title}" and gives its output.`,
    inputSchema: {
      type: "object",
      properties: { input: { type: "object", description: "The workflow's input" } },
      required: ["input"],
    },
    async execute(given, signal) {
      const workflow = await today();
      if (workflow === undefined) throw notFound("workflow");
      return start(workflow, isRecord(given["input"]) ? given["input"] : {}, signal);
    },
  };
}

/** Only what the agent may ask, whatever the model names. */
function documentsTool(documentIds: readonly string[], ownerId: string, start: StartToolTask): ModelTool {
  return {
    name: "ask_documents",
    description: "Answers a question from the documents, with sources.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "The question, in full" } },
      required: ["query"],
    },
    execute: ({ query }, signal) =>
      start(
        { ...askDocumentsWorkflow, ownerId },
        { query: String(query), documentIds: [...documentIds] },
        signal,
      ),
  };
}

/** Letters, digits and `_` of the workflow's name; two of one name are told apart by a number. */
function nameFor({ name }: RunnableWorkflow, taken: readonly ModelTool[]): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 50);
  const base = `run_${slug === "" ? "workflow" : slug}`;
  let result = base;
  for (let n = 2; taken.some((tool) => tool.name === result); n++) result = `${base}_${n}`;
  return result;
}
