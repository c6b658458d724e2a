import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { FileReference } from "../../contract/file-reference.ts";
import type { FileItems } from "../engine/run/run.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { toFileFailure } from "../steps/file-failure.ts";
import type { FileIndex } from "./convert-job.ts";
import type { Converter } from "./converter.ts";
import { readRows } from "./file-index.ts";
import { unreadableFile } from "./unreadable-file.ts";

export interface FileItemsDeps {
  runFiles: Pick<RunFiles, "find" | "open" | "withLocalFile">;
  converter: Pick<Converter, "run">;
}

type FileHead = Pick<FileIndex, "delimiter" | "encoding" | "names">;

const HEAD_BYTES = 256 * 1024;
const KEPT_HEADS = 4 * 1024 * 1024;
/** Rows as values take a few times the memory of their text. */
const MAX_ITEM_BYTES = 10 * 1024 * 1024;
/** Parsed in about 6 ms; a worker would take longer to send the rows than to parse them. */
const INLINE_BYTES = 512 * 1024;

/** One pass finds where the items are; then each is read by its bytes alone, so that memory holds only those that run. */
export function createFileItems({ runFiles, converter }: FileItemsDeps): FileItems {
  /** By file. Files never change, so what their first bytes say is kept. */
  const heads = createSizedCache<FileHead>(KEPT_HEADS);

  const readings = new Map<string, Promise<unknown>>();

  function index(
    ownerId: string,
    file: FileReference,
    rowsPerItem: number,
    maxItems: number,
    signal: AbortSignal,
  ) {
    const format = formatOf(file);
    return runFiles.withLocalFile(ownerId, file.file, async (path) => {
      const result = await converter.run(
        ownerId,
        { kind: "index", path, format, rowsPerItem, maxItems },
        signal,
      );
      if (result.type !== "index") throw unreadableFile("its rows were not found");
      const { delimiter, encoding, names, offsets } = result.index;
      heads.set(file.file, { delimiter, encoding, names }, HEAD_BYTES);
      return offsets;
    });
  }

  /** After a restart the first item passes over the file once more, and the others wait for it. */
  async function headOf(ownerId: string, fileId: string, signal: AbortSignal): Promise<FileHead> {
    for (;;) {
      const known = heads.get(fileId);
      if (known !== undefined) return known;
      const reading =
        readings.get(fileId) ??
        runFiles
          .find(ownerId, fileId)
          .then((file) => index(ownerId, file, Number.MAX_SAFE_INTEGER, 2, signal))
          .finally(() => readings.delete(fileId));
      readings.set(fileId, reading);
      await reading;
    }
  }

  return {
    async split(ownerId, file, { rowsPerItem, maxItems, signal }) {
      try {
        const stored = await runFiles.find(ownerId, file.file);
        const offsets = await index(ownerId, stored, rowsPerItem, maxItems, signal);
        return offsets.slice(1).map((end, i) => ({ file: file.file, start: offsets[i]!, end }));
      } catch (error) {
        throw toFileFailure(error);
      }
    },
    async read(ownerId, entry, signal) {
      const { file, start, end } = rangeOf(entry);
      if (end - start > MAX_ITEM_BYTES)
        throw unreadableFile(
          `an item has ${end - start} bytes; at most ${MAX_ITEM_BYTES} are allowed. Use a smaller batchSize`,
        );
      try {
        const head = await headOf(ownerId, file, signal);
        const { stream } = await runFiles.open(ownerId, file, { start, end: end - 1 });
        // Not `buffer()` of stream/consumers, whose copies outside of the heap took 100 MB during a long loop.
        const chunks: Buffer[] = [];
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
        const content = Buffer.concat(chunks);
        if (content.length <= INLINE_BYTES) return readRows(content, head);
        // A copy of its own: the worker takes over its memory.
        const bytes = new Uint8Array(content);
        const result = await converter.run(ownerId, { kind: "rows", bytes, ...head }, signal);
        return result.type === "json" ? (JSON.parse(result.json) as JsonValue[]) : [];
      } catch (error) {
        throw toFileFailure(error);
      }
    },
  };
}

function rangeOf(entry: JsonValue): { file: string; start: number; end: number } {
  const { file, start, end } = (isRecord(entry) ? entry : {}) as Record<string, JsonValue>;
  if (typeof file !== "string" || typeof start !== "number" || typeof end !== "number")
    throw unreadableFile("the recorded list does not belong to a file");
  return { file, start, end };
}

function formatOf({ contentType, name }: FileReference): "csv" | "jsonl" {
  return /ndjson|jsonl|json-seq/.test(contentType) || /\.(jsonl|ndjson)$/i.test(name) ? "jsonl" : "csv";
}
