import { expect, test } from "vitest";
import type { JournalEntry } from "../../engine/journal/journal-entry.ts";
import {
  attemptEntry,
  itemsEntry,
  rerunEntry,
  statusEntry,
  stepEntry,
  waitEntry,
} from "../../engine/testing/entry-samples.ts";
import type { Row, SqlValue } from "../db.ts";
import { ENTRY_COLUMNS, pushRow, toEntry } from "./journal-rows.ts";

function rowOf(entry: JournalEntry): Row {
  const params: SqlValue[] = [];
  pushRow(params, entry);
  return Object.fromEntries(ENTRY_COLUMNS.map(([name], index) => [name, params[index]]));
}

const error = { code: "http_error", message: "m" } as const;
const entries: JournalEntry[] = [
  stepEntry({
    seq: 1,
    path: "each[3]/a",
    attempt: 2,
    final: true,
    input: "1",
    output: "2",
    startedAt: 4,
    at: 9,
  }),
  stepEntry({ seq: 2, status: "failed", outputRef: "r", error, extra: { response: {} } }),
  stepEntry({ seq: 3, status: "skipped" }),
  attemptEntry({ seq: 4, attempt: 3, due: 5, input: "1", extra: { response: {} }, startedAt: 4 }),
  waitEntry({ seq: 5, status: "waiting_approval", due: 7, input: "{}", startedAt: 3 }),
  waitEntry({ seq: 6 }),
  itemsEntry({ seq: 7, output: "[1]", startedAt: 2 }),
  itemsEntry({ seq: 8, output: null, outputRef: "r" }),
  rerunEntry({ seq: 9, cleared: ["a", "each[0]/b"], at: 8 }),
  rerunEntry({ seq: 10, status: "waiting" }),
  rerunEntry({ seq: 13, cleared: ["each"], restarted: ["each"], at: 8 }),
  statusEntry({ seq: 11, at: 9 }),
  statusEntry({ seq: 12, status: "failed", error: { ...error, stepId: "a" } }),
];

test.each(entries)("a $kind entry is read back from its row as it was (seq $seq)", (entry) => {
  expect(toEntry(rowOf(entry))).toEqual(entry);
});

test.each(entries)("a $kind entry fills every column of its row (seq $seq)", (entry) => {
  const row = rowOf(entry);
  expect(Object.values(row)).not.toContain(undefined);
  expect(row).toMatchObject({ seq: entry.seq, kind: entry.kind, status: entry.status, at: entry.at });
});

test("the paths that a rerun clears are stored as JSON in its output; a row without any clears nothing", () => {
  const row = rowOf(rerunEntry({ cleared: ["a"] }));
  expect(row).toMatchObject({ path: "", output: '["a"]' });
  expect(toEntry({ ...row, output: null })).toMatchObject({ cleared: [] });
});

test.each([
  ["kind", { kind: "made_up" }],
  ["status", { status: "queued" }],
  ["path", { path: null }],
  ["error", { error: '"text"' }],
  ["error", { error: '{"code":1}' }],
  ["extra", { extra: "[]" }],
])("a row with an invalid %s is refused by its task and number", (column, change) => {
  const row = { ...rowOf(stepEntry({ seq: 4 })), task_id: "task_1", ...change };
  expect(() => toEntry(row)).toThrow(`Journal entry 4 of task task_1 has an invalid ${column}`);
});

test("a row that lacks what its kind needs is refused", () => {
  expect(() => toEntry({ ...rowOf(attemptEntry()), due: null })).toThrow("invalid due");
  expect(() => toEntry({ ...rowOf(attemptEntry()), error: null })).toThrow("invalid error");
  expect(() => toEntry({ ...rowOf(statusEntry()), status: "running" })).toThrow("invalid status");
  expect(() => toEntry({ ...rowOf(rerunEntry()), output: "[1]" })).toThrow("invalid output");
});
