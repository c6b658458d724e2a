import { createHash } from "node:crypto";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { MAX_DEPTH } from "../engine/control/sub-workflow.ts";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import { isFinal, type Trigger } from "../engine/task.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent-store.ts";

/** On whose behalf an agent works, and where the tasks that its tools start hang. */
export interface WorkContext {
  ownerId: string;
  trigger: Extract<Trigger, "team" | "workflow" | "manual">;
  parentTaskId?: string | undefined;
  /** How deep the caller stands; what an agent starts stands one deeper. */
  depth: number;
  /** The same for every attempt at this piece of work: a call that is made again after a crash finds its task. */
  workKey: string;
}

export type AskDocuments = (
  ownerId: string,
  question: { query: string; documentIds: readonly string[] },
  signal: AbortSignal,
) => Promise<JsonValue>;

type TaskEngine = Pick<Engine, "start" | "settled" | "cancel">;

export interface AgentToolsDeps {
  /** The engine runs agents as steps, and agents start tasks on it: whichever is built first waits for the other. */
  engine: Promise<TaskEngine>;
  /** Today's version of a workflow of this owner, if there is one. */
  workflow(ownerId: string, id: string): Promise<RunnableWorkflow | undefined>;
  askDocuments?: AskDocuments | undefined;
}

export type ToolsFor = (agent: AgentRecord, context: WorkContext) => Promise<ModelTool[]>;

/** A workflow that takes longer goes on without the agent, who is told so. */
const TOOL_WAIT_MS = 10 * 60_000;

/** What an agent can do beside talking: run its workflows and ask its documents. */
export function createAgentTools(deps: AgentToolsDeps): ToolsFor {
  return async (agent, context) => {
    const tools: ModelTool[] = [];
    const callsSoFar = new Map<string, number>();
    for (const id of agent.tools.workflows) {
      const workflow = await deps.workflow(context.ownerId, id);
      // One that was deleted since is no tool any more.
      if (workflow !== undefined)
        tools.push(workflowTool(deps, workflow, nameFor(workflow, tools), context, callsSoFar));
    }
    if (agent.tools.documents.length > 0 && deps.askDocuments !== undefined) {
      tools.push(documentsTool(deps.askDocuments, agent.tools.documents, context));
    }
    return tools;
  };
}

function workflowTool(
  { engine, workflow: current }: AgentToolsDeps,
  { id, name: title }: RunnableWorkflow,
  name: string,
  context: WorkContext,
  callsSoFar: Map<string, number>,
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
      if (context.depth >= MAX_DEPTH)
        throw new AppError(
          "depth_exceeded",
          `Workflows and agents call each other more than ${MAX_DEPTH} deep.`,
        );
      const workflow = await current(context.ownerId, id);
      if (workflow === undefined) throw notFound("workflow");
      const input = isRecord(given["input"]) ? given["input"] : {};
      const bodyHash = createHash("sha256")
        .update(`${id} ${JSON.stringify(input)}`)
        .digest("hex");
      const nth = (callsSoFar.get(bodyHash) ?? 0) + 1;
      callsSoFar.set(bodyHash, nth);
      const tasks = await engine;
      const { taskId } = await tasks.start({
        workflow,
        trigger: context.trigger,
        input,
        parentTaskId: context.parentTaskId,
        depth: context.depth + 1,
        idempotency: {
          scope: `agent:${context.ownerId}`,
          key: `${context.workKey}:${bodyHash}:${nth}`,
          bodyHash,
        },
      });
      return settle(tasks, taskId, signal);
    },
  };
}

async function settle(engine: TaskEngine, taskId: string, signal: AbortSignal): Promise<JsonValue> {
  const { task } = await engine.settled(taskId, TOOL_WAIT_MS, signal);
  // Cancelled work takes what it started with it; a process that merely stops finds the task again by its key.
  if (isCancelled(signal) && !isFinal(task.status)) await engine.cancel(taskId);
  if (task.status === "completed") return { taskId, output: task.result?.output ?? null };
  if (isFinal(task.status)) {
    throw new AppError(
      "workflow_failed",
      `The workflow was ${task.status}${task.error === null ? "." : `: ${task.error.message}`}`,
      { details: { taskId } },
    );
  }
  return { taskId, status: task.status, note: "It has not ended yet and goes on by itself." };
}

function documentsTool(
  ask: AskDocuments,
  documentIds: readonly string[],
  { ownerId }: WorkContext,
): ModelTool {
  return {
    name: "ask_documents",
    description: "Answers a question from the documents, with sources.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "The question, in full" } },
      required: ["query"],
    },
    execute: ({ query }, signal) => ask(ownerId, { query: String(query), documentIds }, signal),
  };
}

/** The reason of a signal that ends work for good. */
export function cancelledWork(): AppError {
  return new AppError("cancelled", "This was cancelled.");
}

function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === "cancelled";
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
