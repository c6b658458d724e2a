import type { AppPaging, AppRead, AppValues } from "../../apps/define-app.ts";
import { MAX_LIMIT } from "../../contract/apps.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { AppAnswer, AppClient, AppSession } from "./app-client.ts";
import { type AppScope, fill, fillText } from "./template.ts";

/** A vendor that always names a next page would keep a step busy until its time limit. */
const MAX_PAGES = 1000;
/** Per page. Templates are filled for each item, without a pause for other work: 95,000 items took 5 seconds. */
const MAX_ITEMS = MAX_LIMIT;
/** Vendors send a few hundred characters. */
const MAX_LINK_LENGTH = 8 * 1024;

/** The position after the last page of a list. Short enough to be a cursor of the API. */
export interface PagePosition {
  cursor?: JsonValue;
  url?: string;
  page?: number;
  offset?: number;
}

export interface VendorPage {
  items: JsonValue[];
  answer: AppAnswer;
  /** Undefined after the last page. */
  next: PagePosition | undefined;
}

export interface VendorPageQuery {
  position: PagePosition | undefined;
  pageSize: number;
  /** A page with too many items keeps the last ones instead of the first. */
  isNewestLast?: boolean;
}

/** One page of a list. */
export async function readPage(
  client: Pick<AppClient, "send">,
  session: AppSession,
  read: AppRead,
  values: AppScope & AppValues,
  { position, pageSize, isNewestLast = false }: VendorPageQuery,
): Promise<VendorPage> {
  const { paging } = read;
  const at = position ?? startOf(paging);
  const { url, ...place } = at;
  const raw = await client.send(session, read.request, { ...values, ...place, pageSize }, url);
  const answer = read.parse === undefined ? raw : { ...raw, body: read.parse(raw.body, values) };
  const scope = { ...values, ...answer };
  const list = read.items === undefined ? undefined : fill(read.items, scope);
  const all = Array.isArray(list) ? list : [];
  const items = isNewestLast ? all.slice(-MAX_ITEMS) : all.slice(0, MAX_ITEMS);
  return { items, answer, next: nextOf(paging, at, { scope, answer, items, pageSize }) };
}

/** Items of as many pages as are needed for `limit`. */
export async function readPages(
  client: Pick<AppClient, "send">,
  session: AppSession,
  read: AppRead,
  values: AppScope & AppValues,
  limit: number,
): Promise<{ items: JsonValue[]; answer: AppAnswer }> {
  const items: JsonValue[] = [];
  let position: PagePosition | undefined;
  // The size stays the same for all pages: page numbers count in pages of one size.
  const pageSize = Math.min(limit, read.paging?.size ?? limit);
  for (let pages = 1; ; pages += 1) {
    const page = await readPage(client, session, read, values, { position, pageSize });
    for (const item of page.items) if (items.length < limit) items.push(item);
    if (items.length >= limit || page.next === undefined || pages === MAX_PAGES)
      return { items, answer: page.answer };
    position = page.next;
  }
}

function startOf(paging: AppPaging | undefined): PagePosition {
  if (paging?.kind === "page") return { page: paging.first ?? 1 };
  return paging?.kind === "offset" ? { offset: 0 } : {};
}

interface Read {
  scope: AppScope;
  answer: AppAnswer;
  items: readonly JsonValue[];
  pageSize: number;
}

function nextOf(paging: AppPaging | undefined, at: PagePosition, read: Read): PagePosition | undefined {
  const { scope, answer, items, pageSize } = read;
  switch (paging?.kind) {
    case undefined:
      return undefined;
    case "cursor": {
      if (paging.more !== undefined && fill(paging.more, scope) !== true) return undefined;
      const cursor = fill(paging.cursor, { ...scope, last: items.at(-1) });
      // A cursor that stays the same would read one page forever.
      if (cursor === undefined || cursor === "" || cursor === at.cursor) return undefined;
      // The last item always exists: only a short page says that it is the last one.
      const isShort =
        paging.more === undefined && paging.cursor.includes("{{last.") && items.length < pageSize;
      return isShort ? undefined : { cursor };
    }
    case "next_url":
      return followed(fillText(paging.next, scope), answer, at);
    case "link":
      return followed(nextLink(answer.headers["link"] ?? ""), answer, at);
    case "page":
      return items.length < pageSize ? undefined : { page: (at.page ?? paging.first ?? 1) + 1 };
    case "offset":
      return items.length < pageSize ? undefined : { offset: (at.offset ?? 0) + items.length };
  }
}

/** The address of the next page, relative to this one. The connection decides whether its host may get the credential. */
function followed(next: string, { url }: AppAnswer, at: PagePosition): PagePosition | undefined {
  if (next === "" || !URL.canParse(next, url)) return undefined;
  const { href } = new URL(next, url);
  return href === at.url ? undefined : { url: href };
}

/** `<https://api.example.com/items?page=2>; rel="next", <…>; rel="last"` */
function nextLink(header: string): string {
  if (header.length > MAX_LINK_LENGTH) return "";
  // Split, not matched: a regular expression from each "<" to the next ">" takes quadratic time when there is none.
  for (const link of header.split("<")) {
    const end = link.indexOf(">");
    if (end >= 0 && link.slice(end).split(";").some(isNextRelation)) return link.slice(0, end);
  }
  return "";
}

function isNextRelation(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=", 2);
  if (name.trim().toLowerCase() !== "rel") return false;
  return value.toLowerCase().replace(/[",]/g, " ").split(" ").includes("next");
}
