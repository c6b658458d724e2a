import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A feed that a test changes. It answers conditional requests by its ETag. */
export interface FeedServer {
  url: string;
  /** Ids of the items, newest first. */
  items: string[];
  /** Replaces the feed. */
  answer: { status?: number; body?: string | Buffer } | undefined;
  requests: { headers: IncomingHttpHeaders; status: number }[];
}

/** Closed when the running test ends. */
export async function openFeedServer(...items: string[]): Promise<FeedServer> {
  const feed: FeedServer = { url: "", items, answer: undefined, requests: [] };
  const server = createServer((request, response) => {
    const etag = `"${feed.items.join("-")}"`;
    const isKnown = request.headers["if-none-match"] === etag;
    const status = feed.answer?.status ?? (isKnown ? 304 : 200);
    feed.requests.push({ headers: request.headers, status });
    response.writeHead(status, { "content-type": "application/rss+xml", etag });
    response.end(status === 304 ? undefined : (feed.answer?.body ?? rss(feed.items)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`;
  return feed;
}

function rss(ids: readonly string[]): string {
  const items = ids.map(
    (id) =>
      `<item><guid>${id}</guid><title>Title of ${id}</title><link>https://news.example/${id}</link></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join("")}</channel></rss>`;
}
