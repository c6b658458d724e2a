import type { AppField } from "../../contract/apps.ts";
import type { InputField } from "../../contract/input/input-field.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { fieldOf, shortText } from "./field-of.ts";
import type { Resolve, Schema } from "./read-document.ts";

/** The fields of a query parameter, by the name that is sent: lists and objects are written in several ways. */
export function queryFieldsOf(parameter: Schema, name: string, resolve: Resolve): [string, AppField][] {
  const isJson = isRecord(parameter["content"]);
  const schema = isRecord(parameter["schema"]) ? parameter["schema"] : parameter;
  const field = fieldOf(schema, name, resolve);
  const description = shortText(parameter["description"]) ?? field.description;
  const texts = { title: field.title, ...(description !== undefined && { description }) };
  if (isJson) return [[name, { type: "string", ...texts, ...hint(description, "As JSON.") }]];
  if (field.type === "array") {
    if (isNested(field.items)) return [[name, asJson(field)]];
    if (parameter["style"] === "deepObject") return [[`${name}[]`, { ...field, ...texts }]];
    const separator = separatorOf(parameter);
    if (separator === undefined) return [[name, { ...field, ...texts }]];
    return [
      [name, { type: "string", ...texts, ...hint(description, `Separate several with ${separator}.`) }],
    ];
  }
  if (field.type !== "object") return [[name, { ...field, ...texts }]];
  if (field.properties === undefined) return [[name, { ...asJson(field), ...hint(description, "As JSON.") }]];
  return parameter["style"] === "deepObject"
    ? deepFields(name, field.title, field.properties)
    : Object.entries(field.properties).map(([key, property]) => [
        key,
        plainField(property, `${field.title} ${key}`),
      ]);
}

/** `created[gte]`, `details[address][city]`; a list in it is `expand[]`. */
function deepFields(
  name: string,
  title: string,
  properties: Readonly<Record<string, InputField>>,
): [string, AppField][] {
  return Object.entries(properties).flatMap(([key, property]): [string, AppField][] => {
    const inside = `${name}[${key}]`;
    const words = `${title} ${key}`;
    if (property.type === "object" && property.properties !== undefined)
      return deepFields(inside, words, property.properties);
    const field = plainField(property, words);
    return [[field.type === "array" ? `${inside}[]` : inside, field]];
  });
}

function plainField({ required: _required, ...property }: InputField, title: string): AppField {
  const field = { ...property, title: property.title ?? title };
  return isNested(property) || isNested(property.items) ? asJson(field) : field;
}

/** The query has texts only. */
function asJson({ title, description }: AppField): AppField {
  return { type: "string", title, ...hint(description, "As JSON.") };
}

function isNested(field: Pick<InputField, "type"> | undefined): boolean {
  return field?.type === "object";
}

/** Undefined when a list repeats the parameter, which is what a list does in a template. */
function separatorOf({ style, explode, collectionFormat, schema }: Schema): string | undefined {
  const isSwagger = !isRecord(schema);
  if (isSwagger ? collectionFormat === "multi" : explode !== false && (style ?? "form") === "form")
    return undefined;
  if (style === "pipeDelimited" || collectionFormat === "pipes") return "|";
  return style === "spaceDelimited" || collectionFormat === "ssv" ? "spaces" : "commas";
}

function hint(description: string | undefined, sentence: string): { description: string } {
  return { description: description === undefined ? sentence : `${description} ${sentence}` };
}
