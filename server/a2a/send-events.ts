import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { serialize } from "../lib/serialize-json.ts";

const KEEP_ALIVE_MS = 15_000;

/**
 * Sends server-sent events. The stream starts with the first event: an error before it is thrown, so that it can be an
 * ordinary response; `fail` makes later ones the last event.
 */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncGenerator,
  fail: (error: unknown) => object,
): Promise<FastifyReply> {
  let next = await events.next();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
  });
  const left = new AbortController();
  response.once("close", () => left.abort());
  if (response.closed) left.abort();
  const keepAlive = setInterval(() => response.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  try {
    for (; next.done !== true; next = await events.next()) {
      const isRead = response.write(`data: ${await serialize(next.value)}\n\n`);
      // An event may have megabytes: a slow client gets the next one when it has read this one. Of one that has left, the
      // events end by themselves.
      if (!isRead) await once(response, "drain", { signal: left.signal }).catch(() => undefined);
    }
  } catch (error) {
    response.write(`data: ${JSON.stringify(fail(error))}\n\n`);
  } finally {
    clearInterval(keepAlive);
    response.end();
  }
  return reply;
}
