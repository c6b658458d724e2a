import { createHash } from "node:crypto";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { createTextDecoder, markedEncoding } from "../../lib/text-decoder.ts";
import type { Egress } from "../../security/egress.ts";
import { CHECK_TIMEOUT_MS, ITEMS_PER_CHECK, type TriggerSource } from "../source.ts";
import type { TriggerRecord } from "../trigger.sql.ts";
import type { FoundItem } from "../trigger-claims.sql.ts";
import { type Feed, type FeedItem, parseFeed } from "./parse-feed.ts";

const MAX_FEED_BYTES = 5 * 1024 * 1024;
const MAX_ETAG_LENGTH = 1000;

/** What the server said about the last feed, and the keys of its items: one that stays in the feed for years stays known. */
interface RssPosition {
  etag?: string;
  lastModified?: string;
  seen: string[];
}

interface FetchedFeed extends Feed {
  url: string;
  etag: string | undefined;
  lastModified: string | undefined;
}

/** Reads RSS and Atom feeds. */
export function createRssSource(egress: Pick<Egress, "fetch">): TriggerSource<"rss"> {
  /** Undefined when the feed has not changed since `position`. */
  async function fetchFeed(
    { settings }: TriggerRecord<"rss">,
    position: RssPosition | undefined,
    signal: AbortSignal,
  ): Promise<FetchedFeed | undefined> {
    const response = await egress.fetch(settings.url, {
      headers: {
        accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1",
        ...(position?.etag !== undefined && { "if-none-match": position.etag }),
        ...(position?.lastModified !== undefined && { "if-modified-since": position.lastModified }),
      },
      timeoutMs: CHECK_TIMEOUT_MS,
      maxBytes: MAX_FEED_BYTES,
      signal,
    });
    if (response.status === 304 && position !== undefined) return undefined;
    if (response.status !== 200)
      throw new AppError("http_error", `The feed answered with status ${response.status}.`);
    const text = decode(response.body, response.headers["content-type"] ?? "");
    return {
      ...(await parseFeed(text, response.url)),
      url: settings.url,
      etag: response.headers["etag"],
      lastModified: response.headers["last-modified"],
    };
  }

  return {
    async check(trigger, { signal, knownKeys }) {
      const before = trigger.position === null ? undefined : (JSON.parse(trigger.position) as RssPosition);
      const feed = await fetchFeed(trigger, before, signal);
      if (feed === undefined) return { items: [], position: trigger.position!, hasMore: false };
      // Feeds have the newest first.
      const found = uniqueItems(feed).reverse();
      const keys = found.map(({ key }) => key);
      const isFirst = before === undefined && trigger.settings.startWith === "new";
      const known = isFirst ? new Set(keys) : new Set([...(before?.seen ?? []), ...(await knownKeys(keys))]);
      const fresh = found.filter(({ key }) => !known.has(key));
      const items = fresh.slice(0, ITEMS_PER_CHECK);
      const hasMore = fresh.length > items.length;
      const taken = new Set(items.map(({ key }) => key));
      const position: RssPosition = {
        // Without the rest of this feed the next check must not be answered with "unchanged".
        ...(hasMore ? {} : validatorsOf(feed)),
        seen: keys.filter((key) => known.has(key) || taken.has(key)),
      };
      return { items, position: JSON.stringify(position), hasMore };
    },

    async sample(trigger, signal) {
      const feed = await fetchFeed(trigger, undefined, signal);
      return feed === undefined ? undefined : uniqueItems(feed)[0];
    },
  };
}

function validatorsOf({ etag, lastModified }: FetchedFeed): Pick<RssPosition, "etag" | "lastModified"> {
  return {
    ...(etag !== undefined && etag.length <= MAX_ETAG_LENGTH && { etag }),
    ...(lastModified !== undefined && lastModified.length <= MAX_ETAG_LENGTH && { lastModified }),
  };
}

function uniqueItems(feed: FetchedFeed): FoundItem[] {
  const items = new Map<string, FoundItem>();
  for (const item of feed.items) {
    const key = createHash("sha256").update(item.id).digest("base64url").slice(0, 22);
    if (!items.has(key))
      items.set(key, { key, title: item.title || item.link || item.id, input: inputOf(item, feed) });
  }
  return [...items.values()];
}

function inputOf(item: FeedItem, { title, link, url }: FetchedFeed): Record<string, JsonValue> {
  return { ...item, feed: { title, link, url } };
}

/** The byte order mark counts, then the charset of the header, then that of the XML declaration, then UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const declared =
    markedEncoding(body) ??
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /^<\?xml[^>]*encoding=["'](?!utf-16)([\w-]+)/i.exec(body.subarray(0, 200).toString("latin1"))?.[1] ??
    "utf-8";
  try {
    return createTextDecoder(declared).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
