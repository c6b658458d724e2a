import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { AppOffer } from "../apps/agent-actions.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import type { ModelTool } from "../models/language-model.ts";
import type { AgentRecord } from "./agent.sql.ts";
import { askStep } from "./ask-step.ts";
import { uniqueName } from "./tool-name.ts";
import type { StartToolTask } from "./tool-task.ts";

const MAX_TOOLS = 128;

const callStep = {
  stepId: "call",
  type: "app",
  app: "{{input.app}}",
  action: "{{input.action}}",
  connection: "{{input.connection}}",
  input: "{{input.input}}",
};

/** The built-in graph of an agent's call of an action of an app. */
export const callAppActionWorkflow: RunnableWorkflow = {
  id: "call_app_action",
  ownerId: "",
  name: "Use an app",
  version: 1,
  graph: { steps: [callStep], edges: [] },
};

/** The same after a person has approved it: where nobody watches the agent, "ask" is an approval. */
export const approvedAppActionWorkflow: RunnableWorkflow = {
  id: "call_approved_app_action",
  ownerId: "",
  name: "Use an app after approval",
  version: 1,
  graph: {
    steps: [askStep("{{input.input}}"), callStep],
    edges: [{ source: "ask", target: "call" }],
  },
};

export interface AppOffers {
  /** The chosen actions of an app, or all; undefined when it no longer exists. */
  actions(ownerId: string, appId: string, chosen?: readonly string[]): Promise<AppOffer | undefined>;
}

/** Actions of apps as tools, each run as a separate task. Reading is allowed and writing asks first, unless the agent says otherwise. */
export async function createAppTools(
  offers: AppOffers,
  { ownerId, name: agent, tools: { apps = [] } }: AgentRecord,
  taken: readonly ModelTool[],
  start: StartToolTask,
): Promise<ModelTool[]> {
  const result: ModelTool[] = [];
  for (const { app, connection, actions: chosen, permissions = {} } of apps) {
    const offered = await offers.actions(ownerId, app, chosen);
    for (const { id, title, description, writes, inputSchema } of offered?.actions ?? []) {
      const permission = permissions[id] ?? (writes ? "ask" : "allow");
      if (permission === "never" || (chosen !== undefined && !chosen.includes(id))) continue;
      if (result.length === MAX_TOOLS) return result;
      const asks = permission === "ask";
      const fullTitle = `${offered?.title}: ${title}`;
      const call = { app, action: id, connection };
      result.push({
        name: uniqueName(`${app}_${id}`, [...taken, ...result]),
        title: fullTitle,
        asksFirst: asks,
        description: `${title} (${offered?.title}). ${description}`,
        inputSchema: { ...inputSchema },
        execute: (input, signal) => start({ ...callAppActionWorkflow, ownerId }, { ...call, input }, signal),
        ...(asks && {
          executeWithApproval: (input: Record<string, JsonValue>, signal: AbortSignal) =>
            start(
              { ...approvedAppActionWorkflow, ownerId },
              { ...call, input, agent, title: fullTitle },
              signal,
              { throughApprovals: true },
            ),
        }),
      });
    }
  }
  return result;
}
