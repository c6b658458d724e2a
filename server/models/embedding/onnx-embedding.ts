import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { AppError, messageOf } from "../../lib/errors.ts";
import { createEmbedPool, type EmbedPool } from "./embed-pool.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { shareInScripts } from "./known-scripts.ts";
import { LOCAL_MODEL_DIMENSIONS, LOCAL_MODEL_ID, sha256 } from "./local-model.ts";

const MAX_TOKENS = 256;
const IDLE_MS = 5 * 60_000;

export interface OnnxEmbeddingOptions {
  /** The folder for the model file that is built from the packaged weights. */
  modelFolder: string;
  workers?: number;
  idleMs?: number;
}

/** The packaged model. No text leaves the machine, and nothing is loaded before the first use. */
export function createLocalEmbedding(options: OnnxEmbeddingOptions): EmbeddingModel {
  const pool = poolOf(options);
  return {
    id: LOCAL_MODEL_ID,
    dimensions: LOCAL_MODEL_DIMENSIONS,
    embed: (texts, signal) => pool.embed(texts, signal),
    knownScriptShare: (text) => knownScriptShare(pool, text),
    language: "en",
    close: () => pool.close(),
  };
}

/** A model of the operator: a folder with `model.onnx` and `tokenizer.json`. */
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
      `The embedding model could not be read. Set EMBEDDING_MODEL to a folder with model.onnx and tokenizer.json: ${messageOf(error)}`,
      { cause: error },
    );
  }
  const pool = poolOf(options, { modelFile, tokenizerFile: join(folder, "tokenizer.json") });
  let dimensions: number | undefined;
  return {
    // The id contains a hash of the bytes: another model in the same folder has another id.
    id: `onnx:${basename(folder)}:${hash.slice(0, 12)}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, signal) {
      const vectors = await pool.embed(texts, signal);
      dimensions ??= vectors[0]?.length;
      return vectors;
    },
    knownScriptShare: (text) => knownScriptShare(pool, text),
    close: () => pool.close(),
  };
}

function knownScriptShare({ scripts }: EmbedPool, text: string): number {
  return scripts ? shareInScripts(text, scripts) : 1;
}

function poolOf(
  options: OnnxEmbeddingOptions,
  files?: { modelFile: string; tokenizerFile: string },
): EmbedPool {
  return createEmbedPool({
    worker: { ...files, localModelFolder: options.modelFolder, maxTokens: MAX_TOKENS },
    // One core is left for the event loop.
    workers: options.workers ?? Math.max(1, availableParallelism() - 1),
    idleMs: options.idleMs ?? IDLE_MS,
  });
}
