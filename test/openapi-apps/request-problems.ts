import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { mergedSchema } from "../../server/openapi-apps/field-of.ts";
import type { Resolve, Schema } from "../../server/openapi-apps/read-document.ts";

export interface SentCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface DescribedOperation {
  method: string;
  path: string;
  operation: Schema;
  shared: unknown;
}

/** How a request differs from what the document describes. */
export function problemsOf(described: DescribedOperation, sent: SentCall, resolve: Resolve): string[] {
  const { method, path, operation, shared } = described;
  const url = new URL(sent.url, "http://a");
  const lists = [shared, operation["parameters"]].map((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const parameters: Schema[] = lists.flat().flatMap((given): Schema[] => {
    const found = resolve(given);
    return found === undefined ? [] : [found];
  });
  const problems: string[] = [];
  if (sent.method !== method.toUpperCase()) problems.push(`method ${sent.method}`);
  if (!pathPattern(path).test(url.pathname)) problems.push(`path ${url.pathname}`);
  for (const parameter of parameters) {
    const name = String(parameter["name"]);
    if (parameter["required"] !== true) continue;
    if (parameter["in"] === "query" && !hasQuery(url, name)) problems.push(`query ${name} is missing`);
    const isOwn = /^(accept|authorization|content-type)$/i.test(name);
    if (parameter["in"] === "header" && !isOwn && sent.headers[name.toLowerCase()] === undefined)
      problems.push(`header ${name} is missing`);
  }
  const known = parameters.filter((parameter) => parameter["in"] === "query");
  const names = known.flatMap((parameter) => [
    String(parameter["name"]),
    ...propertiesOf(parameter, resolve),
  ]);
  for (const name of url.searchParams.keys())
    if (!names.includes(name) && !names.includes(name.replace(/\[.*$/, "")))
      problems.push(`query ${name} is not described`);
  return [...problems, ...bodyProblems(operation, parameters, sent, resolve)];
}

function pathPattern(path: string): RegExp {
  // A fragment is never sent; some documents tell operations of one path apart with it.
  const parts = path
    .replace(/#.*$/, "")
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function hasQuery(url: URL, name: string): boolean {
  return [...url.searchParams.keys()].some((key) => key === name || key.startsWith(`${name}[`));
}

/** An object in the query is written as its properties. */
function propertiesOf(parameter: Schema, resolve: Resolve): string[] {
  const schema = resolve(parameter["schema"]);
  const properties = schema && mergedSchema(schema, resolve)["properties"];
  return isRecord(properties) ? Object.keys(properties) : [];
}

function bodyProblems(
  operation: Schema,
  parameters: readonly Schema[],
  { body, headers }: SentCall,
  resolve: Resolve,
): string[] {
  const type = headers["content-type"]?.split(";")[0] ?? "";
  const content = resolve(operation["requestBody"])?.["content"];
  const ofSwagger = parameters.filter(({ in: where }) => where === "body" || where === "formData");
  if (!isRecord(content) && ofSwagger.length === 0) return body === "" ? [] : ["a body is sent"];
  const media = isRecord(content) ? (content[type] ?? content["*/*"]) : undefined;
  const schema = isRecord(media)
    ? media["schema"]
    : (ofSwagger.find((one) => one["in"] === "body")?.["schema"] ?? formSchema(ofSwagger));
  if (isRecord(content) && media === undefined)
    return body === "" ? [] : [`the body is ${type}, not ${Object.keys(content).join(" or ")}`];
  const resolved = resolve(schema);
  const merged = resolved === undefined ? {} : mergedSchema(resolved, resolve);
  const properties = isRecord(merged["properties"]) ? merged["properties"] : undefined;
  if (properties === undefined) return [];
  const names = namesIn(type, body);
  if (names === undefined) return type === "multipart/form-data" ? [] : [`the body is not ${type}`];
  const isReadOnly = (name: string) => resolve(properties[name])?.["readOnly"] === true;
  const required = Array.isArray(merged["required"]) ? (merged["required"] as string[]) : [];
  return [
    ...names
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `field ${name} is not described`),
    ...required
      .filter((name) => Object.hasOwn(properties, name) && !isReadOnly(name) && !names.includes(name))
      .map((name) => `field ${name} is missing`),
  ];
}

function formSchema(parameters: readonly Schema[]): Schema {
  return { properties: Object.fromEntries(parameters.map((one) => [String(one["name"]), one])) };
}

function namesIn(type: string, body: string): string[] | undefined {
  if (type === "application/x-www-form-urlencoded")
    return [...new Set([...new URLSearchParams(body).keys()].map((key) => key.replace(/\[.*$/, "")))];
  if (!type.endsWith("json")) return undefined;
  const parsed = JSON.parse(body) as unknown;
  return isRecord(parsed) ? Object.keys(parsed) : undefined;
}
