import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { parseJsonText, UNREADABLE_JSON } from "../../lib/untrusted-json.ts";
import type { ConvertSource } from "../convert-job.ts";
import { readText, streamText } from "../read-text.ts";
import { createRowList } from "../row-list.ts";
import { cannotWrite, unreadableFile } from "../unreadable-file.ts";
import { piecesOf, type ValuePiece } from "../value-pieces.ts";

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

export async function readJsonLines(source: ConvertSource, maxValueBytes: number): Promise<ValuePiece[]> {
  const rows = createRowList(maxValueBytes);
  let number = 0;
  let rest = "";
  const take = (line: string): void => {
    number += 1;
    if (line.trim() !== "") rows.add(parseLine(line, number));
  };
  for await (const piece of streamText(source)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw unreadableFile(`line ${number + lines.length + 1} is too long`);
    for (const line of lines) take(line);
  }
  take(rest);
  return rows.pieces();
}

export function parseLine(line: string, number: number): JsonValue {
  const value = parseJsonText(line);
  if (value === undefined) throw unreadableFile(`line ${number} ${UNREADABLE_JSON}`);
  return value;
}

export async function writeJsonLines(value: JsonValue, targetPath: string): Promise<void> {
  if (!Array.isArray(value)) throw cannotWrite("must be a list, one item for each line");
  await pipeline(
    Readable.from(value.map((item) => `${JSON.stringify(item)}\n`)),
    createWriteStream(targetPath, { mode: 0o600, flags: "wx" }),
  );
}

export async function readJson(source: ConvertSource, maxValueBytes: number): Promise<ValuePiece[]> {
  const text = await readText(source, maxValueBytes);
  const value = parseJsonText(text);
  if (value === undefined) throw unreadableFile(`it ${UNREADABLE_JSON}`);
  return piecesOf(value);
}
