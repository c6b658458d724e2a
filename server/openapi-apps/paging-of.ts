import type { AppPaging } from "../../apps/define-app.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { mergedSchema } from "./field-of.ts";
import type { Resolve, Schema } from "./read-document.ts";

/** A list with pages, as the document shows it. */
export interface DescribedPaging {
  /** Where the items are in the answer. */
  items: string;
  paging: AppPaging;
  /** The query parameter that gets `{{cursor}}`. */
  cursorName?: string;
  /** The query parameter that gets `{{pageSize}}`. */
  sizeName?: string;
}

const SIZE_NAMES = ["per_page", "page_size", "pageSize", "limit", "PageSize", "max_results", "maxResults"];
/** The parameter of the request, and the field of the answer that fills it. */
const CURSORS = [
  ["cursor", "next_cursor"],
  ["page_token", "next_page_token"],
  ["pageToken", "nextPageToken"],
  ["start_cursor", "next_cursor"],
] as const;
/** Fields that can only be an address; a plain `next` may be anything. */
const NEXT_URLS = ["next_url", "nextUrl", "next_page_url", "next_page_uri", "nextLink"];
const DEFAULT_SIZE = 100;

/** Only what is plain in the document: a Link header, an address of the next page, or a cursor with its parameter. */
export function pagingOf(
  operation: Schema,
  query: ReadonlyMap<string, Schema>,
  answerSchema: unknown,
  resolve: Resolve,
): DescribedPaging | undefined {
  const resolved = resolve(answerSchema);
  if (resolved === undefined) return undefined;
  const answer = mergedSchema(resolved, resolve);
  const sizeName = SIZE_NAMES.find((name) => sizeOf(query.get(name), resolve) !== undefined);
  const size = sizeOf(query.get(sizeName ?? ""), resolve) ?? DEFAULT_SIZE;
  const sized = sizeName === undefined ? {} : { sizeName };
  if (answer["type"] === "array" && hasLinkHeader(operation, resolve))
    return { items: "{{body}}", paging: { kind: "link", size }, ...sized };
  const properties = isRecord(answer["properties"]) ? answer["properties"] : {};
  const listName = onlyList(properties, resolve);
  if (listName === undefined) return undefined;
  const items = `{{body.${listName}}}`;
  const next = NEXT_URLS.find((name) => Object.hasOwn(properties, name));
  if (next !== undefined)
    return { items, paging: { kind: "next_url", size, next: `{{body.${next}}}` }, ...sized };
  const cursor = CURSORS.find(([name, field]) => query.has(name) && Object.hasOwn(properties, field));
  if (cursor !== undefined)
    return {
      items,
      paging: { kind: "cursor", size, cursor: `{{body.${cursor[1]}}}` },
      cursorName: cursor[0],
      ...sized,
    };
  if (!query.has("starting_after") || !Object.hasOwn(properties, "has_more")) return undefined;
  const paging: AppPaging = { kind: "cursor", size, cursor: "{{last.id}}", more: "{{body.has_more}}" };
  return { items, paging, cursorName: "starting_after", ...sized };
}

function hasLinkHeader(operation: Schema, resolve: Resolve): boolean {
  const responses = isRecord(operation["responses"]) ? operation["responses"] : {};
  const headers = resolve(responses["200"])?.["headers"];
  return isRecord(headers) && Object.keys(headers).some((name) => name.toLowerCase() === "link");
}

/** With two lists in an answer nobody knows which one has the pages. */
function onlyList(properties: Record<string, unknown>, resolve: Resolve): string | undefined {
  const lists = Object.keys(properties).filter((name) => resolve(properties[name])?.["type"] === "array");
  return lists.length === 1 && /^\w+$/.test(lists[0]!) ? lists[0] : undefined;
}

/** The largest page that the document allows. Undefined when it says nothing: a size that the vendor refuses would end the run. */
function sizeOf(parameter: Schema | undefined, resolve: Resolve): number | undefined {
  const schema = resolve(parameter?.["schema"]) ?? parameter;
  const [, described] = /max(?:imum)?\D{0,20}(\d{1,4})/i.exec(String(parameter?.["description"])) ?? [];
  const size = Number(schema?.["maximum"] ?? described ?? schema?.["default"]);
  return Number.isInteger(size) && size > 0 ? Math.min(size, 1000) : undefined;
}
