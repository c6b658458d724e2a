import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import {
  type LanguageModel,
  type ModelTool,
  NO_USAGE,
  type ObjectRequest,
  type StreamPart,
  type TextRequest,
  type TokenUsage,
} from "./language-model.ts";
import { usageOfFailure } from "./model-failure.ts";

export interface CallOutcome {
  usage: TokenUsage;
  /** The text or the object; undefined when the call failed. */
  answer?: JsonValue | undefined;
  /** What the call threw. */
  error?: unknown;
}

export interface WatchedCall {
  /** Runs a part of the call. */
  run?<T>(work: () => T): T;
  /** The tools that the model gets in place of the given ones. */
  withTools?(tools: readonly ModelTool[]): readonly ModelTool[];
  /** Called once, when the call has ended. */
  end(outcome: CallOutcome): void;
}

/** Called when a call begins. */
export type ModelWatch = (
  model: Pick<LanguageModel, "provider" | "model">,
  request: TextRequest | ObjectRequest,
) => WatchedCall;

/** The same model; `watch` learns of every call and of the tokens it used, also when it fails. */
export function watchModel(model: LanguageModel, watch: ModelWatch): LanguageModel {
  async function watched<T extends { usage: TokenUsage }>(
    call: WatchedCall,
    ask: () => Promise<T>,
    answerOf: (answer: T) => JsonValue,
  ): Promise<T> {
    try {
      const answer = await within(call, ask);
      call.end({ usage: answer.usage, answer: answerOf(answer) });
      return answer;
    } catch (error) {
      call.end({ usage: usageOfFailure(error), error });
      throw error;
    }
  }

  async function* streamText(request: TextRequest): AsyncGenerator<StreamPart> {
    const call = watch(model, request);
    let usage = NO_USAGE;
    let answer: string | undefined;
    // The reader may leave before the end.
    let error: unknown = new AppError("aborted", "The reader of the stream left.");
    const parts = within(call, () => model.streamText(toolsOf(call, request))[Symbol.asyncIterator]());
    try {
      for (;;) {
        const { done, value } = await within(call, () => parts.next());
        if (done === true) break;
        if (value.type === "finish") ({ usage, text: answer } = value);
        yield value;
      }
      error = undefined;
    } catch (thrown) {
      error = thrown;
      usage = usageOfFailure(thrown);
      throw thrown;
    } finally {
      await parts.return?.();
      call.end({ usage, answer, error });
    }
  }

  return {
    provider: model.provider,
    model: model.model,
    generateText(request) {
      const call = watch(model, request);
      return watched(
        call,
        () => model.generateText(toolsOf(call, request)),
        ({ text }) => text,
      );
    },
    generateObject: (request) =>
      watched(
        watch(model, request),
        () => model.generateObject(request),
        ({ object }) => object,
      ),
    streamText,
  };
}

/** Both learn of every call; the second one is inside the first. */
export function bothWatches(first: ModelWatch, second: ModelWatch | undefined): ModelWatch {
  if (second === undefined) return first;
  return (...call) => {
    const [outer, inner] = [first(...call), second(...call)];
    return {
      run: (work) => within(outer, () => within(inner, work)),
      withTools: (tools) => inner.withTools?.(outer.withTools?.(tools) ?? tools) ?? tools,
      end(outcome) {
        inner.end(outcome);
        outer.end(outcome);
      },
    };
  };
}

function within<T>(call: WatchedCall, work: () => T): T {
  return call.run === undefined ? work() : call.run(work);
}

function toolsOf({ withTools }: WatchedCall, request: TextRequest): TextRequest {
  return withTools === undefined || request.tools === undefined
    ? request
    : { ...request, tools: withTools(request.tools) };
}
