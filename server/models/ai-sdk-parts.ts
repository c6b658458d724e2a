import type * as sdk from "ai";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { checkSchema } from "./json-schema.ts";
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
        inputSchema: ai.jsonSchema<Record<string, JsonValue>>(tool.inputSchema as object, {
          validate: (value) => validated(value as JsonValue, tool),
        }),
        execute: (input: Record<string, JsonValue>, { toolCallId }: { toolCallId: string }) =>
          executed(tool, input, toolCallId, signal),
      }),
    ]),
  );
}

function validated(value: JsonValue, { inputSchema }: ModelTool) {
  const [problem] = checkSchema(value, inputSchema);
  if (problem === undefined) return { success: true as const, value: value as Record<string, JsonValue> };
  return { success: false as const, error: new Error(`${problem.path} ${problem.message}`) };
}

async function executed(
  tool: ModelTool,
  input: Record<string, JsonValue>,
  callId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<JsonValue> {
  try {
    return await tool.execute(input, signal, callId);
  } catch (error) {
    // The model reads this text, so it must not reveal internal errors.
    throw error instanceof AppError
      ? error
      : new AppError("tool_failed", "The tool failed.", { cause: error });
  }
}

export function errorForModel(error: unknown): string {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.message : "The tool was not called.";
}
