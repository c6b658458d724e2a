import { AsyncLocalStorage } from "node:async_hooks";
import type { FairQueue } from "../lib/fair-queue.ts";
import type { LanguageModel, LanguageModels, StreamPart } from "./language-model.ts";

export interface ModelShare {
  /** Sends one request to a vendor in turn by owner. */
  request<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The models, whose calls count for the `ownerId` of the choice. */
  share(models: LanguageModels): LanguageModels;
}

/**
 * Requests to vendors, taken in turn by owner. The share is of single requests and not of whole calls: an agent's call
 * waits for its tools, and a tool may need a model itself. The vendor libraries pass no owner on, so it is in the context.
 */
export function createModelShare(queue: FairQueue): ModelShare {
  const owner = new AsyncLocalStorage<string>();

  function countFor(ownerId: string, model: LanguageModel): LanguageModel {
    async function* streamText(
      request: Parameters<LanguageModel["streamText"]>[0],
    ): AsyncGenerator<StreamPart> {
      const parts = owner.run(ownerId, () => model.streamText(request)[Symbol.asyncIterator]());
      try {
        for (;;) {
          const { done, value } = await owner.run(ownerId, () => parts.next());
          if (done === true) return;
          yield value as StreamPart;
        }
      } finally {
        await parts.return?.();
      }
    }
    return {
      provider: model.provider,
      model: model.model,
      generateText: (request) => owner.run(ownerId, () => model.generateText(request)),
      generateObject: (request) => owner.run(ownerId, () => model.generateObject(request)),
      streamText,
    };
  }

  return {
    request: (job, signal) => queue.run(owner.getStore() ?? "", job, { signal }),
    share: (models) => ({
      ...models,
      get({ ownerId = "", ...choice } = {}) {
        return countFor(ownerId, models.get(choice));
      },
    }),
  };
}
