import { AppError } from "../../lib/errors.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { createFolderEmbedding, createLocalEmbedding } from "./onnx-embedding.ts";
import { createOllamaEmbedding, createOpenAiEmbedding, type Fetch } from "./remote-embedding.ts";

export interface EmbeddingSettings {
  provider: "local" | "openai" | "ollama" | "openai-compatible" | "onnx-folder";
  /** The vendor's name of the model, or the folder of an onnx-folder. */
  model?: string;
  baseUrl?: string;
  apiKey?: string;
}

export interface EmbeddingDependencies {
  /** The folder for the model file that is built from the packaged weights. */
  modelFolder: string;
  fetch: Fetch;
}

/** The configured embedding model. Text leaves the machine only with a remote provider. */
export async function createEmbeddingModel(
  settings: EmbeddingSettings,
  { modelFolder, fetch }: EmbeddingDependencies,
): Promise<EmbeddingModel> {
  const { provider, apiKey } = settings;
  const remote = (model: string, baseUrl: string): Parameters<typeof createOpenAiEmbedding>[0] => ({
    provider,
    model,
    baseUrl,
    fetch,
    ...(apiKey !== undefined && { apiKey }),
  });
  switch (provider) {
    case "local":
      return createLocalEmbedding({ modelFolder });
    case "onnx-folder":
      return createFolderEmbedding(required(settings.model, "EMBEDDING_MODEL", provider), { modelFolder });
    case "openai":
      required(apiKey, "EMBEDDING_API_KEY", provider);
      return createOpenAiEmbedding(
        remote(settings.model ?? "text-embedding-3-small", settings.baseUrl ?? "https://api.openai.com/v1"),
      );
    case "ollama":
      return createOllamaEmbedding(
        remote(settings.model ?? "nomic-embed-text", settings.baseUrl ?? "http://127.0.0.1:11434"),
      );
    case "openai-compatible":
      return createOpenAiEmbedding(
        remote(
          required(settings.model, "EMBEDDING_MODEL", provider),
          required(settings.baseUrl, "EMBEDDING_BASE_URL", provider),
        ),
      );
  }
}

function required(value: string | undefined, setting: string, provider: string): string {
  if (value) return value;
  throw new AppError(
    "embedding_not_configured",
    `EMBEDDING_PROVIDER=${provider} is incomplete. Set ${setting}.`,
  );
}
