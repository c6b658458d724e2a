import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { MessageRecord } from "./session-record.ts";
import { EVERYONE } from "./session/topology.ts";
import { streamLog } from "./stream-log.ts";

const entry = (seq: number): MessageRecord => ({
  id: `msg_${seq}`,
  sessionId: "sess",
  teamId: "team",
  seq,
  from: EVERYONE,
  to: EVERYONE,
  type: "user_prompt",
  content: {},
  seen: null,
  outside: true,
  at: 0,
});

test.each([
  [
    "ends with the last entry",
    { after: 1, limit: 100, lastSeq: 5 },
    [2, 3, 4, 5],
    [
      [1, 4],
      [3, 2],
    ],
  ],
  [
    "ends at the limit",
    { after: 0, limit: 3, lastSeq: 5 },
    [1, 2, 3],
    [
      [0, 3],
      [2, 1],
    ],
  ],
  ["of a client that has all entries reads nothing", { after: 5, limit: 100, lastSeq: 5 }, [], []],
  ["ends where entries are missing", { after: 5, limit: 100, lastSeq: 9 }, [], [[5, 4]]],
])("a log in short pages %s", async (_what, range, seqs, expectedReads) => {
  const reads: [number, number][] = [];
  const stream = streamLog(range, (after, limit) => {
    reads.push([after, limit]);
    const page = [1, 2, 3, 4, 5].filter((seq) => seq > after).slice(0, Math.min(2, limit));
    return Promise.resolve(page.map(entry));
  });
  const { ok, logs } = JSON.parse(await text(stream)) as { ok: boolean; logs: { seq: number }[] };
  expect([ok, logs.map(({ seq }) => seq), reads]).toEqual([true, seqs, expectedReads]);
});
