import type { JsonValue } from "../placeholders/json-value.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { DataProblem } from "./data-problem.ts";
import { type ItemPath, itemPath } from "./item-path.ts";

/** A placeholder may give a list of any length, and every name costs work for each item. */
export const MAX_KEYS = 100;
export const MAX_NAMES = 1000;

/** Of a value in a message: text may have millions of characters. */
const MAX_SHOWN = 100;

export type DataFields = Readonly<Record<string, JsonValue | undefined>>;

/** The fields are checked when a workflow is saved, but placeholders may give them any value. */
export function readList(fields: DataFields, field: string): JsonValue[] {
  const value = fields[field] ?? null;
  if (Array.isArray(value)) return value;
  if (value === null) throw new DataProblem(field, "has no value: it must be a list");
  if (!isRecord(value))
    throw new DataProblem(field, `must be a list, not ${JSON.stringify(value).slice(0, MAX_SHOWN)}`);
  const lists = Object.keys(value).filter((key) => Array.isArray(value[key]));
  const hint = lists.length === 0 ? "" : `. The object has a list in "${lists.slice(0, 3).join('", "')}"`;
  throw new DataProblem(field, `must be a list, not an object${hint}`);
}

/** A list of paths, or one line with commas between them. */
export function readPaths(fields: DataFields, field: string, max = MAX_KEYS): ItemPath[] {
  return readTexts(fields, field, max).map(itemPath);
}

export function readTexts(fields: DataFields, field: string, max = MAX_KEYS): string[] {
  const value = fields[field] ?? [];
  const texts = typeof value === "string" ? value.split(",", max + 1).map((text) => text.trim()) : value;
  if (Array.isArray(texts)) checkLength(field, texts.length, max);
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string"))
    throw new DataProblem(field, "must be a list of field names");
  return (texts as string[]).filter((text) => text.trim() !== "");
}

export function readText(fields: DataFields, field: string): string {
  const value = fields[field] ?? "";
  if (typeof value !== "string") throw new DataProblem(field, "must be text");
  return value;
}

export function readCount(fields: DataFields, field: string, otherwise: number): number {
  const value = fields[field] ?? otherwise;
  const count = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0)
    throw new DataProblem(field, `must be a whole number of at least 0, not ${JSON.stringify(value)}`);
  return count;
}

export function readRecord(fields: DataFields, field: string): [name: string, value: string][] {
  const value = fields[field] ?? {};
  if (!isRecord(value)) throw new DataProblem(field, "must be an object of texts");
  const entries = Object.entries(value);
  checkLength(field, entries.length, MAX_NAMES);
  return entries.map(([name, text]) => [name, String(text)]);
}

export function checkLength(field: string, length: number, max: number): void {
  if (length > max) throw new DataProblem(field, `must have at most ${max} entries`);
}

/** One of these words; the first one when the field is empty. */
export function readWord<const Word extends string>(
  fields: DataFields,
  field: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = fields[field] ?? words[0];
  const word = words.find((one) => one === value);
  if (word === undefined)
    throw new DataProblem(field, `must be ${words.join(", ")}, not ${JSON.stringify(value)}`);
  return word;
}
