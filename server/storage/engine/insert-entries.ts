import type { JournalEntry } from "../../engine/journal/journal-entry.ts";
import type { SqlValue, Statement } from "../db.ts";
import { ENTRY_COLUMNS, pushRow } from "./journal-rows.ts";

/** Entries of one run that go in by one statement: the fence is asked once, and a row costs half. */
const ENTRIES_AT_ONCE = 8;

const NAMES = ENTRY_COLUMNS.map(([name]) => name).join(", ");
/** What SQLite and PostgreSQL both call the columns of a list of values. */
const VALUES = ENTRY_COLUMNS.map((_column, index) => `entry.column${index + 1}`).join(", ");

/** By the number of entries. The same epoch writing the same rows again is a success: a batch whose answer was lost is simply sent once more. */
const insertingEntries = (fence: string, end = ""): string[] =>
  Array.from(
    { length: ENTRIES_AT_ONCE + 1 },
    (_, count) => `
  insert into journal (task_id, epoch, ${NAMES}) select mine.id, mine.epoch, ${VALUES}
  from (select id, epoch from task where id = $1 and epoch = $2 ${fence}) as mine,
    (values ${Array.from({ length: count }, (_row, row) => placeholders(row)).join(", ")}) as entry
  where true on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch ${end}`,
  );
/** Behind a write of the task's own row in the same transaction, which holds it and tells whether it is ours. */
const INSERT_ENTRIES = insertingEntries("");
/** By itself: holds the row, and tells by the rows it returns whether they were stored. That is a fifth of what it costs. */
const INSERT_AND_TELL = insertingEntries("/*for-update*/", "returning seq");

function placeholders(row: number): string {
  const first = 3 + row * ENTRY_COLUMNS.length;
  const texts = ENTRY_COLUMNS.map(([, type], index) => {
    const parameter = `$${first + index}`;
    // The types of the first row are those of all.
    return row === 0 ? `cast(${parameter} as ${type})` : parameter;
  });
  return `(${texts.join(", ")})`;
}

export function insertEntries(
  task: { id: string; epoch: number },
  entries: readonly JournalEntry[],
  { tell }: { tell: boolean },
): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const rows = entries.slice(from, from + ENTRIES_AT_ONCE);
    const params: SqlValue[] = [task.id, task.epoch];
    for (const row of rows) pushRow(params, row);
    statements.push({ sql: (tell ? INSERT_AND_TELL : INSERT_ENTRIES)[rows.length]!, params });
  }
  return statements;
}
