import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import { StoredJson } from "../../lib/stored-json.ts";
import { linkToOutput, loadJson, sizeOfRef } from "../journal/outputs.ts";
import type { StepEntry } from "../journal/journal-entry.ts";
import type { TaskResult } from "./task.ts";

export interface ResponseOptions {
  /** Values of the blob store are `StoredJson`, which the response streams, instead of loaded. */
  streams: boolean;
}

/** The bytes of stored values that one response may still hold. */
export interface ResponseBudget {
  /** The output, or a link to it when it does not fit. Decided by its size, before it is loaded. */
  output(entry: StepEntry): Promise<JsonValue>;
  input(json: string | null, omittedBytes: number): JsonValue;
  /** The log lines of a step, or one that says where they are. */
  logs(path: string, lines: readonly LogLine[]): readonly LogLine[];
  /** A large result; the result of a row always fits. */
  result(resultRef: string): Promise<TaskResult>;
}

export function createResponseBudget(
  taskId: string,
  maxBytes: number,
  blobs: BlobStore,
  { streams }: ResponseOptions = { streams: false },
): ResponseBudget {
  let left = maxBytes || Number.MAX_SAFE_INTEGER;

  function take(bytes: number): boolean {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }

  async function blobBytes(ref: string): Promise<number> {
    const noted = sizeOfRef(ref);
    if (noted !== undefined) return noted;
    const { stream, bytes } = await blobs.open(ref);
    stream.destroy();
    return bytes;
  }

  function storedJson(ref: string, link: unknown): StoredJson {
    return new StoredJson(async () => (await blobs.open(ref)).stream, link);
  }

  return {
    async output(entry) {
      const { output, outputRef, omitted } = entry;
      const bytes =
        outputRef === null ? (omitted?.output ?? output?.length ?? 0) : await blobBytes(outputRef);
      const isLeftOut = omitted !== undefined && omitted.output > 0;
      const link = linkToOutput(taskId, entry.path, bytes);
      if (isLeftOut || !take(bytes)) return link;
      if (streams && outputRef !== null) return storedJson(outputRef, link) as unknown as JsonValue;
      return (await parseAlone(await loadJson(entry, blobs), outputRef)) as JsonValue;
    },
    input(json, omittedBytes) {
      if (json === null) return omittedBytes === 0 ? null : { truncated: true, bytes: omittedBytes };
      return take(json.length) ? (JSON.parse(json) as JsonValue) : { truncated: true, bytes: json.length };
    },
    logs(path, lines) {
      const last = lines.at(-1);
      if (last === undefined || take(lines.reduce((sum, { message }) => sum + message.length, 0)))
        return lines;
      const url = `/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/attempts`;
      return [{ ...last, level: "warn", message: `The response would be too large; ${url} has the lines.` }];
    },
    async result(resultRef) {
      const bytes = await blobBytes(resultRef);
      const url = `/api/tasks/${taskId}/result`;
      const link: TaskResult = { output: { truncated: true, bytes, url }, outputs: {} };
      if (!take(bytes)) return link;
      if (streams) return storedJson(resultRef, link) as unknown as TaskResult;
      return (await parseAlone(await blobs.get(resultRef), resultRef)) as TaskResult;
    },
  };
}

/** Large values are parsed one per turn of the event loop, so that other requests are answered in between. */
async function parseAlone(json: string, ref: string | null): Promise<unknown> {
  if (ref !== null) await nextTurn();
  return JSON.parse(json) as unknown;
}
