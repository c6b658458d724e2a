import type { IncomingMessage } from "node:http";

const MERGED_BYTES = 4096;
/** A client that sends more chunks than this, of a few bytes each, costs more CPU time than any request may. */
const MAX_TINY_CHUNKS = 10_000;
const TINY_BYTES = 16;

/**
 * Passes a chunked body on in larger pieces. Each chunk may have a single byte, and the object that Node makes of it takes a
 * hundred times as much memory: a body within its limit could fill the memory before anyone is logged in. Called before the
 * body is parsed. A body of too many tiny chunks ends the connection, and so does one of more than `maxBytes`: a parser of
 * forms limits their parts, but not what is before, between and after them.
 */
export function mergeChunks(request: IncomingMessage, maxBytes = Number.POSITIVE_INFINITY): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  let merged: Buffer | undefined;
  let filled = 0;
  let chunks = 0;
  let bytes = 0;
  const flush = (): boolean => {
    const piece = merged?.subarray(0, filled);
    merged = undefined;
    filled = 0;
    return piece === undefined || push(piece);
  };
  request.push = (chunk: Buffer | null) => {
    if (request.destroyed) return false;
    if (chunk !== null) chunks += 1;
    bytes += chunk?.length ?? 0;
    if (bytes > maxBytes || (chunks > MAX_TINY_CHUNKS && bytes < chunks * TINY_BYTES)) {
      request.destroy();
      return false;
    }
    const isSmall = chunk !== null && chunk.length < MERGED_BYTES;
    if (!isSmall || filled + chunk.length > MERGED_BYTES) {
      const mayContinue = flush();
      if (!isSmall) return push(chunk) && mayContinue;
    }
    merged ??= Buffer.alloc(MERGED_BYTES);
    filled += chunk.copy(merged, filled);
    return true;
  };
}
