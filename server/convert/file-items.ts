import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { FileReference } from "../../contract/file-reference.ts";
import type { FileItems } from "../engine/run/run.ts";
import type { HeapGrowth } from "../lib/heap-growth.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import type { Limits } from "../limits/limits.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { toFileFailure } from "../steps/file-failure.ts";
import type { FileIndex } from "./convert-job.ts";
import type { Converter } from "./converter.ts";
import { readRows } from "./file-index.ts";
import { unreadableFile } from "./unreadable-file.ts";
import { joinPieces } from "./value-pieces.ts";

export interface FileItemsDeps {
  runFiles: Pick<RunFiles, "find" | "open" | "withLocalFile">;
  converter: Pick<Converter, "run">;
  limits: Pick<Limits, "max">;
  heapGrowth: HeapGrowth;
}

type FileHead = Pick<FileIndex, "delimiter" | "encoding" | "names">;

const KEPT_HEADS = 4 * 1024 * 1024;
/** Rows as values take a few times the memory of their text. */
const MAX_ITEM_BYTES = 10 * 1024 * 1024;
/** With more iterations at once their items are smaller: together they take the memory of this many. */
const LARGE_ITEMS = 10;
/** Parsed in about 6 ms; a worker would take longer to send the rows than to parse them. */
const INLINE_BYTES = 512 * 1024;

/** One pass finds where the items are; then each is read by its bytes alone, so that memory holds only those that run. */
export function createFileItems({ runFiles, converter, limits, heapGrowth }: FileItemsDeps): FileItems {
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
      heads.set(file.file, { delimiter, encoding, names }, sizeOf(names ?? []));
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
    async read(ownerId, entry, { concurrency, turn, signal }) {
      const { file, start, end } = rangeOf(entry);
      const share = Math.min(1, LARGE_ITEMS / concurrency);
      const maxBytes = Math.floor(MAX_ITEM_BYTES * share);
      if (end - start > maxBytes)
        throw unreadableFile(
          `an item has ${end - start} bytes; at most ${maxBytes} are allowed. Use a smaller batchSize or concurrency`,
        );
      const maxValueBytes = Math.floor(limits.max("value_bytes") * share);
      // The garbage of a shorter file is small.
      if (end > MAX_ITEM_BYTES) heapGrowth.bound();
      try {
        const head = await headOf(ownerId, file, signal);
        const readBytes = async (): Promise<Uint8Array> => {
          const { stream } = await runFiles.open(ownerId, file, { start, end: end - 1 });
          // One copy with its own memory, which a worker can take over. `buffer()` of stream/consumers makes several.
          const bytes = new Uint8Array(end - start);
          let size = 0;
          for await (const chunk of stream as AsyncIterable<Buffer>) {
            bytes.set(chunk, size);
            size += chunk.length;
          }
          return bytes.subarray(0, size);
        };
        if (end - start <= INLINE_BYTES) return readRows(await readBytes(), head, maxValueBytes);
        const result = await converter.run(
          ownerId,
          async () => ({ kind: "rows", bytes: await readBytes(), maxValueBytes, ...head }),
          signal,
        );
        if (result.type !== "value") return [];
        await turn();
        return (await joinPieces(result.pieces, turn)) as JsonValue[];
      } catch (error) {
        throw toFileFailure(error);
      }
    },
  };
}

/** Two bytes for each character, and what each text takes besides. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((size, name) => size + 2 * name.length + 32, 256);
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
