import type { UpdateAgent } from "../../../contract/agents.ts";
import type { Agent } from "../../api/agents.ts";

/** The fields that the playground edits. */
export type AgentDraft = Required<
  Pick<
    Agent,
    | "name"
    | "role"
    | "capabilities"
    | "provider"
    | "model"
    | "connection"
    | "baseUrl"
    | "systemPrompt"
    | "temperature"
    | "tools"
  >
> & { limits: NonNullable<Agent["limits"]> };

export function draftOf(agent: Agent): AgentDraft {
  const { name, role, capabilities, provider, model, connection, baseUrl } = agent;
  const { systemPrompt, temperature, tools, limits = {} } = agent;
  return {
    name,
    role,
    capabilities,
    provider,
    model,
    connection,
    baseUrl,
    systemPrompt,
    temperature,
    tools,
    limits,
  };
}

/** In the words of the labels. */
const WORDS: Record<keyof AgentDraft, string> = {
  name: "name",
  role: "role",
  capabilities: "capabilities",
  provider: "model",
  model: "model",
  connection: "model",
  baseUrl: "model",
  systemPrompt: "instructions",
  temperature: "temperature",
  tools: "tools",
  limits: "limits",
};

/** Only the changed fields: others may have been changed elsewhere meanwhile. */
export function changesOf(agent: Agent, draft: AgentDraft): UpdateAgent {
  const saved = draftOf(agent);
  const changed = Object.entries(draft).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(saved[field as keyof AgentDraft]),
  );
  return Object.fromEntries(changed) as UpdateAgent;
}

/** "instructions and tools changed" */
export function describeChanges(changes: UpdateAgent): string {
  const words = [...new Set(Object.keys(changes).map((field) => WORDS[field as keyof AgentDraft]))];
  return `${new Intl.ListFormat("en").format(words)} changed`;
}
