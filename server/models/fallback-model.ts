import { AppError } from "../lib/errors.ts";
import {
  addUsage,
  type LanguageModel,
  NO_USAGE,
  type StreamPart,
  type TextRequest,
  type TokenUsage,
} from "./language-model.ts";
import { usageOfFailure, withUsage } from "./model-failure.ts";

/**
 * Calls the first model, and the next one after a retryable failure. Once a tool has run there is no fallback: a second
 * model would restart the conversation and run the tool again.
 */
export function withFallback(first: LanguageModel, others: readonly LanguageModel[]): LanguageModel {
  const models = [first, ...others];
  if (others.length === 0) return first;

  /** `spent` are the tokens of the models that failed before the one that answered. */
  async function firstThatAnswers<T>(
    ask: (model: LanguageModel) => Promise<T>,
    mayGoOn: () => boolean,
  ): Promise<{ answer: T; spent: TokenUsage }> {
    let spent = NO_USAGE;
    for (const [index, model] of models.entries()) {
      try {
        return { answer: await ask(model), spent };
      } catch (error) {
        if (index === models.length - 1 || !isRetryable(error) || !mayGoOn()) throw withUsage(error, spent);
        spent = addUsage(spent, usageOfFailure(error));
      }
    }
    throw new Error("unreachable: the last model either returns or throws");
  }

  return {
    provider: first.provider,
    model: first.model,
    async generateText(request) {
      const { watched, hasRunTool } = watchTools(request);
      const { answer, spent } = await firstThatAnswers(
        (model) => model.generateText(watched),
        () => !hasRunTool(),
      );
      return withSpent(answer, spent);
    },
    async generateObject(request) {
      const { answer, spent } = await firstThatAnswers(
        (model) => model.generateObject(request),
        () => true,
      );
      return withSpent(answer, spent);
    },
    async *streamText(request) {
      const { watched, hasRunTool } = watchTools(request);
      // No fallback after the first part: the client has already received it.
      const {
        answer: { begun, rest },
        spent,
      } = await firstThatAnswers(
        async (model) => {
          const parts = model.streamText(watched)[Symbol.asyncIterator]();
          return { begun: await parts.next(), rest: parts };
        },
        () => !hasRunTool(),
      );
      for (let next: IteratorResult<StreamPart> = begun; !next.done; next = await rest.next())
        yield next.value.type === "finish" ? withSpent(next.value, spent) : next.value;
    },
  };
}

function withSpent<T extends { usage: TokenUsage }>(answer: T, spent: TokenUsage): T {
  return { ...answer, usage: addUsage(spent, answer.usage) };
}

function isRetryable(error: unknown): boolean {
  return error instanceof AppError && error.code === "model_failed" && error.retryable;
}

function watchTools(request: TextRequest): { watched: TextRequest; hasRunTool: () => boolean } {
  let hasRun = false;
  const tools = request.tools?.map((tool) => ({
    ...tool,
    execute: (...given: Parameters<typeof tool.execute>) => {
      hasRun = true;
      return tool.execute(...given);
    },
  }));
  return { watched: { ...request, tools }, hasRunTool: () => hasRun };
}
