import type { AppAction, AppRequest } from "../../apps/define-app.ts";
import type { AppField } from "../../contract/apps.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { fieldOf, mergedSchema, shortText, wordsOf } from "./field-of.ts";
import type { Resolve, Schema } from "./read-document.ts";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  operation: Schema;
  /** Of the path, for all its operations. */
  shared: unknown;
}

const MAX_FIELDS = 150;
/** Set by the service itself. */
const OWN_HEADERS = /^(accept|authorization|content-type|cookie|host|content-length)$/i;

export class RefusedOperation extends Error {}

/** An operation as an action. Throws `RefusedOperation` with the reason when it cannot be one. */
export function actionOf({ method, path, operation, shared }: Operation, resolve: Resolve): AppAction {
  const fields = createFields();
  const request: { -readonly [K in keyof AppRequest]: AppRequest[K] } = { method, path };
  const query: Record<string, JsonValue> = {};
  const headers: Record<string, string> = {};
  const parameters = parametersOf(shared, operation, resolve);

  let target = path;
  for (const parameter of parameters) {
    const { name, in: where } = parameter;
    const isRequired = where === "path" || parameter["required"] === true;
    if (typeof name !== "string" || name === "" || name.includes("{{")) continue;
    if (where === "cookie" && isRequired) throw new RefusedOperation("it needs a cookie");
    if (where === "header" && OWN_HEADERS.test(name)) continue;
    if (where !== "path" && where !== "query" && where !== "header") continue;
    const schema = isRecord(parameter["schema"]) ? parameter["schema"] : parameter;
    const description = parameter["description"];
    const id = fields.add(name, { ...fieldOf(schema, name, resolve), ...described(description) }, isRequired);
    if (id === undefined) continue;
    const placeholder = `{{input.${id}}}`;
    if (where === "path") target = target.replaceAll(`{${name}}`, placeholder);
    else if (where === "query") query[name] = placeholder;
    else headers[name] = placeholder;
  }
  if (/[{}]/.test(target.replaceAll(/\{\{input\.\w+\}\}/g, "")))
    throw new RefusedOperation("its path has a parameter that is not described");
  request.path = target;
  addBody(request, bodyOf(operation, parameters, resolve), fields, resolve);
  if (Object.keys(query).length > 0) request.query = query;
  if (Object.keys(headers).length > 0) request.headers = headers;
  if (returnsFile(operation, resolve)) request.responseAs = "file";

  const title =
    shortText(operation["summary"]) ?? wordsOf(String(operation["operationId"] ?? `${method} ${path}`));
  return {
    title: title.slice(0, 100),
    description: shortText(operation["description"]) ?? title,
    input: fields.all(),
    request,
    sample: null,
    synonyms: tagsOf(operation),
  };
}

/** Ids of fields are paths in templates, so they are plain names; the request keeps the names of the vendor. */
function createFields() {
  const fields: Record<string, AppField> = {};
  return {
    add(name: string, field: AppField, isRequired: boolean): string | undefined {
      if (Object.keys(fields).length >= MAX_FIELDS) {
        if (isRequired) throw new RefusedOperation(`it has more than ${MAX_FIELDS} fields`);
        return undefined;
      }
      const plain = name.replaceAll(/\W+/g, "_").replaceAll(/^_+|_+$/g, "") || "value";
      const base =
        /^[A-Za-z]/.test(plain) && !(plain in {}) ? plain.slice(0, 60) : `field_${plain.slice(0, 50)}`;
      let id = base;
      for (let copy = 2; Object.hasOwn(fields, id); copy++) id = `${base}_${copy}`;
      fields[id] = { ...field, ...(isRequired ? { required: true as const } : { advanced: true as const }) };
      return id;
    },
    all: () => fields,
  };
}

/** Those of the operation replace those of the path. */
function parametersOf(shared: unknown, operation: Schema, resolve: Resolve): Schema[] {
  const byName = new Map<string, Schema>();
  for (const list of [shared, operation["parameters"]])
    for (const given of Array.isArray(list) ? (list as unknown[]) : []) {
      const parameter = resolve(given);
      if (parameter !== undefined)
        byName.set(`${String(parameter["in"])} ${String(parameter["name"])}`, parameter);
    }
  return [...byName.values()];
}

interface Body {
  as: "body" | "form" | "multipart";
  schema: unknown;
  isRequired: boolean;
}

function bodyOf(operation: Schema, parameters: readonly Schema[], resolve: Resolve): Body | undefined {
  const body = resolve(operation["requestBody"]);
  if (body !== undefined) {
    const content = isRecord(body["content"]) ? body["content"] : {};
    const isRequired = body["required"] === true;
    for (const [pattern, as] of [
      [/^application\/(.+\+)?json\b|^\*\/\*/i, "body"],
      [/^application\/x-www-form-urlencoded\b/i, "form"],
      [/^multipart\/form-data\b/i, "multipart"],
      [/^application\/octet-stream\b|^(image|audio|video)\//i, "body"],
    ] as const) {
      const type = Object.keys(content).find((name) => pattern.test(name));
      if (type !== undefined)
        return { as, schema: (content[type] as Schema | undefined)?.["schema"], isRequired };
    }
    if (isRequired) throw new RefusedOperation(`its body is ${Object.keys(content)[0] ?? "of no type"}`);
    return undefined;
  }
  // Swagger 2.
  const whole = parameters.find((parameter) => parameter["in"] === "body");
  if (whole !== undefined)
    return { as: "body", schema: whole["schema"], isRequired: whole["required"] === true };
  const form = parameters.filter((parameter) => parameter["in"] === "formData");
  if (form.length === 0) return undefined;
  const properties = Object.fromEntries(
    form.map((parameter) => [
      String(parameter["name"]),
      parameter["type"] === "file" ? { ...parameter, type: "string", format: "binary" } : parameter,
    ]),
  );
  const required = form.filter((parameter) => parameter["required"] === true).map(({ name }) => name);
  const as = form.some((parameter) => parameter["type"] === "file") ? "multipart" : "form";
  return { as, schema: { type: "object", properties, required }, isRequired: required.length > 0 };
}

/** The properties of a body are fields of their own; any other body is one field. */
function addBody(
  request: { -readonly [K in keyof AppRequest]: AppRequest[K] },
  body: Body | undefined,
  fields: ReturnType<typeof createFields>,
  resolve: Resolve,
): void {
  if (body === undefined) return;
  const resolved = resolve(body.schema);
  const schema = resolved === undefined ? {} : mergedSchema(resolved, resolve);
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const names = Object.keys(properties).filter((name) => !name.includes("{{"));
  if (names.length === 0) {
    if (body.as !== "body") return;
    const id = fields.add(
      "body",
      { ...fieldOf(body.schema ?? {}, "body", resolve), title: "Body" },
      body.isRequired,
    );
    if (id !== undefined) request.body = `{{input.${id}}}`;
    return;
  }
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
  const values: Record<string, JsonValue> = {};
  // Required ones first: the number of fields is limited.
  for (const name of names.toSorted((a, b) => Number(required.has(b)) - Number(required.has(a)))) {
    const property = resolve(properties[name]);
    if (property?.["readOnly"] === true) continue;
    const id = fields.add(
      name,
      fieldOf(properties[name], name, resolve),
      body.isRequired && required.has(name),
    );
    if (id !== undefined) values[name] = `{{input.${id}}}`;
  }
  request[body.as] = values;
}

function returnsFile(operation: Schema, resolve: Resolve): boolean {
  const responses = isRecord(operation["responses"]) ? operation["responses"] : {};
  const success = resolve(Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1]);
  const types = isRecord(success?.["content"]) ? Object.keys(success["content"]) : [];
  return (
    types.length > 0 &&
    types.every((type) => /^(application\/(octet-stream|pdf|zip)|(image|audio|video)\/)/i.test(type))
  );
}

function tagsOf({ tags }: Schema): string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string").slice(0, 5) : [];
}

function described(description: unknown): { description?: string } {
  const text = shortText(description);
  return text === undefined ? {} : { description: text };
}
