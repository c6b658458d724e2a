import { inWords } from "./common.ts";
import { anyValue, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const agentStep = defineStepType({
  type: "agent",
  aliases: ["agent_call", "agent-call", "agentCall"],
  title: "Call an agent",
  description: "Runs one of your agents and waits for its result.",
  category: "ai",
  synonyms: ["assistant", "bot", "tool use", "delegate"],
  traits: { startsTasks: true },
  fields: {
    agentId: text("The agent to call.").optional(),
    capability: text("A capability; the oldest of your agents that lists it is called.").optional(),
    input: anyValue("The input of the agent."),
  },
  alternatives: { fields: ["agentId", "capability"], exclusive: false },
  shortTitle: "Agent",
  summary: ({ capability }) => inWords(capability),
  form: {
    agentId: { label: "Agent" },
    capability: { label: "Capability", example: "research" },
    input: { label: "Input", control: "long", example: "What the agent should do" },
  },
  example: {
    stepId: "research",
    type: "agent",
    capability: "research",
    input: "Find out who makes {{input.product}}.",
  },
});
