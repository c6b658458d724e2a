import { anyValue, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const agentStep = defineStepType({
  type: "agent",
  aliases: ["agent_call", "agent-call", "agentCall"],
  title: "Call an agent",
  description: "Hands a piece of work to one of your agents and waits for its answer.",
  category: "ai",
  fields: {
    agentId: text("The agent to call.").optional(),
    capability: text("What the agent must be able to do; any agent that can is chosen.").optional(),
    input: anyValue("What to hand to the agent."),
  },
  alternatives: { fields: ["agentId", "capability"], exclusive: false },
  example: {
    stepId: "research",
    type: "agent",
    capability: "research",
    input: "Find out who makes {{input.product}}.",
  },
});
