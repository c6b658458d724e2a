import { entriesAt, textOf } from "../source/parameters.ts";
import { jsonValue } from "./json-value.ts";
import type { NodeContext } from "./node-context.ts";

type Entries = readonly Readonly<Record<string, unknown>>[];

const FORM = "application/x-www-form-urlencoded";
const NO_FILE = "Choose the file to send: n8n took it from the binary data of the item.";

export function pairs(
  context: NodeContext,
  list: readonly Readonly<Record<string, unknown>>[],
  field: string,
): Record<string, unknown> {
  return Object.fromEntries(
    list
      .map(({ name, value }, index) => [
        context.text(name, `${field}.${index}.name`),
        context.value(value ?? "", `${field}.${textOf(name) || index}`),
      ])
      .filter(([name]) => name !== ""),
  );
}

/** The kind of the body, as version 3 and later call it. */
function kindOfBody({ parameters, node }: NodeContext): string {
  if (node.version >= 3)
    return parameters["sendBody"] === true ? textOf(parameters["contentType"]) || "json" : "";
  if (parameters["sendBinaryData"] === true) return "binaryData";
  return textOf(parameters["bodyContentType"]) || "json";
}

/** Of a body that is text, unless a header names it. */
export function contentTypeOf(context: NodeContext, headers: Entries): Record<string, unknown> {
  const kind = kindOfBody(context);
  const isNamed = headers.some(({ name }) => textOf(name).toLowerCase() === "content-type");
  if (isNamed || (kind === "form-urlencoded" && !hasFields(context))) return {};
  if (kind === "form-urlencoded") return { "content-type": FORM };
  if (kind !== "raw") return {};
  const type = context.text(context.parameters["rawContentType"], "rawContentType");
  return type === "" ? {} : { "content-type": type };
}

const fieldsOf = ({ parameters, node }: NodeContext): Entries =>
  node.version >= 3
    ? entriesAt(parameters, "bodyParameters", "parameters")
    : entriesAt(parameters, "bodyParametersUi", "parameter");

const hasFields = (context: NodeContext): boolean =>
  fieldsOf(context).length > 0 || textOf(context.parameters["body"]) !== "";

export function bodyOf(context: NodeContext): Record<string, unknown> {
  const { parameters, node } = context;
  const field = node.version >= 3 ? "bodyParameters" : "bodyParametersUi";
  const entries = fieldsOf(context);
  switch (kindOfBody(context)) {
    case "":
      return {};
    case "json":
      if (node.version < 3) {
        const text = parameters["bodyParametersJson"];
        if (textOf(text) !== "") return { body: jsonValue(context, text, "bodyParametersJson") };
        return entries.length === 0 ? {} : { body: pairs(context, entries, field) };
      }
      return {
        body:
          textOf(parameters["specifyBody"]) === "json" || parameters["jsonBody"] !== undefined
            ? jsonValue(context, parameters["jsonBody"] ?? {}, "jsonBody")
            : pairs(context, entries, field),
      };
    case "raw":
      return { body: context.text(parameters["body"], "body") };
    case "multipart-form-data":
      return { multipart: formData(context, entries, field) };
    case "binaryData":
      return { body: fileOf(context, parameters["inputDataFieldName"] ?? parameters["binaryPropertyName"]) };
    case "form-urlencoded":
      if (parameters["specifyBody"] === "string") return { body: context.text(parameters["body"], "body") };
      return entries.length === 0 ? {} : { body: formText(context, entries, field) };
    default:
      context.check("The body was not imported.");
      return {};
  }
}

/** A file of the item: the output of the step before, when that step gives one. */
function fileOf(context: NodeContext, property: unknown): unknown {
  const file = context.file(textOf(property).replace(/^=/, "") || "data");
  if (file === undefined) context.check(NO_FILE);
  return file ?? context.current();
}

/** Names may repeat: their values are a list then. */
function formData(context: NodeContext, entries: Entries, field: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [index, entry] of entries.entries()) {
    const name = context.text(entry["name"], `${field}.${index}.name`);
    if (name === "" || name === "__proto__") continue;
    const value =
      entry["parameterType"] === "formBinaryData"
        ? fileOf(context, entry["inputDataFieldName"])
        : context.value(entry["value"] ?? "", `${field}.${name}`);
    form[name] = Object.hasOwn(form, name) ? [form[name], value].flat() : value;
  }
  return form;
}

/** Writes a value as n8n does: a field of an object as `name[field]`, nothing for undefined. */
const FORM_FIELD = [
  "(write, name, value) => value === undefined ? []",
  ': value !== null && typeof value === "object" ? Object.entries(value).flatMap(([key, one]) => write(write, `${name}[${key}]`, one))',
  ': [`${encodeURIComponent(name)}=${encodeURIComponent(value ?? "")}`]',
].join(" ");

/** The fields in the syntax of a query. */
function formText(context: NodeContext, entries: Entries, field: string): string {
  const isFixed = entries.every(
    ({ name, value }) => ![name, value].some((one) => typeof one === "object" || textOf(one).startsWith("=")),
  );
  if (isFixed)
    return context.text(
      entries
        .map(
          ({ name, value }) =>
            `${encodeURIComponent(textOf(name))}=${encodeURIComponent(String(value ?? ""))}`,
        )
        .join("&"),
      field,
    );
  const list = entries.map(
    ({ name, value }, index) =>
      `[${context.script(name ?? "", `${field}.${index}.name`)}, ${context.script(value ?? "", `${field}.${textOf(name) || index}`)}]`,
  );
  return `{{= ((write) => [${list.join(", ")}].flatMap(([name, value]) => write(write, name, value)).join("&"))(${FORM_FIELD}) }}`;
}
