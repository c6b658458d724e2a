import { createHash } from "node:crypto";
import type { AppPolling } from "../../apps/define-app.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { type CheckResult, ITEMS_PER_CHECK } from "../triggers/source.ts";
import type { FoundItem } from "../triggers/trigger-claims.sql.ts";
import type { AppClient, AppSession } from "./app-client.ts";
import { type PagePosition, readPage } from "./read-pages.ts";
import { outputOf, scopeOf } from "./run-action.ts";
import { fillText } from "./template.ts";

/** Per check. A source with more new items than these pages hold loses the oldest of them. */
const MAX_PAGES = 20;
/** In the first check, which starts nothing: old items that appear again later are known. */
const SILENT_PAGES = 5;
const MAX_SEEN = 2000;

/** How far a source was read: what it sent for the newest item, and the keys that it listed. */
export interface PollingPosition {
  since?: string;
  seen: string[];
}

export interface Poll {
  polling: AppPolling;
  session: AppSession;
  input: Record<string, JsonValue>;
  before: PollingPosition | undefined;
  /** True for the first check with `startWith: "new"`: items that exist already start nothing. */
  isSilent: boolean;
  knownKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Reads new items. Pages are read until one holds an item that was seen before, so that a source with the newest first is
 * read no further than needed.
 */
export async function pollItems(
  client: Pick<AppClient, "send">,
  poll: Poll,
): Promise<Omit<CheckResult, "position"> & { position: PollingPosition }> {
  const { polling, before, isSilent } = poll;
  const { items: listed, known } = await readUntilKnown(client, poll);
  const isNewestFirst = polling.order === "newest_first";
  const oldestFirst = isNewestFirst ? listed.toReversed() : listed;
  const fresh = isSilent ? [] : oldestFirst.filter(({ key }) => !known.has(key));
  const items = fresh.slice(0, ITEMS_PER_CHECK);
  const hasMore = fresh.length > items.length;
  const taken = new Set(items.map(({ key }) => key));
  // With a rest, the next request must list it again: the position moves only to the last item that was taken.
  const newest = hasMore ? items.at(-1) : oldestFirst.at(-1);
  const since = polling.since === undefined ? undefined : newest?.since || before?.since;
  const seen = oldestFirst
    .filter(({ key }) => isSilent || known.has(key) || taken.has(key))
    .map(({ key }) => key);
  // Keys of earlier checks stay: when new items are deleted, old ones are listed again.
  const listedNow = new Set(seen);
  const kept = [...(before?.seen ?? []).filter((key) => !listedNow.has(key)), ...seen];
  return {
    items: items.map(({ key, title, input: found }) => ({ key, title, input: found })),
    position: { ...(since && { since }), seen: kept.slice(-MAX_SEEN) },
    hasMore,
  };
}

interface ListedItem extends FoundItem {
  since: string;
}

async function readUntilKnown(client: Pick<AppClient, "send">, poll: Poll) {
  const { polling, session, input, before, isSilent, knownKeys } = poll;
  const scope = { ...scopeOf(polling, session.use, input), ...(before?.since && { since: before.since }) };
  const known = new Set(before?.seen);
  const items = new Map<string, ListedItem>();
  let position: PagePosition | undefined;
  for (let pages = 1; ; pages += 1) {
    const pageSize = polling.paging?.size ?? ITEMS_PER_CHECK;
    const isNewestLast = polling.order === "oldest_first";
    const page = await readPage(client, session, polling, scope, { position, pageSize, isNewestLast });
    const found = page.items.map((item, index) => toItem(polling, { ...scope, item, index }, item));
    for (const key of await knownKeys(found.map(({ key }) => key))) known.add(key);
    for (const item of found) if (!items.has(item.key)) items.set(item.key, item);
    const isEnough =
      polling.order === "newest_first" &&
      (isSilent ? pages === SILENT_PAGES : found.some(({ key }) => known.has(key)));
    if (page.next === undefined || isEnough || pages === MAX_PAGES) break;
    position = page.next;
  }
  return { items: [...items.values()], known };
}

/** The newest item, for a test; undefined when there is none. */
export async function newestItem(
  client: Pick<AppClient, "send">,
  { polling, session, input }: Pick<Poll, "polling" | "session" | "input">,
): Promise<FoundItem | undefined> {
  const scope = scopeOf(polling, session.use, input);
  const pageSize = polling.paging?.size ?? ITEMS_PER_CHECK;
  const isNewestLast = polling.order === "oldest_first";
  const { items } = await readPage(client, session, polling, scope, {
    position: undefined,
    pageSize,
    isNewestLast,
  });
  const item = isNewestLast ? items.at(-1) : items[0];
  if (item === undefined) return undefined;
  const { key, title, input: found } = toItem(polling, { ...scope, item, index: 0 }, item);
  return { key, title, input: found };
}

function toItem(polling: AppPolling, scope: Record<string, unknown>, item: JsonValue): ListedItem {
  const output = outputOf(polling, scope, item);
  return {
    // Keys of vendors have any length and any characters.
    key: createHash("sha256").update(fillText(polling.key, scope)).digest("base64url").slice(0, 22),
    title: fillText(polling.name, scope),
    input: isRecord(output) ? (output as Record<string, JsonValue>) : { item: output },
    since: polling.since === undefined ? "" : fillText(polling.since, scope),
  };
}
