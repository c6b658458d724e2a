import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import { createId } from "../../lib/ids.ts";
import type { EngineStore, StoredOutput } from "../store.ts";

/** Larger values are stored outside their row, so that no list and no recovery loads them. */
export const ROW_LIMIT_CHARACTERS = 256 * 1024;

export interface Stored {
  output: string | null;
  outputRef: string | null;
}

/**
 * The outputs that later steps read. Memory holds only those; after a restart, and at the end of a foreach, outputs are
 * read back from the journal.
 */
export interface Outputs {
  keep(path: string, value: JsonValue): void;
  forget(path: string): void;
  get(path: string): Promise<JsonValue>;
}

export function createOutputs(
  taskId: string,
  store: Pick<EngineStore, "outputs">,
  blobs: BlobStore,
): Outputs {
  const kept = new Map<string, JsonValue>();
  return {
    keep: (path, value) => void kept.set(path, value),
    forget: (path) => void kept.delete(path),
    async get(path) {
      const value = kept.get(path);
      if (value !== undefined) return value;
      const [stored] = await store.outputs(taskId, [path]);
      const loaded = stored === undefined ? null : await loadValue(stored, blobs);
      kept.set(path, loaded);
      return loaded;
    },
  };
}

/** Keeps a small value for the row and writes a large one to the blob store. */
export async function storeValue(
  taskId: string,
  json: string | undefined,
  blobs: BlobStore,
): Promise<Stored> {
  if (json === undefined || json.length <= ROW_LIMIT_CHARACTERS)
    return { output: json ?? null, outputRef: null };
  const outputRef = `${taskId}/${createId("req")}`;
  await blobs.put(outputRef, json);
  return { output: null, outputRef };
}

export async function loadJson(
  { output, outputRef }: Pick<StoredOutput, "output" | "outputRef">,
  blobs: BlobStore,
): Promise<string> {
  return outputRef === null ? (output ?? "null") : await blobs.get(outputRef);
}

export async function loadValue(
  stored: Pick<StoredOutput, "output" | "outputRef">,
  blobs: BlobStore,
): Promise<JsonValue> {
  return JSON.parse(await loadJson(stored, blobs)) as JsonValue;
}

/** Inputs are stored for people to read: of a large one only the beginning is kept. */
export function inputText(json: string, mostCharacters = ROW_LIMIT_CHARACTERS): string {
  if (json.length <= mostCharacters) return json;
  return JSON.stringify({ truncated: true, characters: json.length, begins: json.slice(0, 1000) });
}
