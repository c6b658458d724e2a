import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { AskedModel, OpenModel } from "../connections/open-model.ts";
import { AppError } from "../lib/errors.ts";
import type {
  GeneratedText,
  ModelMessage,
  ModelStep,
  ModelTool,
  StreamPart,
  TextRequest,
  TokenUsage,
} from "../models/language-model.ts";
import { withUsage } from "../models/model-failure.ts";
import { stepCount, tokenLimit } from "../models/stop-conditions.ts";
import type { AgentRecord } from "./agent.sql.ts";
import type { ToolsFor } from "./agent-tools.ts";
import type { WorkContext } from "./tool-task.ts";

export interface AgentWork {
  agent: AgentRecord;
  /** Replaces the agent's own instructions; a team's session adds to them. */
  system?: string;
  /** Follows the instructions. */
  addedInstructions?: string | undefined;
  messages: readonly ModelMessage[];
  context: WorkContext;
  signal: AbortSignal;
  /** With it the answer is streamed: it receives the text and the tool calls as they happen. */
  onPart?: ((part: StreamPart) => void) | undefined;
  wrapTool?: ((tool: ModelTool) => ModelTool) | undefined;
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

/** Nobody watches the agent of a workflow, team or schedule: what asks first waits in the list of approvals. */
function askByApproval(tool: ModelTool): ModelTool {
  return tool.executeWithApproval === undefined ? tool : { ...tool, execute: tool.executeWithApproval };
}

export function createAgentRunner({
  openModel,
  toolsFor,
}: {
  openModel: OpenModel;
  toolsFor: ToolsFor;
}): RunAgent {
  return async ({
    agent,
    system,
    addedInstructions = "",
    messages,
    context,
    signal,
    onPart,
    wrapTool = askByApproval,
  }) => {
    const model = await openModel(askedModelOf(agent));
    const instructions = [system ?? instructionsOf(agent), addedInstructions]
      .filter((text) => text !== "")
      .join("\n\n");
    const { modelCalls = MAX_MODEL_CALLS, tokens } = agent.limits;
    const request: TextRequest = {
      ...(instructions === "" ? {} : { system: instructions }),
      messages,
      temperature: agent.temperature ?? undefined,
      tools: (await toolsFor(agent, context)).map(wrapTool),
      stopWhen: [stepCount(modelCalls), ...(tokens === undefined ? [] : [tokenLimit(tokens)])],
      signal,
    };
    const answer = await (onPart === undefined
      ? model.generateText(request)
      : readStream(model.streamText(request), onPart));
    if (answer.text.trim() === "" && (answer.steps.at(-1)?.toolUses.length ?? 0) > 0)
      throw withUsage(agentStopped(agent, answer.steps.length), answer.usage);
    return answer;
  };
}

/** An error, since an empty answer would look like a valid one. */
function agentStopped({ name, limits: { tokens } }: AgentRecord, calls: number): AppError {
  const limit = tokens === undefined ? "" : ` Its limits are ${tokens} tokens and the number of model calls.`;
  return new AppError("agent_stopped", `${name} called tools ${calls} times without an answer.${limit}`);
}

export function askedModelOf({ ownerId, provider, model, connection, baseUrl }: AgentRecord): AskedModel {
  return {
    ownerId,
    provider: provider ?? undefined,
    model: model ?? undefined,
    connection: connection ?? undefined,
    baseUrl: baseUrl ?? undefined,
  };
}

export async function readStream(
  parts: AsyncIterable<StreamPart>,
  onPart: (part: StreamPart) => void,
): Promise<GeneratedText> {
  for await (const part of parts) {
    if (part.type === "finish") return part;
    onPart(part);
  }
  throw new Error("unreachable: a stream ends with its finish part or throws");
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
