import type { FairQueue } from "../../lib/fair-queue.ts";
import type { EmbeddingModel } from "./embedding-model.ts";

export interface SharedEmbedding {
  /** The model for the questions of one owner, which come before documents. */
  forQuestions(ownerId: string): EmbeddingModel;
  /** The model for the ingestion of one owner's documents. */
  forDocuments(ownerId: string): EmbeddingModel;
}

/** One embedding model that its owners use in turn. */
export function shareEmbedding(model: EmbeddingModel, queue: FairQueue): SharedEmbedding {
  const inTurn = (ownerId: string, urgent: boolean): EmbeddingModel => ({
    id: model.id,
    get dimensions() {
      return model.dimensions;
    },
    embed: (texts, signal) => queue.run(ownerId, () => model.embed(texts, signal), { signal, urgent }),
    ...(model.language !== undefined && { language: model.language }),
    ...(model.knownScriptShare && { knownScriptShare: (text: string) => model.knownScriptShare!(text) }),
    close: () => model.close(),
  });
  return {
    forQuestions: (ownerId) => inTurn(ownerId, true),
    forDocuments: (ownerId) => inTurn(ownerId, false),
  };
}
