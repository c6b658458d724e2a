import type * as sdk from "ai";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { toModelFailure } from "./ai-sdk-failure.ts";
import { errorForModel, toolSet, toStep } from "./ai-sdk-parts.ts";
import { generateObjectWith } from "./generate-object.ts";
import {
  addUsage,
  type GeneratedText,
  type JsonSchema,
  type LanguageModel,
  type ModelMessage,
  type ModelStep,
  NO_USAGE,
  type StreamPart,
  type TextRequest,
} from "./language-model.ts";
import { limitToolCalls } from "./limit-tool-calls.ts";
import { modelFailed, withUsage } from "./model-failure.ts";
import type { ModelPrices } from "./model-prices.ts";
import { createThinkingFilter } from "./thinking.ts";
import { stepCount } from "./stop-conditions.ts";
import { loadVendorModel, type ModelObject, type VendorSettings } from "./vendors.ts";

interface Loaded {
  ai: typeof sdk;
  model: ModelObject;
}

/** Strict modes of vendors reject many valid schemas of users. generate-object.ts checks the output instead. */
const LOOSE_OUTPUT = {
  openai: { strictJsonSchema: false },
  anthropic: { structuredOutputMode: "jsonTool" },
  google: { structuredOutputs: false },
};

const DEFAULT_STOP = [stepCount(10)];

/** A vendor's model behind our interface, through the AI SDK. */
export function createAiSdkModel(
  settings: VendorSettings,
  fetch: typeof globalThis.fetch,
  prices: ModelPrices,
): LanguageModel {
  const name = `${settings.provider}/${settings.model}`;
  let loading: Promise<Loaded> | undefined;
  const load = () => (loading ??= loadSdk(settings, fetch));

  /** `onStep` receives every response of the model, also when a later one fails. */
  function callSettings({ ai, model }: Loaded, request: TextRequest, onStep: (step: ModelStep) => void) {
    const { system, temperature, maxOutputTokens, signal, tools = [], stopWhen = DEFAULT_STOP } = request;
    return {
      model,
      // model-fetch.ts retries single requests. A retry here would run tools again.
      maxRetries: 0,
      ...(system === undefined || system === "" ? {} : { system }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(signal === undefined ? {} : { abortSignal: signal }),
      messages: toMessages(request),
      onStepFinish: (step: sdk.StepResult<sdk.ToolSet>) => onStep(ownStep(step, request)),
      tools: toolSet(ai, tools, signal),
      stopWhen: stopWhen.map((condition) => (progress: { steps: sdk.StepResult<sdk.ToolSet>[] }) => {
        const steps = progress.steps.map((step) => ownStep(step, request));
        return condition({ steps, usage: usageOf(steps) });
      }),
    };
  }

  function ownStep(step: sdk.StepResult<sdk.ToolSet>, { keepsThinking = false }: TextRequest): ModelStep {
    return toStep(step, { name, prices, keepsThinking });
  }

  async function generate(request: TextRequest, schema?: JsonSchema): Promise<GeneratedText> {
    const loaded = await load();
    const steps: ModelStep[] = [];
    try {
      const result = await loaded.ai.generateText({
        ...callSettings(loaded, request, (step) => steps.push(step)),
        ...(schema === undefined ? {} : { output: jsonOutput(schema), providerOptions: LOOSE_OUTPUT }),
      });
      return finished(name, result.finishReason, steps);
    } catch (error) {
      throw withUsage(toModelFailure(loaded.ai, error, name, request.signal), usageOf(steps));
    }
  }

  async function* stream(request: TextRequest): AsyncGenerator<StreamPart> {
    const loaded = await load();
    const done: ModelStep[] = [];
    let thinking = createThinkingFilter();
    try {
      // Errors arrive as parts of the stream. Without a listener the library prints them, including prompts.
      const result = loaded.ai.streamText({
        ...callSettings(loaded, request, (step) => done.push(step)),
        onError: () => undefined,
      });
      for await (const part of result.fullStream) {
        if (part.type === "error") throw part.error;
        if (part.type === "abort") request.signal?.throwIfAborted();
        const ours = toStreamPart(part);
        if (ours?.type === "text-delta" && !request.keepsThinking) {
          const text = thinking.push(ours.text);
          if (text !== "") yield { type: "text-delta", text };
        } else if (ours !== undefined) yield ours;
        if (part.type === "finish-step") {
          const rest = request.keepsThinking ? "" : thinking.end();
          if (rest !== "") yield { type: "text-delta", text: rest };
          thinking = createThinkingFilter();
        }
      }
      const reason = await result.finishReason;
      // Without a finish reason the stream was cut off, even if the text looks complete.
      yield { type: "finish", ...finished(name, reason === "other" ? "length" : reason, done) };
    } catch (error) {
      throw withUsage(toModelFailure(loaded.ai, error, name, request.signal), usageOf(done));
    }
  }

  return {
    provider: settings.provider,
    model: settings.model,
    generateText: (request) => generate(request),
    generateObject: (request) =>
      generateObjectWith(name, request, (asked) => generate(asked, request.schema)),
    streamText: stream,
  };
}

async function loadSdk(settings: VendorSettings, fetch: typeof globalThis.fetch): Promise<Loaded> {
  const [ai, model] = await Promise.all([import("ai"), loadVendorModel(settings, fetch)]);
  // The library would print warnings to the console instead of the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { ai, model: limitToolCalls(ai, model, `${settings.provider}/${settings.model}`) };
}

/** Requests JSON with the vendor's own mechanism and returns the text: generate-object.ts parses and checks it. */
function jsonOutput(schema: JsonSchema): sdk.Output.Output<string, string, never> {
  return {
    name: "json",
    responseFormat: Promise.resolve({ type: "json" as const, schema: schema as object }),
    parseCompleteOutput: ({ text }) => Promise.resolve(text),
    parsePartialOutput: ({ text }) => Promise.resolve({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

function finished(name: string, reason: sdk.FinishReason, steps: ModelStep[]): GeneratedText {
  if (reason === "length")
    throw modelFailed(name, "truncated", "reached its output limit before the answer was complete");
  if (reason === "content-filter") throw modelFailed(name, "refused", "refused to answer");
  if (reason === "error") throw modelFailed(name, "unavailable", "ended with an error");
  const text = steps.at(-1)?.text ?? "";
  if (text.trim() === "" && steps.every((step) => step.toolUses.length === 0))
    throw modelFailed(name, "invalid_output", "returned an empty answer");
  return { text, steps, usage: usageOf(steps), answeredBy: name };
}

/** Images belong to the first message of the user: an answer that is corrected was about them. */
function toMessages({ prompt, messages, images = [] }: TextRequest): sdk.ModelMessage[] {
  const list: sdk.ModelMessage[] = messages?.flatMap(toSdkMessages) ?? [
    { role: "user", content: prompt ?? "" },
  ];
  const at = list.findIndex(({ role }) => role === "user");
  const first = list[at];
  if (images.length === 0 || first?.role !== "user") return list;
  const parts = images.map(({ mediaType, bytes }) => ({ type: "image" as const, image: bytes, mediaType }));
  list[at] = { role: "user", content: [{ type: "text", text: String(first.content) }, ...parts] };
  return list;
}

function toSdkMessages({ role, content, toolUses = [] }: ModelMessage): sdk.ModelMessage[] {
  const said: sdk.ModelMessage[] = content === "" && toolUses.length > 0 ? [] : [{ role, content }];
  if (toolUses.length === 0) return said;
  const calls = toolUses.map(({ id, name, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  const results = toolUses.map(({ id, name, output, failed }) => ({
    type: "tool-result" as const,
    toolCallId: id,
    toolName: name,
    output: failed
      ? { type: "error-text" as const, value: String(output) }
      : { type: "json" as const, value: output },
  }));
  return [{ role: "assistant", content: calls }, { role: "tool", content: results }, ...said];
}

function usageOf(steps: readonly ModelStep[]) {
  return steps.reduce((sum, step) => addUsage(sum, step.usage), NO_USAGE);
}

function toStreamPart(part: sdk.TextStreamPart<sdk.ToolSet>): StreamPart | undefined {
  switch (part.type) {
    case "text-delta":
      return { type: "text-delta", text: part.text };
    case "tool-call":
      return { type: "tool-call", id: part.toolCallId, name: part.toolName, input: part.input as JsonValue };
    case "tool-result":
    case "tool-error": {
      const failed = part.type === "tool-error";
      const output = failed ? errorForModel(part.error) : (part.output as JsonValue);
      return { type: "tool-result", id: part.toolCallId, name: part.toolName, output, failed };
    }
    default:
      return undefined;
  }
}
