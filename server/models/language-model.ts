import type { JsonValue } from "../../contract/placeholders/json-value.ts";

/** A JSON Schema as it stands in a step or a tool; what it allows is checked by json-schema.ts. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
}

export interface ModelMessage {
  role: "user" | "assistant";
  content: string;
}

export interface ModelTool {
  /** Letters, digits, `_` and `-`, 64 at most: what every vendor takes. */
  name: string;
  description: string;
  inputSchema: JsonSchema;
  /**
   * Gets input that fits `inputSchema`. What it throws is told to the model, which may try something else;
   * only an aborted signal ends the whole call.
   */
  execute(input: Record<string, JsonValue>, signal: AbortSignal): Promise<JsonValue>;
}

export interface ToolUse {
  id: string;
  name: string;
  input: JsonValue;
  /** What the tool gave; for a failed one what the model was told. */
  output: JsonValue;
  failed: boolean;
}

/** One answer of the model, with the tools that it called in it. */
export interface ModelStep {
  text: string;
  toolUses: ToolUse[];
  usage: TokenUsage;
}

/** Asked after every step that called tools; true ends the call with what there is. See stop-conditions.ts. */
export type StopCondition = (progress: { steps: readonly ModelStep[]; usage: TokenUsage }) => boolean;

interface Request {
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
    /** The first one that says so ends the call; `[stepCount(10)]` unless given. */
    stopWhen?: readonly StopCondition[] | undefined;
  };

export type ObjectRequest = Request &
  Asked & {
    schema: JsonSchema;
    /** How often a wrong answer is handed back with its problems; once unless given. */
    repairs?: number | undefined;
    /** The schema is only told to the model: whoever asks can make something of any JSON. */
    takesAnyJson?: boolean | undefined;
  };

export interface GeneratedText {
  /** Of the last step; empty when a stop condition ended the call at a tool. */
  text: string;
  steps: ModelStep[];
  /** Of all steps together. */
  usage: TokenUsage;
}

export interface GeneratedObject {
  object: JsonValue;
  usage: TokenUsage;
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
  /** The answer fits `schema` (or is JSON at least, with `takesAnyJson`), or it is `model_failed`. */
  generateObject(request: ObjectRequest): Promise<GeneratedObject>;
  /** Ends with one `finish` part, or throws. */
  streamText(request: TextRequest): AsyncIterable<StreamPart>;
}

export interface ModelChoice {
  provider?: string | undefined;
  model?: string | undefined;
}

export interface ModelEntry {
  provider: string;
  model: string;
  /** The one that is used when nothing is asked for. */
  isDefault: boolean;
  /** Takes over when the default one fails. */
  isFallback: boolean;
}

export interface LanguageModels {
  list(): ModelEntry[];
  /** Throws `llm_not_configured` with a message that names the setting to make. */
  get(choice?: ModelChoice): LanguageModel;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}
