import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { LanguageModels, ModelMessage, ModelStep, TokenUsage } from "../models/language-model.ts";
import { stepCount } from "../models/stop-conditions.ts";
import type { AgentRecord } from "./agent.sql.ts";
import type { ToolsFor } from "./agent-tools.ts";
import type { WorkContext } from "./tool-task.ts";

export interface AgentWork {
  agent: AgentRecord;
  /** Stands in place of the agent's own instructions when a team adds its own to them. */
  system?: string;
  messages: readonly ModelMessage[];
  context: WorkContext;
  signal: AbortSignal;
}

export interface AgentAnswer {
  text: string;
  steps: ModelStep[];
  usage: TokenUsage;
}

export type RunAgent = (work: AgentWork) => Promise<AgentAnswer>;

/** An agent that goes on calling tools is stopped after so many rounds. */
const MAX_ROUNDS = 12;

export function createAgentRunner({
  models,
  toolsFor,
}: {
  models: LanguageModels;
  toolsFor: ToolsFor;
}): RunAgent {
  return async ({ agent, system, messages, context, signal }) => {
    const model = models.get({ provider: agent.provider ?? undefined, model: agent.model ?? undefined });
    const instructions = system ?? instructionsOf(agent);
    const answer = await model.generateText({
      ...(instructions === "" ? {} : { system: instructions }),
      messages,
      temperature: agent.temperature ?? undefined,
      tools: await toolsFor(agent, context),
      stopWhen: [stepCount(MAX_ROUNDS)],
      signal,
    });
    if (answer.text.trim() === "" && (answer.steps.at(-1)?.toolUses.length ?? 0) > 0) throw neverEnds(agent);
    return answer;
  };
}

/** An empty answer would look like one: that it was stopped has to be told. */
function neverEnds({ name }: AgentRecord): AppError {
  return new AppError(
    "agent_stopped",
    `${name} called tools ${MAX_ROUNDS} times without coming to an answer.`,
  );
}

/** Work that comes as JSON is handed over as JSON. */
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
