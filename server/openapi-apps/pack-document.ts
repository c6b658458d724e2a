import { createHash } from "node:crypto";
import type { App, AppAction } from "../../apps/define-app.ts";
import type { ApiOperation } from "../../contract/api-apps.ts";
import type { ConvertedDocument } from "./convert-document.ts";
import { unreadable } from "./read-document.ts";

const MAX_REFUSED = 200;
/** Length of a description in the list of all operations of all apps. */
const MAX_LISTED_TEXT = 120;
/** As JSON. 933 actions of Kubernetes have 5 MB. */
const MAX_PACKED_LENGTH = 16 * 1024 * 1024;

/** An app as it is stored: lists read the operations, a step reads its action and no other. */
export interface PackedApp {
  app: Omit<App, "actions" | "title" | "id" | "baseUrl">;
  title: string;
  server: string;
  servers: string[];
  operationCount: number;
  operations: ApiOperation[];
  refused: { operation: string; reason: string }[];
  actions: PackedAction[];
}

export interface PackedAction {
  id: string;
  /** Equal for actions that send the same request with the same fields. */
  shape: string;
  /** JSON. */
  definition: string;
}

export function packDocument({ app, servers, operations, refused }: ConvertedDocument): PackedApp {
  const { actions, title, id: _id, baseUrl, ...rest } = app;
  const entries = Object.entries(actions);
  const packed = entries.map(([id, action]) => ({
    id,
    shape: shapeOf(action),
    definition: JSON.stringify(action),
  }));
  if (packed.reduce((sum, { definition }) => sum + definition.length, 0) > MAX_PACKED_LENGTH)
    throw unreadable("its operations are too large to be stored");
  return {
    app: rest,
    title,
    server: baseUrl,
    servers,
    operationCount: operations,
    operations: entries.map(([id, action]) => listed(id, action)),
    refused: refused.slice(0, MAX_REFUSED),
    actions: packed,
  };
}

function listed(id: string, { title, description, request, synonyms = [] }: AppAction): ApiOperation {
  const { method = "GET", path } = request;
  return {
    id,
    title,
    description:
      description.length > MAX_LISTED_TEXT ? `${description.slice(0, MAX_LISTED_TEXT - 1)}…` : description,
    method,
    path: path.replace(/^https?:\/\/[^/]+/, "").replaceAll(/\{\{input\.(\w+)\}\}/g, "{$1}"),
    tags: [...synonyms],
    writes: method !== "GET",
  };
}

/** Texts do not count: a reworded description changes nothing in a workflow. */
function shapeOf({ request, input }: AppAction): string {
  const text = JSON.stringify([request, input], (key, value: unknown) =>
    /^(title|description)$/.test(key) && typeof value === "string" && !value.startsWith("{{")
      ? undefined
      : value,
  );
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

export interface ActionChanges {
  added: string[];
  removed: string[];
  changed: string[];
}

/** Ids of the actions that differ between two versions of a document, each as id → shape. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ActionChanges {
  const ids = [...after.keys()];
  return {
    added: ids.filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: ids.filter((id) => before.has(id) && before.get(id) !== after.get(id)),
  };
}
