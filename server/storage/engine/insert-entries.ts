import type { JournalEntry } from "../../engine/journal/journal-entry.ts";
import type { SqlValue, Statement } from "../db.ts";
import { ENTRY_COLUMNS, pushRow } from "./journal-rows.ts";
import { inPowersOfTwo, ROWS_AT_ONCE, valueRows } from "./rows-at-once.ts";

/** Entries of one run per statement: the fence is checked once, which halves the cost of a row. */
const ENTRIES_AT_ONCE = 8;

const NAMES = ENTRY_COLUMNS.map(([name]) => name).join(", ");
/** The names that both SQLite and PostgreSQL give the columns of a list of values. */
const VALUES = ENTRY_COLUMNS.map((_column, index) => `entry.column${index + 1}`).join(", ");

/**
 * By the number of entries. The same rows of the same epoch again are a success, because a batch whose reply was lost is
 * simply sent once more.
 */
const insertStatements = (fence: string, end = ""): string[] =>
  Array.from(
    { length: ENTRIES_AT_ONCE + 1 },
    (_, count) => `
  insert into journal (task_id, epoch, ${NAMES}) select mine.id, mine.epoch, ${VALUES}
  from (select id, epoch from task where id = $1 and epoch = $2 ${fence}) as mine,
    (values ${valueRows(ENTRY_COLUMNS, count, 3)}) as entry
  where true on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch ${end}`,
  );
/** After a write of the task's own row in the same transaction, which locks it and reports whether it is still ours. */
const INSERT = insertStatements("");
/** Without such a write: locks the row, and the returned rows report that the entries were stored. A fifth of its cost. */
const INSERT_AND_REPORT = insertStatements("/*for-update*/", "returning seq");

export function pushEntries(
  statements: Statement[],
  task: { id: string; epoch: number },
  entries: readonly JournalEntry[],
  { reportStored }: { reportStored: boolean },
): void {
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const rows = entries.slice(from, from + ENTRIES_AT_ONCE);
    const params: SqlValue[] = [task.id, task.epoch];
    for (const row of rows) pushRow(params, row);
    statements.push({ sql: (reportStored ? INSERT_AND_REPORT : INSERT)[rows.length]!, params });
  }
}

/** Per run in a shared statement: more entries are cheaper in their own statement, which checks the fence once. */
const MAX_SHARED_ENTRIES = 2;

/**
 * By the number of entries, each with the id and epoch of its task. The lateral subquery locks its row and cannot become
 * another join: on a table without statistics PostgreSQL would scan all of it, and keep that plan while the table grows.
 */
const INSERT_SHARED = Array.from({ length: ROWS_AT_ONCE + 1 }, (_, count) => {
  const columns = [["task_id", "text"], ["epoch", "bigint"], ...ENTRY_COLUMNS] as const;
  const values = ENTRY_COLUMNS.map((_column, index) => `entry.column${index + 3}`).join(", ");
  return `
  insert into journal (task_id, epoch, ${NAMES}) select mine.id, mine.epoch, ${values}
  from (values ${valueRows(columns, count)}) as entry cross join lateral
    (select id, epoch from task where id = entry.column1 and epoch = entry.column2 /*for-update*/) as mine
  where true on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch
  returning task_id as id`;
});

/** Whether its entries may share statements with those of other runs. */
export function isShort({ entries }: { entries: readonly JournalEntry[] }): boolean {
  return entries.length > 0 && entries.length <= MAX_SHARED_ENTRIES;
}

/** PostgreSQL only. The returned rows name the tasks that are still these runs'. Returns the number of statements. */
export function pushSharedEntries(
  statements: Statement[],
  writes: readonly { task: { id: string; epoch: number }; entries: readonly JournalEntry[] }[],
): number {
  const rows = writes.flatMap(({ task, entries }) => entries.map((entry) => ({ task, entry })));
  const parts = inPowersOfTwo(rows);
  for (const part of parts) {
    const params: SqlValue[] = [];
    for (const { task, entry } of part) {
      params.push(task.id, task.epoch);
      pushRow(params, entry);
    }
    statements.push({ sql: INSERT_SHARED[part.length]!, params });
  }
  return parts.length;
}

/** By the number of entries. */
const INSERT_FIRST = Array.from({ length: ROWS_AT_ONCE + 1 }, (_, count) => {
  const width = ENTRY_COLUMNS.length + 2;
  const rows = Array.from(
    { length: count },
    (_row, row) =>
      `(${Array.from({ length: width }, (_column, index) => `$${row * width + index + 1}`).join(", ")})`,
  );
  return `insert into journal (task_id, epoch, ${NAMES}) values ${rows.join(", ")} on conflict (task_id, seq) do nothing`;
});

/**
 * The first entries of plain tasks, in the transaction that inserts the tasks. They need no fence: a task that exists
 * already was inserted by this write, whose reply was lost, and has them.
 */
export function pushFirstEntries(
  statements: Statement[],
  tasks: readonly { id: string; epoch: number; entries: readonly JournalEntry[] }[],
): void {
  const rows = tasks.flatMap(({ id, epoch, entries }) => entries.map((entry) => ({ id, epoch, entry })));
  for (const part of inPowersOfTwo(rows)) {
    const params: SqlValue[] = [];
    for (const { id, epoch, entry } of part) {
      params.push(id, epoch);
      pushRow(params, entry);
    }
    statements.push({ sql: INSERT_FIRST[part.length]!, params });
  }
}
