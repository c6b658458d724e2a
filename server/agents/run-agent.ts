import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { LanguageModels, ModelMessage, ModelStep, TokenUsage } from "../models/language-model.ts";
import { withUsage } from "../models/model-failure.ts";
import { stepCount } from "../models/stop-conditions.ts";
import type { AgentRecord } from "./agent.sql.ts";
import type { ToolsFor } from "./agent-tools.ts";
import type { WorkContext } from "./tool-task.ts";

export interface AgentWork {
  agent: AgentRecord;
  /** Replaces the agent's own instructions; a team's session adds to them. */
  system?: string;
  messages: readonly ModelMessage[];
  context: WorkContext;
  signal: AbortSignal;
}

export interface AgentAnswer {
  text: string;
  steps: ModelStep[];
  usage: TokenUsage;
  /** `provider/model`. */
  answeredBy: string;
}

export type RunAgent = (work: AgentWork) => Promise<AgentAnswer>;

/** An agent that keeps calling tools is stopped after this many model calls. */
const MAX_MODEL_CALLS = 12;

export function createAgentRunner({
  models,
  toolsFor,
}: {
  models: LanguageModels;
  toolsFor: ToolsFor;
}): RunAgent {
  return async ({ agent, system, messages, context, signal }) => {
    const model = models.get({
      ownerId: agent.ownerId,
      provider: agent.provider ?? undefined,
      model: agent.model ?? undefined,
    });
    const instructions = system ?? instructionsOf(agent);
    const answer = await model.generateText({
      ...(instructions === "" ? {} : { system: instructions }),
      messages,
      temperature: agent.temperature ?? undefined,
      tools: await toolsFor(agent, context),
      stopWhen: [stepCount(MAX_MODEL_CALLS)],
      signal,
    });
    if (answer.text.trim() === "" && (answer.steps.at(-1)?.toolUses.length ?? 0) > 0)
      throw withUsage(agentStopped(agent), answer.usage);
    return answer;
  };
}

/** An error, since an empty answer would look like a valid one. */
function agentStopped({ name }: AgentRecord): AppError {
  return new AppError("agent_stopped", `${name} called tools ${MAX_MODEL_CALLS} times without an answer.`);
}

/** Text is passed as it is, any other value as JSON. */
export function toPrompt(input: JsonValue): ModelMessage[] {
  return [{ role: "user", content: typeof input === "string" ? input : JSON.stringify(input) }];
}

function instructionsOf({ name, role, description, systemPrompt }: AgentRecord): string {
  const who =
    role === "" && description === ""
      ? ""
      : `You are ${name}${role === "" ? "" : `, ${role}`}. ${description}`;
  return [systemPrompt, who.trim()].filter((line) => line !== "").join("\n\n");
}
