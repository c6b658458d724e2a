import { createHash } from "node:crypto";
import type { App, AppAction } from "../../apps/define-app.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { actionOf, type Operation, RefusedOperation } from "./action-of.ts";
import { authOf } from "./auth-of.ts";
import { shortText } from "./field-of.ts";
import { createResolver, type OpenApiDocument, type Schema, unreadable } from "./read-document.ts";

export interface ConvertedDocument {
  app: App;
  /** Operations in the document. */
  operations: number;
  /** Those that are no actions, with the reason. */
  refused: { operation: string; reason: string }[];
}

export interface ConvertOptions {
  /** `api_…` */
  id: string;
  /** Where the document was read, for relative addresses of servers. */
  sourceUrl?: string | undefined;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
export const MAX_OPERATIONS = 2000;
const COLORS = ["#2563eb", "#7c3aed", "#db2777", "#c2410c", "#15803d", "#0f766e", "#4d7c0f", "#475569"];

/** An OpenAPI document as an app: data only, so the engine of apps runs it like any other. */
export function convertDocument(
  document: OpenApiDocument,
  { id, sourceUrl }: ConvertOptions,
): ConvertedDocument {
  const resolve = createResolver(document);
  const baseUrl = serverOf(document, sourceUrl);
  const actions: Record<string, AppAction> = {};
  const refused: ConvertedDocument["refused"] = [];
  let operations = 0;
  for (const operation of operationsOf(document)) {
    operations++;
    const name = `${operation.method} ${operation.path}`;
    try {
      if (operations > MAX_OPERATIONS)
        throw new RefusedOperation(`only ${MAX_OPERATIONS} operations are used`);
      if (operation.path.includes("{{")) throw new RefusedOperation("its path is not valid");
      actions[freeId(actions, operation)] = actionOf(operation, resolve);
    } catch (error) {
      if (!(error instanceof RefusedOperation)) throw error;
      refused.push({ operation: name, reason: error.message });
    }
  }
  if (Object.keys(actions).length === 0) throw unreadable("none of its operations can be an action");
  const info = isRecord(document["info"]) ? document["info"] : {};
  const title = (shortText(info["title"]) ?? new URL(baseUrl).hostname).slice(0, 100);
  const app: App = {
    id,
    title,
    description: shortText(info["description"]) ?? `The API of ${title}.`,
    category: "other",
    icon: { letters: title.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(0, 2) || "A", color: colorOf(title) },
    documentation: documentationOf(document) ?? baseUrl,
    baseUrl,
    hosts: [new URL(baseUrl).host],
    auth: authOf(document, resolve),
    test: { request: testOf(actions) },
    errors: { message: "{{body.message}}" },
    actions,
  };
  return { app, operations, refused };
}

function* operationsOf(document: OpenApiDocument): Iterable<Operation> {
  for (const [path, item] of Object.entries(document["paths"] as Schema)) {
    if (!path.startsWith("/") || !isRecord(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const upper = method.toUpperCase() as Operation["method"];
      yield { method: upper, path, operation, shared: item["parameters"] };
    }
  }
}

/** Stable: the same operation has the same id after a refresh, unless the vendor renames it. */
function freeId(actions: Readonly<Record<string, unknown>>, { method, path, operation }: Operation): string {
  const { operationId } = operation;
  const name =
    typeof operationId === "string" && /[A-Za-z]/.test(operationId) ? operationId : `${method} ${path}`;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "_")
    .replaceAll(/^[_\d]+|_+$/g, "");
  const base =
    words.length > 80
      ? `${words.slice(0, 70)}_${hash(name).slice(0, 8)}`
      : words || `op_${hash(name).slice(0, 8)}`;
  return Object.hasOwn(actions, base) ? `${base}_${hash(`${method} ${path}`).slice(0, 8)}` : base;
}

/** The first server with an address; its variables have their defaults. */
function serverOf(document: OpenApiDocument, sourceUrl: string | undefined): string {
  const candidates = Array.isArray(document["servers"])
    ? (document["servers"] as unknown[]).map(addressOf)
    : [swaggerAddress(document)];
  for (const address of candidates) {
    if (address === undefined || /[{}\s]/.test(address)) continue;
    const base = sourceUrl !== undefined && URL.canParse(sourceUrl) ? sourceUrl : undefined;
    const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== "") continue;
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  }
  throw unreadable("it names no server. Add its address as servers[0].url");
}

function addressOf(server: unknown): string | undefined {
  if (!isRecord(server) || typeof server["url"] !== "string") return undefined;
  const variables = isRecord(server["variables"]) ? server["variables"] : {};
  return server["url"].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isRecord(variable) && typeof variable["default"] === "string" ? variable["default"] : whole;
  });
}

function swaggerAddress({ host, basePath, schemes }: OpenApiDocument): string | undefined {
  if (typeof host !== "string") return typeof basePath === "string" ? basePath : undefined;
  const scheme = Array.isArray(schemes) && !schemes.includes("https") ? "http" : "https";
  return `${scheme}://${host}${typeof basePath === "string" ? basePath : ""}`;
}

/** A read without required fields works with every valid credential most of the time. */
function testOf(actions: Readonly<Record<string, AppAction>>) {
  const simple = Object.values(actions).find(
    ({ request, input }) =>
      request.method === "GET" &&
      request.responseAs === undefined &&
      !Object.values(input).some(({ required }) => required),
  );
  return { path: simple?.request.path ?? "/" };
}

function documentationOf({ externalDocs }: OpenApiDocument): string | undefined {
  const url = isRecord(externalDocs) ? externalDocs["url"] : undefined;
  return typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}

function colorOf(title: string): string {
  return COLORS[parseInt(hash(title).slice(0, 4), 16) % COLORS.length]!;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
