import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import { createId } from "../../lib/ids.ts";
import { createSizedCache } from "../../lib/sized-cache.ts";
import { parseInTurns } from "../../lib/stored-json.ts";
import type { EngineStore, StoredOutput } from "../store.ts";

/** Larger values are stored outside their row, so that no list and no recovery loads them. */
export const ROW_LIMIT_CHARACTERS = 256 * 1024;

export interface Stored {
  output: string | null;
  outputRef: string | null;
}

/** A run keeps smaller outputs itself. */
const LARGE_OUTPUT = 64 * 1024;
/** A parsed value takes a few times the memory of its text. */
const MAX_LARGE_OUTPUTS = 32 * 1024 * 1024;

/** The large outputs of all runs share one cache, so that many runs with large outputs do not add up to gigabytes. */
export interface LargeOutputs {
  /** A name that no other run has: an entry of an earlier run of the same task is never read. */
  newRun(): string;
  get(key: string): JsonValue | undefined;
  set(key: string, value: JsonValue, size: number): void;
  delete(key: string): void;
}

export function createLargeOutputs(maxSize = MAX_LARGE_OUTPUTS): LargeOutputs {
  const cache = createSizedCache<JsonValue>(maxSize);
  let runs = 0;
  return { ...cache, newRun: () => String(++runs) };
}

/**
 * The outputs that later steps read. Memory holds only those; after a restart, at the end of a foreach, and when the
 * cache has evicted them, outputs are read back from the journal.
 */
export interface Outputs {
  /** `size` as measured; without it the value counts as small. */
  keep(path: string, value: JsonValue, size?: number): void;
  forget(path: string): void;
  /** The run has left: the cache is free for other runs. */
  forgetLarge(): void;
  get(path: string): Promise<JsonValue>;
  /** Undefined when the output is not in memory. */
  peek(path: string): JsonValue | undefined;
}

export function createOutputs(
  taskId: string,
  store: Pick<EngineStore, "outputs">,
  blobs: BlobStore,
  large: LargeOutputs,
): Outputs {
  const kept = new Map<string, JsonValue>();
  /** Paths in the shared cache, and the name of this run in it. */
  let inCache: { paths: Set<string>; run: string } | undefined;

  function keep(path: string, value: JsonValue, size = 0): void {
    if (size <= LARGE_OUTPUT) {
      kept.set(path, value);
      return;
    }
    inCache ??= { paths: new Set(), run: large.newRun() };
    inCache.paths.add(path);
    large.set(`${inCache.run}:${path}`, value, size);
  }

  function peek(path: string): JsonValue | undefined {
    return kept.get(path) ?? (inCache && large.get(`${inCache.run}:${path}`));
  }

  return {
    keep,
    peek,
    forget(path) {
      kept.delete(path);
      if (inCache?.paths.delete(path) === true) large.delete(`${inCache.run}:${path}`);
    },
    forgetLarge() {
      for (const path of inCache?.paths ?? []) large.delete(`${inCache!.run}:${path}`);
      inCache = undefined;
    },
    async get(path) {
      const value = peek(path);
      if (value !== undefined) return value;
      const [stored] = await store.outputs(taskId, [path]);
      if (stored === undefined) {
        kept.set(path, null);
        return null;
      }
      const json = await loadJson(stored, blobs);
      const loaded = await parseInTurns(json);
      keep(path, loaded, json.length);
      return loaded;
    },
  };
}

/** Keeps a small value for the row, at once, and writes a large one to the blob store. */
export function storeValue(
  taskId: string,
  json: string | undefined,
  blobs: BlobStore,
): Stored | Promise<Stored> {
  if (json === undefined || json.length <= ROW_LIMIT_CHARACTERS)
    return { output: json ?? null, outputRef: null };
  // The size in the key lets a reader decide without loading the value.
  const outputRef = `${taskId}/${createId("req")}.${json.length}`;
  return blobs.put(outputRef, json).then(() => ({ output: null, outputRef }));
}

/** The size of a value in the blob store; undefined for a value that was stored before sizes were. */
export function sizeOfRef(outputRef: string): number | undefined {
  const size = /\.(\d+)$/.exec(outputRef)?.[1];
  return size === undefined ? undefined : Number(size);
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
  return parseInTurns(await loadJson(stored, blobs));
}

/** Takes the place of a value that is too large for a response: the client loads it from `url`. */
export function linkToOutput(taskId: string, path: string, bytes: number) {
  return { truncated: true, bytes, url: `/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/output` };
}

/** How much is shown of a value that is too large. */
export const BEGINNING_CHARACTERS = 1000;

/** Inputs are stored for people to read: of a large one only the beginning is kept. */
export function inputText(json: string, mostCharacters = ROW_LIMIT_CHARACTERS): string {
  if (json.length <= mostCharacters) return json;
  return JSON.stringify({
    truncated: true,
    characters: json.length,
    begins: json.slice(0, BEGINNING_CHARACTERS),
  });
}
