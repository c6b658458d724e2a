import type { FastifyReply } from "fastify";

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
  const keepAlive = setInterval(() => response.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  try {
    for (; next.done !== true; next = await events.next())
      response.write(`data: ${JSON.stringify(next.value)}\n\n`);
  } catch (error) {
    response.write(`data: ${JSON.stringify(fail(error))}\n\n`);
  } finally {
    clearInterval(keepAlive);
    response.end();
  }
  return reply;
}
