import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createMeasure } from "../../contract/placeholders/json-size.ts";
import { createTextDecoder } from "../lib/text-decoder.ts";
import { limitReached, outputTooLarge } from "../limits/limit-reached.ts";
import type { FileIndex } from "./convert-job.ts";
import { withoutSeparatorLine } from "../documents/extract/formats/csv-records.ts";
import { guessDelimiter, parseRecords } from "./formats/csv.ts";
import { parseLine } from "./formats/jsonl.ts";
import { encodingOf } from "./read-text.ts";
import { columnNames, rowOf } from "./row-list.ts";
import { unreadableFile } from "./unreadable-file.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";

const [QUOTE, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x22, 0x0a, 0x0d, 0x20];
const SAMPLE_BYTES = 64 * 1024;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A quote that is never closed would make one row of the rest of the file. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;

export interface IndexOptions {
  format: "csv" | "jsonl";
  rowsPerItem: number;
  maxItems: number;
}

/**
 * One pass over the file that finds where each item begins, so that a loop reads only the bytes of the item that it
 * runs. A line break inside quotes is part of a cell. Blank lines belong to the row before them.
 */
export async function indexFile(path: string, options: IndexOptions): Promise<FileIndex> {
  const encoding = await encodingOf(path);
  if (encoding.startsWith("utf-16")) throw unreadableFile("it is in UTF-16; a loop reads files in UTF-8");
  const sample = await readSample(path);
  const isCsv = options.format === "csv";
  const start = createTextDecoder(encoding).decode(sample);
  const delimiter = isCsv ? guessDelimiter(start) : "";
  let hasSeparatorLine = isCsv && withoutSeparatorLine(start) !== start;
  const rows = createRowFinder(isCsv ? delimiter.charCodeAt(0) : undefined);
  const offsets: number[] = [];
  let count = 0;
  let headerEnd: number | undefined = isCsv ? undefined : 0;
  let size = 0;
  const begin = (offset: number): void => {
    if (hasSeparatorLine) {
      hasSeparatorLine = false;
      return;
    }
    if (headerEnd === undefined) {
      // The first row holds the names; the second begins where it ends.
      headerEnd = -1;
      return;
    }
    if (headerEnd === -1) headerEnd = offset;
    if (count % options.rowsPerItem === 0) offsets.push(offset);
    if (offsets.length > options.maxItems)
      throw limitReached(
        "journal_entries",
        `The file has more than ${options.maxItems} items. Set a larger batchSize.`,
      );
    count += 1;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    rows.scan(chunk as Buffer, size, begin);
    size += (chunk as Buffer).length;
  }
  if (headerEnd === undefined || headerEnd === -1) headerEnd = size;
  return {
    delimiter,
    encoding,
    names: isCsv ? await namesIn(path, headerEnd, delimiter, encoding) : null,
    offsets: [...offsets, size],
    rows: count,
  };
}

/** Calls `begin` with the offset of each row that is not blank. */
function createRowFinder(delimiter: number | undefined) {
  let state: "line start" | "cell start" | "cell" | "quoted" | "quote in quotes" = "line start";
  let rowStart = 0;

  function scan(chunk: Buffer, offset: number, begin: (offset: number) => void): void {
    const first = offset === 0 && chunk.subarray(0, 3).equals(MARK) ? 3 : 0;
    for (let at = first; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (state === "line start") {
        if (byte === LINE_FEED || byte === CARRIAGE_RETURN || (delimiter === undefined && byte === SPACE))
          continue;
        rowStart = offset + at;
        begin(rowStart);
        state = "cell start";
      }
      if (state === "quoted") {
        if (byte === QUOTE) state = "quote in quotes";
        else if (offset + at - rowStart > MAX_ROW_BYTES)
          throw unreadableFile(
            `the row at byte ${rowStart} is larger than ${MAX_ROW_BYTES} bytes; a quote may be missing`,
          );
        continue;
      }
      if (state === "quote in quotes" && byte === QUOTE) {
        state = "quoted";
        continue;
      }
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) state = "line start";
      else if (byte === delimiter) state = "cell start";
      else state = delimiter !== undefined && state === "cell start" && byte === QUOTE ? "quoted" : "cell";
    }
    if (state !== "line start" && offset + chunk.length - rowStart > MAX_ROW_BYTES * 4)
      throw unreadableFile(`the row at byte ${rowStart} is too long`);
  }
  return { scan };
}

async function readSample(path: string, length = SAMPLE_BYTES): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function namesIn(path: string, end: number, delimiter: string, encoding: string): Promise<string[]> {
  const text = createTextDecoder(encoding).decode(await readSample(path, Math.min(end, MAX_ROW_BYTES)));
  const [names = []] = parseRecords(withoutSeparatorLine(text), delimiter);
  return columnNames(names);
}

/** The rows of the bytes between two offsets. Ends with the first row that exceeds `maxValueBytes`; 0 is no limit. */
export function readRows(
  bytes: Uint8Array,
  { delimiter, encoding, names }: Pick<FileIndex, "delimiter" | "encoding" | "names">,
  maxValueBytes: number,
): JsonValue[] {
  const text = createTextDecoder(encoding).decode(bytes);
  const max = maxValueBytes > 0 ? maxValueBytes : Number.POSITIVE_INFINITY;
  const measure = createMeasure();
  let size = 0;
  // Every row repeats the names: ten thousand short rows under a long first row are larger than their text.
  const counted = (row: JsonValue): JsonValue => {
    size += measure(row, max);
    if (size > max)
      throw outputTooLarge(
        "value_bytes",
        `The rows of an item are larger than ${max} bytes as a value. Use a smaller batchSize or concurrency.`,
      );
    return row;
  };
  if (names !== null) return parseRecords(text, delimiter).map((record) => counted(rowOf(names, record)));
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => counted(parseLine(line, index + 1)));
}
