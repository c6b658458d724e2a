import type { PartedWork } from "../../lib/in-turns.ts";
import { groupBy } from "../../lib/group-by.ts";
import { listOf, recordOf, textOf } from "./parameters.ts";
import type { SourceNode, SourceWorkflow } from "./source.ts";

/** Nodes that are of use for several items only. */
const OF_SEVERAL = new Set([
  "aggregate",
  "itemLists",
  "limit",
  "removeDuplicates",
  "sort",
  "splitInBatches",
  "summarize",
]);
/** Plural nouns that name one object. */
const ONE_OBJECT =
  /^(?:access|address|analysis|analytics|business|details|news|process|progress|search|series|settings|statistics|stats|status|wordpress)$/i;
/** Fields in which a response that is one object has its list. */
const ENVELOPE =
  /^(?:body|content|count|cursor|data|documents|edges|entries|error|hits|info|items|links|list|meta|next|page|pagination|payload|records|response|result|results|rows|success|total|value|values)$/i;
const ADDRESS = /^=?\s*https?:\/\/[^/?#{}\s]{1,200}\/([^?#]{1,2000})/i;
/** Documented to respond with the list of items. */
const KNOWN_LIST =
  /^=?\s*https:\/\/api\.apify\.com\/v2\/[^?]{1,500}\/(?:run-sync-get-dataset-items|items)\/?(?:\?|\s*$)/i;
const FIELD = /\$json(?:\s*\??\.\s*|\[\s*\\?["'])([A-Za-z_]\w{0,100})/g;
const MAX_FIELDS = 200;

/**
 * Marks the HTTP requests whose response is a list, as far as the file shows: pinned data with several items, next nodes for
 * several items, or an address of a list whose next nodes read fields of its entries.
 */
export function* withListResponses(
  source: SourceWorkflow,
  pinned: Readonly<Record<string, unknown>>,
): PartedWork<SourceWorkflow> {
  const nodes = new Map(source.nodes.map((node) => [node.name, node]));
  const followers = groupBy(
    source.links,
    ({ from }) => from,
    ({ to }) => nodes.get(to),
  );
  const fields = new Map<SourceNode, string[]>();

  function fieldsOf(node: SourceNode): string[] {
    const known = fields.get(node) ?? fieldsReadBy(node);
    fields.set(node, known);
    return known;
  }

  const marked = new Set<string>();
  for (const node of source.nodes) {
    if (node.kind !== "httpRequest" || node.onError !== "stop") continue;
    yield;
    const next = (followers.get(node.name) ?? []).filter((one) => one !== undefined);
    if (
      listOf(Object.hasOwn(pinned, node.name) ? pinned[node.name] : undefined).length > 1 ||
      next.some(({ kind }) => OF_SEVERAL.has(kind)) ||
      KNOWN_LIST.test(textOf(node.parameters["url"])) ||
      (isListAddress(node) && readsEntries(next.flatMap(fieldsOf), node))
    )
      marked.add(node.name);
  }
  if (marked.size === 0) return source;
  return {
    ...source,
    nodes: source.nodes.map((node) => (marked.has(node.name) ? { ...node, respondsWithList: true } : node)),
  };
}

function fieldsReadBy({ parameters }: SourceNode): string[] {
  const found = new Set<string>();
  for (const [, field = ""] of JSON.stringify(parameters).matchAll(FIELD)) {
    found.add(field);
    if (found.size >= MAX_FIELDS) break;
  }
  return [...found];
}

/** The last segment of the address of a list: `orders` of `https://api.example.com/v1/orders?limit=10`. */
function lastSegment({ parameters }: SourceNode): string {
  const path = ADDRESS.exec(textOf(parameters["url"]))?.[1] ?? "";
  return (
    /([a-z][a-z_-]*)(?:\.json)?\/*$/i.exec(path.split("/").findLast((part) => part !== "") ?? "")?.[0] ?? ""
  );
}

function isListAddress(node: SourceNode): boolean {
  const method = textOf(node.parameters["method"] ?? node.parameters["requestMethod"]) || "GET";
  const segment = lastSegment(node).replace(/(?:\.json)?\/*$/i, "");
  const words = segment.split(/[_-]/);
  return (
    method === "GET" && /[^s]s$/i.test(segment) && !ONE_OBJECT.test(words.at(-1) ?? "") && segment.length > 3
  );
}

/** True when fields are read, and none of them is the list of a response that is one object. */
function readsEntries(fields: readonly string[], node: SourceNode): boolean {
  const segment = lastSegment(node).toLowerCase();
  return (
    fields.length > 0 &&
    fields.every((field) => !ENVELOPE.test(field) && !segment.startsWith(field.toLowerCase()))
  );
}

/** The data that n8n kept of earlier runs, by node. */
export function pinnedOf(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return recordOf(file["pinData"]);
}
