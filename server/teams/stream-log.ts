import { Readable } from "node:stream";
import type { MessageRecord } from "./session-record.ts";
import { toLogEntry } from "./session-view.ts";

export type ReadLog = (after: number, limit: number) => Promise<readonly MessageRecord[]>;

export interface LogRange {
  after: number;
  limit: number;
  /** The end of the log at the request: a page after it would be empty. */
  lastSeq: number;
}

/** The JSON of `{ok, logs}`, read page by page while the client reads: a thousand messages may have a gigabyte. */
export function streamLog(range: LogRange, read: ReadLog): Readable {
  return Readable.from(jsonOf(range, read), { objectMode: false });
}

async function* jsonOf({ after, limit, lastSeq }: LogRange, read: ReadLog): AsyncGenerator<string> {
  let last = after;
  let left = Math.min(limit, lastSeq - after);
  // Sent with the first message, so that a failed first read is still an error response.
  let separator = '{"ok":true,"logs":[';
  while (left > 0) {
    const page = await read(last, left);
    if (page.length === 0) break;
    for (const message of page) {
      yield separator + JSON.stringify(toLogEntry(message));
      separator = ",";
    }
    left -= page.length;
    last = page.at(-1)!.seq;
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}
