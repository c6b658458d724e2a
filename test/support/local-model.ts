import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LOCAL_MODEL_ID } from "../../server/models/embedding/local-model.ts";
import { ensureLocalModel } from "../../server/models/embedding/local-model-file.ts";

const folder = fileURLToPath(new URL("../../node_modules/.cache/baton-model", import.meta.url));
const file = join(folder, `${LOCAL_MODEL_ID}.onnx`);

/** Vitest's global setup: builds the embedding model once. Each app that indexes a document would take 3 s of CPU for it. */
export async function setup(): Promise<void> {
  await ensureLocalModel(folder);
}

/** Gives a new data folder the model of the run. */
export async function linkLocalModel(dataDir: string): Promise<void> {
  const models = join(dataDir, "models");
  await mkdir(models);
  await symlink(file, join(models, basename(file)));
}
