import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../../lib/errors.ts";
import { checkFileSize } from "../../../lib/file-store.ts";
import { loadWithin, type Objects } from "./objects.ts";

const TRIES = 50;
const PAUSE_MS = 20;

/**
 * A bucket cannot append, so the whole object is rewritten on the condition that it has not changed since it was read.
 * The loser of a race reads again, so nothing that another run appended is lost.
 */
export async function appendToObject(
  objects: Objects,
  key: string,
  content: Uint8Array,
  maxBytes: number,
): Promise<number> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const before = await objects.get(key, async (body, { bytes, etag }) => {
      return { bytes: await loadWithin(body, { bytes, more: content.length, maxBytes }), etag };
    });
    if (before === undefined) checkFileSize(content.length, maxBytes);
    const whole = before === undefined ? content : Buffer.concat([before.bytes, content]);
    const condition = before === undefined ? { "if-none-match": "*" } : { "if-match": before.etag };
    if (await objects.put(key, whole, condition)) return whole.length;
    await sleep(PAUSE_MS * Math.random() * attempt);
  }
  throw new AppError(
    "storage_unavailable",
    `Too many runs append to "${key}" at the same time. Run them one after the other, or use one file per run.`,
    { retryable: true },
  );
}
