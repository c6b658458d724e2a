import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Options, parse, type Parser } from "csv-parse";
import { stringify } from "csv-stringify";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import {
  csvDelimiter,
  csvRecords,
  withoutSeparatorLine,
} from "../../documents/extract/formats/csv-records.ts";
import { messageOf } from "../../lib/errors.ts";
import type { ConvertOptions, ConvertSource } from "../convert-job.ts";
import { streamText } from "../read-text.ts";
import { columnNames, createRowList, rowOf } from "../row-list.ts";
import { toTable } from "../table.ts";
import { unreadableFile } from "../unreadable-file.ts";
import type { ValuePiece } from "../value-pieces.ts";

const SAMPLE_CHARACTERS = 64 * 1024;
/** A quote that is never closed would make one cell of the rest of the file. */
const MAX_RECORD_CHARACTERS = 4 * 1024 * 1024;

export async function readCsv(
  source: ConvertSource,
  { delimiter, header }: ConvertOptions,
  maxValueBytes: number,
): Promise<ValuePiece[]> {
  const rows = createRowList(maxValueBytes);
  let names: string[] | undefined;
  await forEachRecord(source, delimiter, (record) => {
    if (!header) rows.add(record);
    else if (names === undefined) names = columnNames(record);
    else rows.add(rowOf(names, record));
  });
  return rows.pieces();
}

async function forEachRecord(
  source: ConvertSource,
  delimiter: string | undefined,
  use: (record: string[]) => void,
): Promise<void> {
  const text = streamText(source);
  const first = await text.next();
  const sample = String(first.value ?? "");
  const parser = createParser(delimiterOf(delimiter) ?? guessDelimiter(sample));
  async function* all(): AsyncGenerator<string> {
    yield withoutSeparatorLine(sample);
    yield* text;
  }
  const feeding = pipeline(Readable.from(all(), { objectMode: false }), parser);
  // The loop below reports the same failure.
  feeding.catch(() => {});
  try {
    for await (const record of parser as AsyncIterable<string[]>) use(record);
    await feeding;
  } catch (error) {
    throw (error as { code?: unknown }).code?.toString().startsWith("CSV_")
      ? unreadableFile(messageOf(error), error)
      : error;
  }
}

const PARSER: Options = {
  bom: true,
  // Files that were joined have several kinds of line ends.
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: MAX_RECORD_CHARACTERS,
};

function createParser(delimiter: string): Parser {
  return parse({ ...PARSER, delimiter });
}

/** The records of a part of a file that begins and ends between two records. Ten times as fast as a parser of streams. */
export function parseRecords(text: string, delimiter: string): string[][] {
  const records = [...csvRecords(text.replace(/^\uFEFF/, ""), delimiter, true)];
  return records.filter((record) => record.length > 1 || record[0] !== "");
}

export function guessDelimiter(sample: string): string {
  const part = sample.slice(0, SAMPLE_CHARACTERS);
  return csvDelimiter(part, part.length === SAMPLE_CHARACTERS) ?? byFirstLine(part);
}

/** The character that occurs most often in the first line. */
function byFirstLine(text: string): string {
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = [",", ";", "\t", "|"].map((char) => [char, line.split(char).length] as const);
  return counts.toSorted((a, b) => b[1] - a[1])[0]![0];
}

export function delimiterOf(given: string | undefined): string | undefined {
  return given === "\\t" ? "\t" : given;
}

export async function writeCsv(
  value: JsonValue,
  { delimiter, header, allowFormulas }: ConvertOptions,
  targetPath: string,
): Promise<void> {
  const { names, rows } = toTable(value, header);
  const records = names === undefined ? rows : [names, ...rows];
  const cells = records.map((record) => record.map((cell) => (allowFormulas ? cell : withoutFormula(cell))));
  await pipeline(
    Readable.from(cells),
    stringify({ delimiter: delimiterOf(delimiter) ?? ",", record_delimiter: "windows" }),
    createWriteStream(targetPath, { mode: 0o600, flags: "wx" }),
  );
}

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d[\d.,]*$/;

/**
 * A spreadsheet program runs a cell that begins with one of these as a formula, which may send the other cells away. The
 * quote makes it text; it is part of the cell for other programs.
 */
function withoutFormula(cell: string | number | boolean | null): typeof cell {
  return typeof cell === "string" && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}
