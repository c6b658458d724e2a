import type { AppAction, AppRequest } from "../../apps/define-app.ts";
import type { AppField } from "../../contract/apps.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { fieldOf, mergedSchema, shortText, wordsOf } from "./field-of.ts";
import { type DescribedPaging, pagingOf } from "./paging-of.ts";
import { queryFieldsOf } from "./query-of.ts";
import type { Resolve, Schema } from "./read-document.ts";
import { answerOf, itemsIn, sampleOf } from "./sample-of.ts";
import { trimEndOf } from "../../contract/trim-end.ts";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  operation: Schema;
  /** The parameters of the path, which all its operations share. */
  shared: unknown;
  /** The address of an operation that has another server than the rest. */
  server?: string | undefined;
  /** It works without a credential. */
  isPublic?: boolean;
}

const MAX_FIELDS = 150;
/** Set by the service itself. */
const OWN_HEADERS = /^(accept|authorization|content-type|cookie|host|content-length)$/i;

export class RefusedOperation extends Error {}

/** An operation as an action. Throws `RefusedOperation` with the reason when it cannot be one. */
export function actionOf(given: Operation, resolve: Resolve): AppAction {
  const { method, path, operation, shared, server, isPublic } = given;
  const fields = createFields();
  const request: { -readonly [K in keyof AppRequest]: AppRequest[K] } = { method, path };
  const query: [string, JsonValue][] = [];
  const headers: [string, string][] = [];
  const parameters = parametersOf(shared, operation, resolve);
  const answer = answerOf(operation, resolve);
  const paged =
    method === "GET" ? pagingOf(operation, queryOf(parameters), answer.schema, resolve) : undefined;

  let target = path;
  for (const parameter of parameters) {
    const { name, in: where } = parameter;
    const isRequired = where === "path" || parameter["required"] === true;
    if (typeof name !== "string" || name === "" || name.includes("{{")) continue;
    if (where === "cookie" && isRequired) throw new RefusedOperation("it needs a cookie");
    if (where === "header" && OWN_HEADERS.test(name)) continue;
    if (where !== "path" && where !== "query" && where !== "header") continue;
    if (where === "query") {
      const template = paged && pageTemplate(paged, name);
      if (template !== undefined) query.push([name, template]);
      else
        for (const [key, field] of queryFieldsOf(parameter, name, resolve)) {
          const id = fields.add(key, field, isRequired && key === name);
          if (id !== undefined) query.push([key, `{{input.${id}}}`]);
        }
      continue;
    }
    const schema = isRecord(parameter["schema"]) ? parameter["schema"] : parameter;
    const description = parameter["description"];
    const id = fields.add(name, { ...fieldOf(schema, name, resolve), ...described(description) }, isRequired);
    if (id === undefined) continue;
    const placeholder = `{{input.${id}}}`;
    if (where === "path") target = target.replaceAll(`{${name}}`, placeholder);
    else headers.push([name, placeholder]);
  }
  if (/[{}]/.test(target.replaceAll(/\{\{input\.\w+\}\}/g, "")))
    throw new RefusedOperation("its path has a parameter that is not described");
  request.path = `${server ?? ""}${target}`;
  addBody(request, bodyOf(operation, parameters, resolve), fields, resolve);
  // From entries: a parameter may be called __proto__.
  if (query.length > 0) request.query = Object.fromEntries(query);
  if (headers.length > 0) request.headers = { ...request.headers, ...Object.fromEntries(headers) };
  if (returnsFile(operation, resolve)) request.responseAs = "file";

  const title =
    shortText(operation["summary"]) ?? wordsOf(String(operation["operationId"] ?? `${method} ${path}`));
  return {
    title: title.slice(0, 100),
    description: shortText(operation["description"]) ?? title,
    input: fields.all(),
    request,
    ...(paged && { items: paged.items, paging: paged.paging }),
    sample: sampleOf(paged === undefined ? answer : itemsIn(answer, paged, resolve), resolve),
    synonyms: tagsOf(operation),
    ...(isPublic && { public: true as const }),
  };
}

function queryOf(parameters: readonly Schema[]): Map<string, Schema> {
  return new Map(
    parameters.flatMap((parameter) =>
      parameter["in"] === "query" ? [[String(parameter["name"]), parameter]] : [],
    ),
  );
}

function pageTemplate({ cursorName, sizeName }: DescribedPaging, name: string): string | undefined {
  return name === cursorName ? "{{cursor}}" : name === sizeName ? "{{pageSize}}" : undefined;
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
      const plain = trimEndOf(name.replaceAll(/\W+/g, "_").replace(/^_+/, ""), "_") || "value";
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
  /** Undefined for Swagger 2, where JSON is meant. */
  type?: string;
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
        return { as, type, schema: (content[type] as Schema | undefined)?.["schema"], isRequired };
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

/** The properties of a body are separate fields; any other body is one field. */
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
  const isJson = body.type === undefined || /json|\*/i.test(body.type);
  const contentType = body.type === undefined || body.type.includes("*") ? "application/json" : body.type;
  if (body.as === "body" && contentType !== "application/json")
    request.headers = { "content-type": contentType };
  if (names.length === 0) {
    if (body.as !== "body") return;
    const field = fieldOf(body.schema ?? {}, "body", resolve);
    // JSON of any kind: a text would be sent without its quotes.
    const isAny =
      isJson && schema["type"] === undefined && field.type === "string" && field.enum === undefined;
    const typed = isAny ? { ...field, type: "object" as const } : field;
    const id = fields.add("body", { ...typed, title: "Body" }, body.isRequired);
    if (id === undefined) return;
    request.body = `{{input.${id}}}`;
    request.headers = { "content-type": contentType };
    return;
  }
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
  const values: [string, JsonValue][] = [];
  // Required ones first: the number of fields is limited.
  for (const name of names.toSorted((a, b) => Number(required.has(b)) - Number(required.has(a)))) {
    const property = resolve(properties[name]);
    if (property?.["readOnly"] === true) continue;
    const id = fields.add(
      name,
      fieldOf(properties[name], name, resolve),
      body.isRequired && required.has(name),
    );
    if (id !== undefined) values.push([name, `{{input.${id}}}`]);
  }
  request[body.as] = Object.fromEntries(values);
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
