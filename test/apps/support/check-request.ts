import { expect } from "vitest";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { AppExamples, ExpectedRequest, OperationsFixture } from "./app-examples.ts";
import { type ReceivedRequest, TOKENS } from "./fake-vendor.ts";

/** Compares a request with the fixture, or word for word where the vendor describes no such operation. */
export function checkRequest(
  { app, fixture }: Pick<AppExamples, "app" | "fixture">,
  request: ReceivedRequest,
  expected: ExpectedRequest | undefined,
): void {
  if (expected !== undefined) {
    const { method, url, body } = request;
    expect({ method, path: url.pathname + url.search, ...(body !== undefined && { body }) }).toEqual(
      expected,
    );
    return;
  }
  if (fixture === null) return expect.unreachable("without a fixture, an example needs its request");
  const [auth] = app.auth;
  const key = auth?.kind === "api_key" && auth.in === "path" ? auth.name : "{{";
  const { pathname } = new URL(app.baseUrl.replaceAll(/\{\{[^}]*\}\}/g, "x").replace(key, TOKENS[0]));
  expect(requestProblems(fixture, request, pathname === "/" ? "" : pathname)).toEqual([]);
}

/** What is wrong with a request, by the vendor's own description; one sentence for each mistake. */
function requestProblems(
  { operations }: OperationsFixture,
  { method, url, body, headers }: ReceivedRequest,
  basePath: string,
): string[] {
  const path = url.pathname.startsWith(basePath) ? url.pathname.slice(basePath.length) : url.pathname;
  const found = Object.keys(operations).find((key) => matches(key, method, path));
  if (found === undefined) return [`the fixture has no operation for ${method} ${path}`];
  const { query = {}, body: properties } = operations[found] ?? {};
  const isForm = !headers["content-type"]?.startsWith("application/json");
  return [
    ...partProblems("query parameter", query, Object.fromEntries(url.searchParams), true),
    ...(properties === undefined && body === undefined
      ? []
      : partProblems("body property", properties ?? {}, isRecord(body) ? body : {}, isForm)),
  ].map((problem) => `${found}: ${problem}`);
}

function matches(key: string, method: string, path: string): boolean {
  const [ownMethod, template = ""] = key.split(" ");
  if (ownMethod !== method) return false;
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, "[^/]+");
  // A last parameter may be a path of its own, such as a file.
  const isOpen = template.endsWith("{path}");
  return new RegExp(`^${isOpen ? pattern.replace(/\[\^\/\]\+$/, ".+") : pattern}$`).test(path);
}

function partProblems(
  noun: string,
  described: Record<string, string>,
  given: Record<string, unknown>,
  isText: boolean,
): string[] {
  // `metadata[order]` of a form is a part of `metadata`.
  const names = new Set(Object.keys(given).map((name) => name.replace(/\[.*$/, "")));
  const missing = Object.keys(described).filter((name) => described[name]?.endsWith("!") && !names.has(name));
  const unknown = [...names].filter((name) => described[name] === undefined);
  const wrong = Object.entries(given).filter(
    ([name, value]) => described[name] !== undefined && !hasType(described[name], value as JsonValue, isText),
  );
  return [
    ...missing.map((name) => `the ${noun} "${name}" is required`),
    ...unknown.map((name) => `there is no ${noun} "${name}"`),
    ...wrong.map(
      ([name, value]) => `the ${noun} "${name}" is ${JSON.stringify(value)}, not ${described[name]}`,
    ),
  ];
}

function hasType(description: string, value: JsonValue, isText: boolean): boolean {
  const types = description.replace("!", "").split("|");
  return types.some((type) => {
    if (type === "any" || (isText && type === "string")) return true;
    if (type === "null") return value === null;
    // A query and a form hold texts.
    if (typeof value === "string" && type !== "string") {
      if (type === "boolean") return value === "true" || value === "false";
      if (type === "integer") return /^-?\d+$/.test(value);
      if (type === "number") return value !== "" && Number.isFinite(Number(value));
      return isText;
    }
    if (type === "array") return Array.isArray(value);
    if (type === "object") return isRecord(value);
    return type === "integer" ? Number.isInteger(value) : typeof value === type;
  });
}
