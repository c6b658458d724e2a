import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { inTurns, type PartedWork } from "../../lib/in-turns.ts";
import { parseInTurns } from "../../lib/stored-json.ts";
import { type EmbeddingModel, toUnitLength } from "./embedding-model.ts";
import { trimEndOf } from "../../../contract/trim-end.ts";

/** The guarded fetch, never the global one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RemoteEmbeddingOptions {
  provider: string;
  model: string;
  baseUrl: string;
  apiKey?: string;
  fetch: Fetch;
}

const BATCH_SIZE = 64;
const TIMEOUT_MS = 60_000;
/** Of one answer: 64 vectors of 4,096 numbers have about 5 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** `POST {base}/embeddings`: OpenAI and compatible servers. */
export function createOpenAiEmbedding(options: RemoteEmbeddingOptions): EmbeddingModel {
  return createRemote(options, "/embeddings", (body) => {
    const entries = listOf(body, "data").filter(isRecord);
    return entries
      .toSorted((a, b) => Number(a["index"]) - Number(b["index"]))
      .map((entry) => entry["embedding"]);
  });
}

/** `POST {base}/api/embed` of an Ollama server. */
export function createOllamaEmbedding(options: RemoteEmbeddingOptions): EmbeddingModel {
  return createRemote(options, "/api/embed", (body) => listOf(body, "embeddings"));
}

/** Empty when the answer has no such list: the number of vectors is wrong then. */
function listOf(body: unknown, name: string): unknown[] {
  const list = isRecord(body) ? body[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** An answer may have a quarter of a million numbers. Throws `TypeError` unless all of them are numbers. */
function* toVectors(lists: readonly unknown[]): PartedWork<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const list of lists) {
    if (!Array.isArray(list) || !list.every((value) => typeof value === "number"))
      throw new TypeError("An embedding is not a list of numbers.");
    const vector = toUnitLength(Float32Array.from(list));
    // 1e999 is infinite as a number, and 1e99 in 32 bits.
    if (!vector.every(Number.isFinite)) throw new TypeError("An embedding has a number that is too large.");
    vectors.push(vector);
    yield;
  }
  return vectors;
}

function createRemote(
  options: RemoteEmbeddingOptions,
  path: string,
  vectorsIn: (body: unknown) => readonly unknown[],
): EmbeddingModel {
  const url = trimEndOf(options.baseUrl, "/") + path;
  let dimensions: number | undefined;

  async function embedBatch(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const body = await post(url, { model: options.model, input: texts }, options, signal);
    let vectors: Float32Array[];
    try {
      vectors = await inTurns(toVectors(vectorsIn(body)));
    } catch (error) {
      throw failure(options.provider, "its answer is not a list of embeddings", false, error);
    }
    const size = dimensions ?? vectors[0]?.length ?? 0;
    if (vectors.length !== texts.length || size === 0 || vectors.some((vector) => vector.length !== size))
      throw failure(options.provider, "it gave vectors of the wrong number or length", false);
    dimensions = size;
    return vectors;
  }

  return {
    id: `${options.provider}:${options.model}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += BATCH_SIZE)
        vectors.push(...(await embedBatch(texts.slice(i, i + BATCH_SIZE), signal)));
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}

async function post(
  url: string,
  body: unknown,
  { provider, apiKey, fetch }: RemoteEmbeddingOptions,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw failure(provider, messageOf(error), true, error);
  }
  if (!response.ok) {
    await response.body?.cancel();
    // The vendor's text may repeat the key or the document, so only the status is reported.
    const retryable = response.status === 429 || response.status >= 500;
    throw failure(provider, `it answered with status ${response.status}`, retryable);
  }
  try {
    return await parseInTurns(await limitedText(response, provider));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failure(provider, "its answer is no JSON", true, error);
  }
}

/** An answer without an end would fill the memory. */
async function limitedText({ body }: Response, provider: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw failure(provider, `its answer has more than ${MAX_BYTES} bytes`, false);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function failure(provider: string, reason: string, retryable: boolean, cause?: unknown): AppError {
  return new AppError("embedding_failed", `The embedding service ${provider} failed: ${reason}.`, {
    retryable,
    cause,
  });
}
