import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { messageOf } from "../../lib/errors.ts";
import { generateObjectWith } from "../generate-object.ts";
import { checkSchema } from "../json-schema.ts";
import {
  addUsage,
  type GeneratedText,
  type LanguageModel,
  type LanguageModels,
  type ModelStep,
  type ModelTool,
  NO_USAGE,
  type TextRequest,
  type TokenUsage,
  type ToolUse,
} from "../language-model.ts";
import { modelFailed } from "../model-failure.ts";
import { stepCount } from "../stop-conditions.ts";

/** One scripted response: text, tool calls or a failure. */
export type ScriptedAnswer =
  | string
  | {
      text?: string;
      object?: JsonValue;
      toolCalls?: { name: string; input?: JsonValue }[];
      usage?: TokenUsage;
      error?: Error;
    };

export interface ScriptedCall {
  request: TextRequest;
  /** Responses of this call so far, with the outputs of tools. */
  steps: readonly ModelStep[];
  /** The number of responses of this model so far. */
  index: number;
}

export type Script =
  | readonly ScriptedAnswer[]
  | ((call: ScriptedCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ScriptedModel extends LanguageModel, LanguageModels {
  /** Every request, in order. */
  requests: TextRequest[];
}

const ONE_ANSWER: TokenUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/**
 * A model for tests with scripted responses: a list, or a function of the request. It calls tools for real and is its
 * own `LanguageModels` for every choice.
 */
export function createScriptedModel(
  script: Script,
  named: { provider?: string; model?: string } = {},
): ScriptedModel {
  const { provider = "scripted", model = "test" } = named;
  const name = `${provider}/${model}`;
  const requests: TextRequest[] = [];
  let index = 0;

  async function nextAnswer(request: TextRequest, steps: readonly ModelStep[]): Promise<ScriptedAnswer> {
    request.signal?.throwIfAborted();
    const at = index++;
    const answer = typeof script === "function" ? await script({ request, steps, index: at }) : script[at];
    request.signal?.throwIfAborted();
    if (answer === undefined) throw modelFailed(name, "unavailable", "has no more responses in its script");
    if (typeof answer !== "string" && answer.error !== undefined) throw answer.error;
    return answer;
  }

  async function generateText(request: TextRequest): Promise<GeneratedText> {
    requests.push(request);
    const steps: ModelStep[] = [];
    const stopWhen = request.stopWhen ?? [stepCount(10)];
    for (;;) {
      const answer = await nextAnswer(request, steps);
      steps.push(await toStep(answer, request));
      const usage = steps.reduce((sum, step) => addUsage(sum, step.usage), NO_USAGE);
      const last = steps.at(-1) as ModelStep;
      if (last.toolUses.length === 0 || stopWhen.some((condition) => condition({ steps, usage })))
        return { text: last.text, steps, usage, answeredBy: name };
    }
  }

  const scripted: ScriptedModel = {
    provider,
    model,
    requests,
    generateText,
    generateObject: (request) => generateObjectWith(name, request, generateText),
    async *streamText(request) {
      const result = await generateText(request);
      for (const { text, toolUses } of result.steps) {
        for (const piece of text.match(/\S+\s*|\s+/g) ?? []) yield { type: "text-delta", text: piece };
        for (const { id, name: tool, input, output, failed } of toolUses) {
          yield { type: "tool-call", id, name: tool, input };
          yield { type: "tool-result", id, name: tool, output, failed };
        }
      }
      yield { type: "finish", ...result };
    },
    list: () => [{ provider, model, isDefault: true, isFallback: false }],
    get: () => scripted,
  };
  return scripted;
}

async function toStep(answer: ScriptedAnswer, { tools = [], signal }: TextRequest): Promise<ModelStep> {
  if (typeof answer === "string") return { text: answer, toolUses: [], usage: ONE_ANSWER };
  const { text, object, toolCalls = [], usage = ONE_ANSWER } = answer;
  const toolUses = await Promise.all(
    toolCalls.map(async ({ name, input = {} }, index): Promise<ToolUse> => {
      const tool = tools.find((one) => one.name === name);
      return { id: `call_${index}`, name, input, ...(await use(tool, input, signal)) };
    }),
  );
  return { text: text ?? (object === undefined ? "" : JSON.stringify(object)), toolUses, usage };
}

async function use(
  tool: ModelTool | undefined,
  input: JsonValue,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<ToolUse, "output" | "failed">> {
  if (tool === undefined) return { output: "There is no such tool.", failed: true };
  const [problem] = checkSchema(input, tool.inputSchema);
  if (problem !== undefined) return { output: `${problem.path} ${problem.message}`, failed: true };
  try {
    return { output: await tool.execute(input as Record<string, JsonValue>, signal), failed: false };
  } catch (error) {
    signal.throwIfAborted();
    return { output: messageOf(error), failed: true };
  }
}
