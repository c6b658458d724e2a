import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import type { ModelMessage } from "../models/language-model.ts";

/** The built-in graph of one agent's run as a separate task: it survives a restart and can be followed by its id. */
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

/** What the input of such a run may have besides `agentId` and `message`. */
export interface AgentRunInput {
  /** The conversation up to the message, which is its last one. */
  messages?: ModelMessage[];
  /** Follow the agent's own. */
  instructions?: string;
  /** The key of the request that reads the answer as it is written. */
  live?: string;
}

/** The input comes from this service, but its texts are the client's. */
export function readAgentRunInput(input: JsonValue | undefined): AgentRunInput {
  if (!isRecord(input)) return {};
  const { messages, instructions, live } = input as Record<string, JsonValue>;
  return {
    ...(Array.isArray(messages) &&
      messages.length > 0 && { messages: messages.filter(isRecord).map(toMessage) }),
    ...(typeof instructions === "string" && { instructions }),
    ...(typeof live === "string" && { live }),
  };
}

function toMessage(message: JsonValue): ModelMessage {
  const { role, content } = message as Record<string, JsonValue>;
  return { role: role === "assistant" ? role : "user", content: typeof content === "string" ? content : "" };
}
