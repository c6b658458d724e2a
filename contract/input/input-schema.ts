import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { checkField } from "./check-input.ts";
import { type InputField, inputFormats, inputTypes, type InputType } from "./input-field.ts";

const MAX_FIELDS = 200;
const MAX_DEPTH = 5;
const MAX_CHOICES = 500;
const ANNOTATIONS = ["title", "description", "default", "examples", "$schema", "$id", "$comment"];
const KEYWORDS: Readonly<Record<InputType, readonly string[]>> = {
  string: ["enum", "format", "minLength", "maxLength"],
  number: ["enum", "minimum", "maximum"],
  integer: ["enum", "minimum", "maximum"],
  boolean: ["enum"],
  array: ["items", "minItems", "maxItems"],
  object: ["format", "properties", "required", "additionalProperties"],
};

type Say = (message: string) => void;

/** One sentence for each mistake of a schema, which may be any value. */
export function inputSchemaProblems(schema: unknown): string[] {
  const problems: string[] = [];
  const say: Say = (message) => void problems.push(message);
  if (!isRecord(schema) || schema["type"] !== "object")
    return ['The input schema must be an object with "type": "object".'];
  checkPart(schema, "The input schema", 0, say);
  return problems;
}

function checkPart(part: unknown, label: string, depth: number, say: Say): void {
  if (!isRecord(part)) return say(`${label} must be an object with a type.`);
  const type = inputTypes.find((one) => one === part["type"]);
  if (type === undefined) return say(`${label} needs a type: ${inputTypes.join(", ")}.`);
  if (depth > MAX_DEPTH) return say(`${label} is nested too deeply: ${MAX_DEPTH} levels are the most.`);
  // A keyword that is not checked would promise what no call keeps.
  for (const keyword of Object.keys(part))
    if (keyword !== "type" && !ANNOTATIONS.includes(keyword) && !KEYWORDS[type].includes(keyword))
      say(`${label} uses "${keyword.slice(0, 80)}", which is not supported for the type ${type}.`);
  for (const keyword of ["title", "description"])
    if (part[keyword] !== undefined && typeof part[keyword] !== "string")
      say(`${label} needs a text as ${keyword}.`);
  for (const keyword of ["minLength", "maxLength", "minItems", "maxItems"])
    if (part[keyword] !== undefined && !isCount(part[keyword]))
      say(`${label} needs a whole number of at least 0 as ${keyword}.`);
  for (const keyword of ["minimum", "maximum"])
    if (part[keyword] !== undefined && !Number.isFinite(part[keyword]))
      say(`${label} needs a number as ${keyword}.`);
  if (part["format"] !== undefined && !inputFormats.some((format) => format === part["format"]))
    say(`${label} needs one of these as format: ${inputFormats.join(", ")}.`);
  if (part["format"] !== undefined && (part["format"] === "file") !== (type === "object"))
    say(`${label} needs the type object for the format file, and another type for the others.`);
  checkChoices(part, type, label, say);
  if (type === "object") checkProperties(part, label, depth, say);
  if (type === "array" && part["items"] !== undefined)
    checkPart(part["items"], `The items of ${label}`, depth + 1, say);
}

function checkChoices(part: Record<string, unknown>, type: InputType, label: string, say: Say): void {
  const { enum: choices, default: preset } = part;
  if (choices !== undefined) {
    const isList = Array.isArray(choices) && choices.length > 0 && choices.length <= MAX_CHOICES;
    if (!isList || !choices.every((one) => checkField({ type }, one as JsonValue) === undefined))
      return say(`${label} needs 1 to ${MAX_CHOICES} choices of its type as enum.`);
  }
  if (preset === undefined || type === "object" || type === "array") return;
  const problem = checkField(part as unknown as InputField, preset as JsonValue);
  if (problem !== undefined) say(`${label} has a default that ${problem}.`);
}

function checkProperties(part: Record<string, unknown>, label: string, depth: number, say: Say): void {
  const { properties = {}, required = [], additionalProperties } = part;
  if (!isRecord(properties)) return say(`${label} needs an object as properties.`);
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS) return say(`${label} may have at most ${MAX_FIELDS} fields.`);
  for (const name of names) {
    if (name === "" || name.length > 100 || name === "__proto__")
      say(`${label} has a field with an invalid name: use 1 to 100 characters.`);
    else checkPart(properties[name], `The input field "${name}"`, depth + 1, say);
  }
  if (!Array.isArray(required)) return say(`${label} needs a list of field names as required.`);
  for (const name of required as unknown[])
    if (typeof name !== "string" || !Object.hasOwn(properties, name))
      say(`${label} requires "${String(name).slice(0, 80)}", which is none of its fields.`);
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean")
    say(`${label} needs true or false as additionalProperties.`);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
