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
  const { method = "GET", query, body, form, multipart, responseAs } = request;
  const headers: Record<string, JsonValue> = {
    ...(responseAs === undefined && { accept: "application/json" }),
    ...(form && { "content-type": "application/x-www-form-urlencoded" }),
    ...filledRecord(app.headers, scope),
    ...filledRecord(request.headers, scope),
  };
  return {
    method,
    url: urlOf(app, request, scope),
    headers,
    ...(query && { query: filledRecord(query, scope) }),
    ...(body !== undefined && { body: fill(body, scope) ?? null }),
    ...(form && { body: formText(filledRecord(form, scope)) }),
    ...(multipart && { multipart: filledRecord(multipart, scope) }),
    ...(responseAs && { responseAs }),
  };
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
  template: Readonly<Record<string, JsonValue>> | undefined,
  scope: AppScope,
): Record<string, JsonValue> {
  if (template === undefined) return {};
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
