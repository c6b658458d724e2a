import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { LogLine } from "../../../contract/step-log.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import { createPauses } from "../../lib/in-turns.ts";
import { parseInTurns, StoredJson } from "../../lib/stored-json.ts";
import { linkToOutput, sizeOfRef } from "../journal/outputs.ts";
import type { StepEntry } from "../journal/journal-entry.ts";
import type { TaskResult } from "./task.ts";

export interface ResponseOptions {
  /** Inputs, outputs and a large result are `StoredJson`, which the response sends as it is. */
  asStored: boolean;
}

/** The bytes of stored values that one response may still hold. */
export interface ResponseBudget {
  /** The output, or a link to it when it does not fit. Decided by its size, before it is loaded. */
  output(entry: StepEntry): Promise<JsonValue>;
  input(json: string | null, omittedBytes: number): Promise<JsonValue>;
  /** The log lines of a step, or one that says where they are. */
  logs(path: string, lines: readonly LogLine[]): readonly LogLine[];
  /** A large result; the result of a row always fits. */
  result(resultRef: string): Promise<TaskResult>;
}

export function createResponseBudget(
  taskId: string,
  maxBytes: number,
  blobs: BlobStore,
  { asStored }: ResponseOptions = { asStored: false },
): ResponseBudget {
  let left = maxBytes || Number.MAX_SAFE_INTEGER;
  const pause = createPauses();

  function take(bytes: number): boolean {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }

  async function blobBytes(ref: string): Promise<number> {
    const recorded = sizeOfRef(ref);
    if (recorded !== undefined) return recorded;
    const { stream, bytes } = await blobs.open(ref);
    stream.destroy();
    return bytes;
  }

  async function valueOf(json: string, link: unknown): Promise<unknown> {
    if (asStored) return new StoredJson(json, link);
    await pause();
    return JSON.parse(json);
  }

  async function load(ref: string, link: unknown): Promise<unknown> {
    return asStored ? storedValue(ref, link, blobs) : parseInTurns(await blobs.get(ref));
  }

  return {
    async output(entry) {
      const { output, outputRef, omitted } = entry;
      const bytes =
        outputRef === null ? (omitted?.output ?? output?.length ?? 0) : await blobBytes(outputRef);
      const isLeftOut = omitted !== undefined && omitted.output > 0;
      const link = linkToOutput(taskId, entry.path, bytes);
      if (isLeftOut || !take(bytes)) return link;
      if (outputRef !== null) return (await load(outputRef, link)) as JsonValue;
      return output === null ? null : ((await valueOf(output, link)) as JsonValue);
    },
    async input(json, omittedBytes) {
      if (json === null) return omittedBytes === 0 ? null : { truncated: true, bytes: omittedBytes };
      const notice = { truncated: true, bytes: json.length };
      return take(json.length) ? ((await valueOf(json, notice)) as JsonValue) : notice;
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
      return take(bytes) ? ((await load(resultRef, link)) as TaskResult) : link;
    },
  };
}

/** A value of the blob store, which is read when it is sent. */
export function storedValue(ref: string, link: unknown, blobs: BlobStore): StoredJson {
  return new StoredJson(async () => (await blobs.open(ref)).stream, link);
}
