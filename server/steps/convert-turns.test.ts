import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchLongestTurn } from "../../test/support/longest-turn.ts";
import { openTestDb, type TestDb } from "../../test/support/open-db.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { type Converter, createConverter } from "../convert/converter.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { openRunFiles } from "../run-files/testing/open-run-files.ts";
import { createConvertRunner } from "./convert.ts";
import { sampleCall } from "./testing/sample-call.ts";

/** Parsed at once, these values take half of all the work of this thread or more; in turns, an eighth at most. */
const LONGEST_SHARE = 1 / 4;

const limits = limitsOf({ value_bytes: 40_000_000, file_bytes: 50_000_000 });
let opened: TestDb;
let files: RunFiles;
let converter: Converter;

beforeAll(async () => {
  opened = await openTestDb();
  files = openRunFiles(opened);
  converter = createConverter({ queue: limits.share({ share: "conversions", slots: 1, perKey: 1 }) });
});
afterAll(async () => {
  await converter.close();
  await opened.close();
});

const rows = Array.from({ length: 60_000 }, (_, id) => ({
  id: String(id),
  name: `Customer ${id}`,
  city: `City ${id % 1000}`,
  note: `Paid on day ${id % 365} by card, "no" delay`,
  amount: String(id * 7),
  state: id % 3 === 0 ? "open" : "closed",
}));
const csv = [
  Object.keys(rows[0]!).join(","),
  ...rows.map((row) =>
    Object.values(row)
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(","),
  ),
].join("\n");

test.each<[name: string, format: string, content: string, expected: JsonValue]>([
  ["a list of rows", "csv", csv, rows],
  [
    "a list within objects",
    "json",
    JSON.stringify({ orders: { row: rows }, ok: true }),
    { orders: { row: rows }, ok: true },
  ],
])(
  "%s of 8 MB becomes a value in short turns of the event loop",
  async (_name, format, content, expected) => {
    const input = await files.create(
      { ownerId: "user_a", taskId: null },
      { name: "a" },
      Readable.from([Buffer.from(content)]),
    );
    const runner = createConvertRunner({ converter, runFiles: files, limits });
    // Code that blocks does so every time; a long collection of garbage, or a pause of the machine, does not repeat.
    let longest = 1;
    for (let attempt = 0; attempt < 3 && longest >= LONGEST_SHARE; attempt += 1) {
      const stopWatching = watchLongestTurn();
      const { output } = await runner.run(sampleCall({ operation: "read", format, input }));
      longest = stopWatching();
      expect(JSON.stringify(output) === JSON.stringify(expected)).toBe(true);
    }
    expect(longest).toBeLessThan(LONGEST_SHARE);
  },
);
