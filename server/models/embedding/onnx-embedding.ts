import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { AppError, messageOf } from "../../lib/errors.ts";
import { createEmbedPool, type EmbedPool } from "./embed-pool.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { LOCAL_MODEL_DIMENSIONS, LOCAL_MODEL_ID, LOCAL_TOKENIZER_FILE, sha256 } from "./local-model-file.ts";

const MAX_TOKENS = 256;
const IDLE_MS = 5 * 60_000;

export interface OnnxEmbeddingOptions {
  /** Where the packaged model is made into. */
  modelFolder: string;
  workers?: number;
  idleMs?: number;
}

/** The model that comes with the service: nothing leaves the machine, nothing is loaded before its first use. */
export function createLocalEmbedding(options: OnnxEmbeddingOptions): EmbeddingModel {
  const pool = poolOf(options, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  return {
    id: LOCAL_MODEL_ID,
    dimensions: LOCAL_MODEL_DIMENSIONS,
    embed: (texts, signal) => pool.embed(texts, signal),
    close: () => pool.close(),
  };
}

/** A folder of the operator's own with `model.onnx` and `tokenizer.json`. */
export async function createFolderEmbedding(
  folder: string,
  options: OnnxEmbeddingOptions,
): Promise<EmbeddingModel> {
  const modelFile = join(folder, "model.onnx");
  let hash: string;
  try {
    hash = sha256(await readFile(modelFile));
  } catch (error) {
    throw new AppError(
      "embedding_not_configured",
      `EMBEDDING_MODEL must name a folder with model.onnx and tokenizer.json: ${messageOf(error)}`,
      { cause: error },
    );
  }
  const pool = poolOf(options, { modelFile, tokenizerFile: join(folder, "tokenizer.json") });
  let dimensions: number | undefined;
  return {
    // The bytes are part of the name: another model in the same folder is another model.
    id: `onnx:${basename(folder)}:${hash.slice(0, 12)}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, signal) {
      const vectors = await pool.embed(texts, signal);
      dimensions ??= vectors[0]?.length;
      return vectors;
    },
    close: () => pool.close(),
  };
}

function poolOf(
  options: OnnxEmbeddingOptions,
  files: { modelFile?: string; tokenizerFile: string },
): EmbedPool {
  return createEmbedPool({
    worker: { ...files, localModelFolder: options.modelFolder, maxTokens: MAX_TOKENS },
    // One core stays with the event loop.
    workers: options.workers ?? Math.max(1, availableParallelism() - 1),
    idleMs: options.idleMs ?? IDLE_MS,
  });
}
