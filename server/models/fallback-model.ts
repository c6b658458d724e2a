import { AppError } from "../lib/errors.ts";
import type { LanguageModel, StreamPart, TextRequest } from "./language-model.ts";

/**
 * The first model, and the next one when it fails in a way that another might not. Once a tool has run, a
 * failure is a failure: a second model would begin the conversation anew and run the tool again.
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
        if (index === models.length - 1 || !isWorthAnother(error) || !mayGoOn()) throw error;
      }
    }
    throw new Error("unreachable: the last model either answers or throws");
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
      // The first piece decides: what has been shown cannot be taken back.
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

function isWorthAnother(error: unknown): boolean {
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
