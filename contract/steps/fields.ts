import * as z from "zod";
import { limitedRecord } from "../api.ts";
import { CONNECTION_ID } from "../connection-id.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { isSinglePlaceholder } from "../placeholders/scan-text.ts";

/**
 * The field types of a step. Each has a description for users (`describe`) and an error that states what a valid
 * value is: the end of a sentence that starts with the field name.
 */

/** More than any step needs. Every wrong entry is reported, which takes time. */
export const MAX_ENTRIES = 10_000;

type Accepts = (value: unknown) => boolean;

/**
 * A cheap test for values that a schema certainly accepts; every other value is checked by the schema. It halves the
 * time to validate a graph of ten thousand steps. Not part of zod's metadata, because a refined copy of a schema would
 * inherit it and skip its own rule.
 */
const shortcuts = new WeakMap<z.ZodType, Accepts>();

function withShortcut<T extends z.ZodType>(schema: T, accepts: Accepts): T {
  shortcuts.set(schema, accepts);
  return schema;
}

export function shortcutOf(schema: z.ZodType): Accepts | undefined {
  return shortcuts.get(schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema);
}

// Schemas are immutable. What many fields have in common is created once: every copy takes time at the start.
const anyString = z.string();
const unknownValue = z.unknown();
const trueOrFalse = z.boolean({ error: "must be true or false" });
const textSchema = z.string({ error: "must be text" });
const filledText = textSchema.min(1, "must not be empty");
const placeholders = new Map<string, z.ZodType<string>>();

/** A union reports the error of its only option that has the right type, so each option needs the error of the field. */
function singlePlaceholder(error: string): z.ZodType<string> {
  const known = placeholders.get(error);
  if (known !== undefined) return known;
  const schema = anyString
    .refine(isSinglePlaceholder, { error })
    .meta({ description: "Exactly one placeholder, such as {{input.value}}." });
  placeholders.set(error, schema);
  return schema;
}

const isText: Accepts = (value) => typeof value === "string" && value !== "";

export function text(description: string) {
  return withShortcut(filledText.describe(description), isText);
}

/** Text that may also be empty, such as the content of a file. */
export function anyText(description: string) {
  return withShortcut(textSchema.describe(description), isText);
}

export function anyValue(description: string) {
  return withShortcut(unknownValue.describe(description), (value) => value !== undefined);
}

interface NumberRange {
  min: number;
  max: number;
  whole?: boolean;
}

/** A number that the engine needs before the step is rendered, so it cannot be a placeholder. */
export function fixedNumber(description: string, range: NumberRange) {
  const error = `must be ${describeRange(range)}`;
  const bounds = [z.gte(range.min, { error }), z.lte(range.max, { error })];
  // Not `.int()`: its safe-integer bounds would appear in the schema next to the real ones.
  const checks = range.whole ? [...bounds, z.multipleOf(1, { error })] : bounds;
  const schema = z.number({ error, checks }).describe(description);
  return withShortcut(schema, isInRange(range));
}

export function number(description: string, range: NumberRange) {
  const error = `must be ${describeRange(range)}, or one placeholder`;
  const schema = z.union([fixedNumber(description, range), singlePlaceholder(error)], { error });
  return withShortcut(schema.describe(description), isInRange(range));
}

/** One of a fixed set of words. The list is part of the JSON Schema, so a form can show it. */
export function choice(description: string, words: readonly string[], anyCase = false) {
  const allowed = new Set<unknown>(words);
  const schema = z
    .string({ error: `must be one of ${words.join(", ")}` })
    .refine((value) => allowed.has(anyCase ? value.toUpperCase() : value) || isSinglePlaceholder(value), {
      error: `must be one of ${words.join(", ")}`,
    })
    .meta({ description, enum: [...words] });
  return withShortcut(schema, (value) => allowed.has(value));
}

/** A choice that decides how the graph runs, so it cannot be a placeholder. */
export function fixedChoice<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
) {
  const schema = z.enum(words, { error: `must be one of ${words.join(", ")}` }).describe(description);
  const allowed = new Set<unknown>(words);
  return withShortcut(schema, (value) => allowed.has(value));
}

export function fixedBoolean(description: string) {
  return withShortcut(trueOrFalse.describe(description), (value) => typeof value === "boolean");
}

const textRecordError = "must be an object whose values are text, numbers or true/false";
const textRecordSchema = limitedRecord(
  anyString,
  z.union([anyString, z.number(), z.boolean()], { error: textRecordError }),
  MAX_ENTRIES,
  textRecordError,
);
export function textRecord(description: string) {
  return textRecordSchema.describe(description);
}

const textListError = "must be a list of text values, or one placeholder that gives a list";
const textListSchema = z.union([z.array(anyString).max(MAX_ENTRIES), singlePlaceholder(textListError)], {
  error: textListError,
});
export function textList(description: string) {
  return textListSchema.describe(description);
}

/** A list of names that the engine needs before the step is rendered, so none of them can be a placeholder. */
export function fixedTextList(description: string) {
  const error = "must be a list of names";
  return z.array(z.string({ error }).min(1, { error }), { error }).max(MAX_ENTRIES).describe(description);
}

const listError = "must be a list, or one placeholder that gives a list";
const listSchema = z.union([z.array(unknownValue), singlePlaceholder(listError)], { error: listError });
export function list(description: string) {
  return listSchema.describe(description);
}

const objectError = "must be an object, or one placeholder that gives an object";
// `z.record(z.string(), z.unknown())` would copy the object key by key only to accept it.
const plainObject = unknownValue.refine(isRecord, { error: objectError }).meta({ type: "object" });
const objectSchema = z.union([plainObject, singlePlaceholder(objectError)], { error: objectError });
export function object(description: string) {
  return objectSchema.describe(description);
}

const WEB_ADDRESS = /^(https?:\/\/[^\s/]|\{\{)/i;

const connectionError = "must be the id of one of your connections";
const connectionSchema = z
  .string({ error: connectionError })
  .regex(CONNECTION_ID, { error: connectionError });

/** One of the owner's connections. Fixed, so that a run's data cannot choose whose credential is sent. */
export function connection(description: string) {
  return withShortcut(
    connectionSchema.describe(description),
    (value) => typeof value === "string" && CONNECTION_ID.test(value),
  );
}

/** A URL; one that begins with a placeholder is checked at run time. */
export function url(description: string) {
  const error = "must be a URL that begins with http:// or https://";
  const schema = text(description).refine((value) => value === "" || WEB_ADDRESS.test(value.trim()), {
    error,
  });
  return withShortcut(schema, (value) => typeof value === "string" && WEB_ADDRESS.test(value));
}

function isInRange({ min, max, whole = false }: NumberRange): Accepts {
  return (value) =>
    typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
}

function describeRange(range: NumberRange): string {
  return `a ${range.whole ? "whole " : ""}number from ${range.min} to ${range.max}`;
}
