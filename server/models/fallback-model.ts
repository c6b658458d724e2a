import { AppError } from "../lib/errors.ts";
import type { LanguageModel, StreamPart, TextRequest } from "./language-model.ts";

/**
 * Calls the first model, and the next one after a retryable failure. Once a tool has run there is no fallback: a second
 * model would restart the conversation and run the tool again.
 */
export function withFallback(first: LanguageModel, others: readonly LanguageModel[]): LanguageModel {
  const models = [first, ...others];
  if (others.length === 0) return first;

  async function firstThatAnswers<T>(
    ask: (model: LanguageModel) => Promise<T>,
    mayGoOn: () => boolean,
  ): Promise<T> {
    for (const [index, model] of models.entries()) {
      try {
        return await ask(model);
      } catch (error) {
        if (index === models.length - 1 || !isRetryable(error) || !mayGoOn()) throw error;
      }
    }
    throw new Error("unreachable: the last model either returns or throws");
  }

  return {
    provider: first.provider,
    model: first.model,
    generateText(request) {
      const { watched, hasRunTool } = watchTools(request);
      return firstThatAnswers(
        (model) => model.generateText(watched),
        () => !hasRunTool(),
      );
    },
    generateObject: (request) =>
      firstThatAnswers(
        (model) => model.generateObject(request),
        () => true,
      ),
    async *streamText(request) {
      const { watched, hasRunTool } = watchTools(request);
      // No fallback after the first part: the client has already received it.
      const { begun, rest } = await firstThatAnswers(
        async (model) => {
          const parts = model.streamText(watched)[Symbol.asyncIterator]();
          return { begun: await parts.next(), rest: parts };
        },
        () => !hasRunTool(),
      );
      for (let next: IteratorResult<StreamPart> = begun; !next.done; next = await rest.next())
        yield next.value;
    },
  };
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
