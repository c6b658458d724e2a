import { createHash } from "node:crypto";
import type { App, AppAction } from "../../apps/define-app.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { actionOf, type Operation, RefusedOperation } from "./action-of.ts";
import { authOf } from "./auth-of.ts";
import { shortText } from "./field-of.ts";
import { createResolver, type OpenApiDocument, type Schema, unreadable } from "./read-document.ts";
import { hostEntry, ownServer, serversOf, serverUrl } from "./servers-of.ts";

export interface ConvertedDocument {
  app: App;
  /** Addresses that the document names for the whole API. */
  servers: string[];
  /** Operations in the document. */
  operations: number;
  /** Those that are not actions, with the reason. */
  refused: { operation: string; reason: string }[];
}

export interface ConvertOptions {
  /** `api_…` */
  id: string;
  /** Where the document was read, for relative addresses of servers. */
  sourceUrl?: string | undefined;
  /** The address to use instead of those of the document. */
  server?: string | undefined;
  /** The address to use when the document names none. */
  fallbackServer?: string | undefined;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
export const MAX_OPERATIONS = 2000;
const MAX_HOSTS = 20;
/** Where services put the sentence of an error. */
const ERROR_TEXTS = [
  "{{body.message}}",
  "{{body.error.message}}",
  "{{body.error_description}}",
  "{{body.detail}}",
  "{{body.errors[0].message}}",
  "{{body.errors[0].detail}}",
  "{{body.errorMessages[0]}}",
  "{{body.title}}",
  "{{body.error}}",
];
const COLORS = ["#2563eb", "#7c3aed", "#db2777", "#c2410c", "#15803d", "#0f766e", "#4d7c0f", "#475569"];

/** An OpenAPI document as an app: data only, so the engine of apps runs it like any other. */
export function convertDocument(
  document: OpenApiDocument,
  { id, sourceUrl, server, fallbackServer }: ConvertOptions,
): ConvertedDocument {
  const resolve = createResolver(document);
  const servers = serversOf(document, sourceUrl);
  const baseUrl = serverUrl(server) ?? servers[0] ?? serverUrl(fallbackServer);
  if (baseUrl === undefined)
    throw unreadable("it names no server. Enter the address of the API, such as https://api.example.com/v1");
  const hosts = new Set([hostEntry(baseUrl)]);
  const auth = authOf(document, resolve, baseUrl);
  const actions: Record<string, AppAction> = {};
  const refused: ConvertedDocument["refused"] = [];
  let operations = 0;
  for (const operation of operationsOf(document, baseUrl)) {
    operations++;
    const name = `${operation.method} ${operation.path}`;
    try {
      if (operations > MAX_OPERATIONS)
        throw new RefusedOperation(`only ${MAX_OPERATIONS} operations are used`);
      if (operation.path.includes("{{")) throw new RefusedOperation("its path is not valid");
      if (operation.server !== undefined) hosts.add(hostEntry(operation.server));
      if (hosts.size > MAX_HOSTS) throw new RefusedOperation(`only ${MAX_HOSTS} hosts are used`);
      const isPublic = auth.isUndescribed || isPublicOperation(document, operation.operation);
      actions[freeId(actions, operation)] = actionOf({ ...operation, isPublic }, resolve);
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
    hosts: [...hosts].slice(0, MAX_HOSTS),
    auth: auth.ways,
    test: { request: testOf(actions) },
    errors: { message: ERROR_TEXTS },
    actions,
  };
  return { app, servers, operations, refused };
}

/** Without a requirement, or with an empty one among the choices. */
function isPublicOperation(document: OpenApiDocument, operation: Schema): boolean {
  const required = operation["security"] ?? document["security"];
  if (!Array.isArray(required)) return false;
  return required.length === 0 || required.some((each) => isRecord(each) && Object.keys(each).length === 0);
}

function* operationsOf(document: OpenApiDocument, baseUrl: string): Iterable<Operation> {
  for (const [path, item] of Object.entries(document["paths"] as Schema)) {
    if (!path.startsWith("/") || !isRecord(item)) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const upper = method.toUpperCase() as Operation["method"];
      const server = ownServer(operation["servers"] ?? item["servers"], baseUrl);
      yield {
        method: upper,
        path,
        operation,
        shared: item["parameters"],
        server: server === baseUrl ? undefined : server,
      };
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
