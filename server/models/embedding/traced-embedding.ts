import { AppError } from "../../lib/errors.ts";
import { inSpan, type Tracing } from "../../telemetry/tracing.ts";
import type { EmbeddingModel } from "./embedding-model.ts";

/** The same model with a span for each call, with the GenAI conventions of OpenTelemetry. Texts are never recorded. */
export function traceEmbedding(
  tracing: Tracing,
  { provider, model: name }: { provider: string; model: string | undefined },
  model: EmbeddingModel,
): EmbeddingModel {
  const embed: EmbeddingModel["embed"] = (texts, signal) => {
    const span = tracing.start(`embeddings ${name ?? model.id}`, {
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name ?? model.id,
        "baton.embeddings.texts": texts.length,
      },
    });
    return inSpan(
      tracing,
      span,
      () => model.embed(texts, signal),
      (error) => (error instanceof AppError ? error.code : "embedding_failed"),
    );
  };
  // The other members stay those of the model: its dimensions are known later.
  return Object.assign(Object.create(model) as EmbeddingModel, { embed });
}
