import type { App, AppRequest } from "../../apps/define-app.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { permanentFailure } from "../steps/step-failure.ts";
import { type AppScope, fill, fillText } from "./template.ts";

/** The request of an app as the fields of an `http` step. */
export function requestFields(
  app: Pick<App, "baseUrl" | "headers">,
  request: AppRequest,
  scope: AppScope,
): Record<string, JsonValue> {
  const { method = "GET", query, body, form, multipart, related, responseAs } = request;
  const headers: Record<string, JsonValue> = {};
  if (responseAs === undefined) headers["accept"] = "application/json";
  if (form !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
  if (app.headers !== undefined) Object.assign(headers, filledRecord(app.headers, scope));
  if (request.headers !== undefined) Object.assign(headers, filledRecord(request.headers, scope));
  const fields: Record<string, JsonValue> = { method, url: urlOf(app, request, scope), headers };
  if (query !== undefined) fields["query"] = filledRecord(query, scope);
  if (body !== undefined) fields["body"] = fill(body, scope) ?? null;
  if (form !== undefined) fields["body"] = formText(filledRecord(form, scope));
  if (multipart !== undefined) fields["multipart"] = filledRecord(multipart, scope);
  if (related !== undefined) fields["related"] = fill(related as JsonValue, scope) ?? null;
  if (responseAs !== undefined) fields["responseAs"] = responseAs;
  return fields;
}

/** Values of placeholders never leave their place: they cannot name another host or climb to another path. */
function urlOf(
  { baseUrl }: Pick<App, "baseUrl">,
  { path, segments = [] }: AppRequest,
  scope: AppScope,
): string {
  const filledPath = fillText(path, scope, (value, [root, name]) =>
    pathText(value, String(name ?? root), root === "input" && segments.includes(String(name))),
  );
  if (/^https?:\/\//.test(path)) return filledPath;
  return fillText(baseUrl, scope, (value, [, name]) => hostText(value, String(name))) + filledPath;
}

function pathText(value: JsonValue, name: string, isSeveral: boolean): string {
  if (value === null || value === "" || typeof value === "object")
    throw permanentFailure("invalid_field", `The input "${name}" is required.`);
  const parts = isSeveral ? String(value).split("/") : [String(value)];
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    throw permanentFailure(
      "invalid_field",
      `The input "${name}" is not valid: ${JSON.stringify(value).slice(0, 80)}.`,
    );
  return parts.map(encodeURIComponent).join("/");
}

function hostText(value: JsonValue, name: string): string {
  if (typeof value === "string" && /^[\w-]+(\.[\w-]+)*(:\d{1,5})?$/.test(value.trim())) return value.trim();
  throw permanentFailure(
    "invalid_field",
    `The connection has no valid "${name}". Change it on the page Connections.`,
  );
}

function filledRecord(
  template: Readonly<Record<string, JsonValue>>,
  scope: AppScope,
): Record<string, JsonValue> {
  const filled = fill(template as JsonValue, scope);
  return isRecord(filled) ? (filled as Record<string, JsonValue>) : {};
}

/** Nested values as most vendors read them: `metadata[order]=7`, `items[0][price]=p1`. */
function formText(form: Record<string, JsonValue>): string {
  const pairs: [string, string][] = [];
  function add(name: string, value: JsonValue): void {
    if (value === null) return;
    if (Array.isArray(value)) value.forEach((item, index) => add(`${name}[${index}]`, item));
    else if (typeof value === "object")
      for (const [key, child] of Object.entries(value)) add(`${name}[${key}]`, child);
    else pairs.push([name, String(value)]);
  }
  for (const [name, value] of Object.entries(form)) add(name, value);
  return new URLSearchParams(pairs).toString();
}
