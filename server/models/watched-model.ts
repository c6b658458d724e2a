import { AppError } from "../lib/errors.ts";
import {
  type LanguageModel,
  NO_USAGE,
  type ObjectRequest,
  type TextRequest,
  type TokenUsage,
} from "./language-model.ts";
import { usageOfFailure } from "./model-failure.ts";

export interface WatchedCall {
  /** Called once, when the call has ended; `error` is what it threw. */
  end(outcome: { usage: TokenUsage; error?: unknown }): void;
}

/** Called when a call begins. */
export type ModelWatch = (
  model: Pick<LanguageModel, "provider" | "model">,
  request: TextRequest | ObjectRequest,
) => WatchedCall;

/** The same model; `watch` learns of every call and of the tokens it used, also when it fails. */
export function watchModel(model: LanguageModel, watch: ModelWatch): LanguageModel {
  async function watched<T extends { usage: TokenUsage }>(
    request: TextRequest | ObjectRequest,
    ask: () => Promise<T>,
  ): Promise<T> {
    const call = watch(model, request);
    try {
      const answer = await ask();
      call.end({ usage: answer.usage });
      return answer;
    } catch (error) {
      call.end({ usage: usageOfFailure(error), error });
      throw error;
    }
  }

  return {
    provider: model.provider,
    model: model.model,
    generateText: (request) => watched(request, () => model.generateText(request)),
    generateObject: (request) => watched(request, () => model.generateObject(request)),
    async *streamText(request) {
      const call = watch(model, request);
      let usage = NO_USAGE;
      // The reader may leave before the end.
      let error: unknown = new AppError("aborted", "The reader of the stream left.");
      try {
        for await (const part of model.streamText(request)) {
          if (part.type === "finish") ({ usage } = part);
          yield part;
        }
        error = undefined;
      } catch (thrown) {
        error = thrown;
        usage = usageOfFailure(thrown);
        throw thrown;
      } finally {
        call.end({ usage, error });
      }
    },
  };
}
