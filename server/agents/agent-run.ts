import type { RunnableWorkflow } from "../engine/engine-api.ts";

/** The built-in graph of one agent's run as a task of its own: it survives a restart and can be followed by its id. */
export const agentRunWorkflow: RunnableWorkflow = {
  id: "run_agent",
  ownerId: "",
  name: "Run an agent",
  version: 1,
  graph: {
    steps: [{ stepId: "agent", type: "agent", agentId: "{{input.agentId}}", input: "{{input.message}}" }],
    edges: [],
  },
};
