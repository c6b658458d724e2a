import type * as sdk from "ai";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { checkSchema } from "./json-schema.ts";
import { problemText } from "./json-schema-types.ts";
import { costOf, type ModelPrices } from "./model-prices.ts";
import { stripThinking } from "./thinking.ts";
import type { ModelStep, ModelTool, TokenUsage, ToolUse } from "./language-model.ts";

export interface StepContext {
  /** `provider/model`. */
  name: string;
  prices: ModelPrices;
  keepsThinking: boolean;
}

function toUsage(usage: sdk.LanguageModelUsage): TokenUsage {
  const inputTokens = usage.inputTokens ?? 0;
  const outputTokens = usage.outputTokens ?? 0;
  return { inputTokens, outputTokens, totalTokens: usage.totalTokens ?? inputTokens + outputTokens };
}

/** Thinking is stripped per step: each response of the model may begin with it. */
export function toStep(
  step: Pick<sdk.StepResult<sdk.ToolSet>, "content" | "text" | "usage">,
  { name, prices, keepsThinking }: StepContext,
): ModelStep {
  const outcomes = new Map<string, Pick<ToolUse, "output" | "failed">>();
  for (const part of step.content) {
    if (part.type === "tool-result")
      outcomes.set(part.toolCallId, { output: part.output as JsonValue, failed: false });
    if (part.type === "tool-error")
      outcomes.set(part.toolCallId, { output: errorForModel(part.error), failed: true });
  }
  const toolUses = step.content.flatMap((part): ToolUse[] => {
    if (part.type !== "tool-call") return [];
    const outcome = outcomes.get(part.toolCallId) ?? { output: errorForModel(part.error), failed: true };
    return [{ id: part.toolCallId, name: part.toolName, input: part.input as JsonValue, ...outcome }];
  });
  const usage = toUsage(step.usage);
  return {
    text: keepsThinking ? step.text : stripThinking(step.text),
    toolUses,
    usage: { ...usage, cost: costOf(prices, name, usage) },
  };
}

export function toolSet(
  ai: typeof sdk,
  tools: readonly ModelTool[],
  signal: AbortSignal | undefined,
): sdk.ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      ai.tool({
        description: tool.description,
        // Not validated by the library, whose message would contain the whole input.
        inputSchema: ai.jsonSchema<Record<string, JsonValue>>(tool.inputSchema as object),
        execute: (input: Record<string, JsonValue>, { toolCallId }: { toolCallId: string }) =>
          executed(tool, input, toolCallId, signal),
      }),
    ]),
  );
}

/** Reads as a sentence for the model and for the people who read the log of a team. */
function checkInput(input: JsonValue, { inputSchema }: ModelTool): void {
  const [problem] = checkSchema(input, inputSchema);
  if (problem !== undefined)
    throw new AppError("tool_failed", `Not called: ${problemText(problem, "the input")}.`);
}

async function executed(
  tool: ModelTool,
  input: Record<string, JsonValue>,
  callId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<JsonValue> {
  checkInput(input, tool);
  try {
    return await tool.execute(input, signal, callId);
  } catch (error) {
    // The model reads this text, so it must not reveal internal errors.
    throw error instanceof AppError
      ? error
      : new AppError("tool_failed", "The tool failed.", { cause: error });
  }
}

/** The library's message about input that is no JSON contains all of it. */
const UNREADABLE_INPUT = /^Invalid input for tool /;

export function errorForModel(error: unknown): string {
  const text = error instanceof Error ? error.message : error;
  if (typeof text !== "string") return "The tool was not called.";
  return UNREADABLE_INPUT.test(text) ? "Not called: the input is not valid JSON." : text;
}
