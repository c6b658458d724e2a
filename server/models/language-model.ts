import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { addCosts, type Cost } from "../lib/cost.ts";

/** A JSON Schema of a step or a tool. json-schema.ts checks values against it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  /** Absent for models without a price. */
  cost?: Cost | undefined;
}

export interface ModelMessage {
  role: "user" | "assistant";
  content: string;
  /** What an assistant called before this text. */
  toolUses?: readonly ToolUse[] | undefined;
}

export interface ModelTool {
  /** Letters, digits, `_` and `-`, at most 64: every vendor accepts these. */
  name: string;
  description: string;
  inputSchema: JsonSchema;
  /** For people. */
  title?: string;
  /** It changes something: a person who tries the agent is asked before it runs. */
  asksFirst?: boolean;
  /**
   * Receives input that matches `inputSchema`. An error is returned to the model, which may try something else; only an
   * aborted signal ends the whole call.
   */
  execute(input: Record<string, JsonValue>, signal: AbortSignal, callId?: string): Promise<JsonValue>;
  /** The same after an approval, for runs that nobody watches. */
  executeWithApproval?(input: Record<string, JsonValue>, signal: AbortSignal): Promise<JsonValue>;
}

export interface ToolUse {
  id: string;
  name: string;
  input: JsonValue;
  /** The tool's output; of a failed one, the error text that the model received. */
  output: JsonValue;
  failed: boolean;
}

/** One response of the model with its tool calls. */
export interface ModelStep {
  text: string;
  toolUses: ToolUse[];
  usage: TokenUsage;
}

/** Evaluated after every step with tool calls. True ends the call with the result so far. See stop-conditions.ts. */
export type StopCondition = (progress: { steps: readonly ModelStep[]; usage: TokenUsage }) => boolean;

/** Checked bytes: PNG, JPEG, GIF or WebP. */
export interface ModelImage {
  mediaType: string;
  bytes: Uint8Array;
}

interface Request {
  /** Sent with the first message of the user. */
  images?: readonly ModelImage[] | undefined;
  /** Keeps the `<think>` block before the answer. */
  keepsThinking?: boolean | undefined;
  system?: string | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Either one prompt or the messages so far. */
type Asked =
  | { prompt: string; messages?: undefined }
  | { prompt?: undefined; messages: readonly ModelMessage[] };

export type TextRequest = Request &
  Asked & {
    tools?: readonly ModelTool[] | undefined;
    /** The first one that returns true ends the call. Default: `[stepCount(10)]`. */
    stopWhen?: readonly StopCondition[] | undefined;
  };

export type ObjectRequest = Request &
  Asked & {
    schema: JsonSchema;
    /** How often invalid output is returned to the model with its problems. Default: once. */
    repairs?: number | undefined;
    /** The schema is a hint for the model only: the caller accepts any JSON. */
    takesAnyJson?: boolean | undefined;
  };

export interface GeneratedText {
  /** The text of the last step; empty when a stop condition ended the call at a tool. */
  text: string;
  steps: ModelStep[];
  /** All steps together, including models that failed before. */
  usage: TokenUsage;
  /** `provider/model` that answered: a fallback is another one than was asked. */
  answeredBy: string;
}

export interface GeneratedObject {
  object: JsonValue;
  usage: TokenUsage;
  answeredBy: string;
}

export type StreamPart =
  | { type: "text-delta"; text: string }
  | { type: "tool-call"; id: string; name: string; input: JsonValue }
  | { type: "tool-result"; id: string; name: string; output: JsonValue; failed: boolean }
  | ({ type: "finish" } & GeneratedText);

/**
 * One model of one vendor. Every method throws an AppError: `model_failed` with `details.reason` (see
 * model-failure.ts), `egress_denied`, or the signal's own reason when that was aborted.
 */
export interface LanguageModel {
  provider: string;
  model: string;
  generateText(request: TextRequest): Promise<GeneratedText>;
  /** The object matches `schema`, or is any JSON with `takesAnyJson`. Throws `model_failed` otherwise. */
  generateObject(request: ObjectRequest): Promise<GeneratedObject>;
  /** Ends with one `finish` part, or throws. */
  streamText(request: TextRequest): AsyncIterable<StreamPart>;
}

/** An account of the user's own at a vendor, or their own server. */
export interface ModelConnection {
  /** Adds the credential to requests, through the egress guard of users. */
  fetch: typeof globalThis.fetch;
  /** In place of the vendor's address. */
  baseUrl?: string | undefined;
}

export interface ModelChoice {
  /** Whose share of concurrent requests the calls use. */
  ownerId?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  /** In place of the configured models and their keys. */
  connection?: ModelConnection | undefined;
}

export interface ModelEntry {
  provider: string;
  model: string;
  /** Used when a request names no model. */
  isDefault: boolean;
  /** Used when the default one fails. */
  isFallback: boolean;
}

export interface LanguageModels {
  list(): ModelEntry[];
  /** Throws `llm_not_configured` with a message that names the missing setting. */
  get(choice?: ModelChoice): LanguageModel;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    cost: addCosts([a.cost, b.cost]),
  };
}

/** The fields of a step result and of a response: `usage`, and `cost` if the model has a price. */
export function spentFields({ cost, ...usage }: TokenUsage): {
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
  cost?: { amount: number; currency: string };
} {
  return { usage, ...(cost === undefined ? {} : { cost: { ...cost } }) };
}
