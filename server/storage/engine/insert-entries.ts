import type { JournalEntry } from "../../engine/journal/journal-entry.ts";
import type { RunWrite } from "../../engine/store.ts";
import type { Db, Row, SqlValue, Statement } from "../db.ts";
import { ENTRY_COLUMNS, pushRow } from "./journal-rows.ts";
import { newRowsOf, pushNewRows } from "./new-rows.ts";
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
const insertStatements = (fence: string): string[] =>
  Array.from(
    { length: ENTRIES_AT_ONCE + 1 },
    (_, count) => `
  insert into journal (task_id, epoch, ${NAMES}) select mine.id, mine.epoch, ${VALUES}
  from (select id, epoch from task where id = $1 and epoch = $2 ${fence}) as mine,
    (values ${valueRows(ENTRY_COLUMNS, count, 3)}) as entry
  where true on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch`,
  );
/** After a write of the task's own row in the same transaction, which locks it and reports whether it is still ours. */
const INSERT = insertStatements("");
/** Without such a write: locks the row, and its count reports that the entries were stored. */
const INSERT_AND_LOCK = insertStatements("/*for-update*/");

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
    statements.push(
      reportStored
        ? { sql: INSERT_AND_LOCK[rows.length]!, params, counted: true }
        : { sql: INSERT[rows.length]!, params },
    );
  }
}

/** Per run in a shared statement: more entries are cheaper in their own statement, which checks the fence once. */
const MAX_SHARED_ENTRIES = 2;

/** By the number of entries, each with the id and epoch of its task. `fence` joins `mine`, the task with this epoch. */
const sharedStatements = (fence: string, end = ""): string[] =>
  Array.from({ length: ROWS_AT_ONCE + 1 }, (_, count) => {
    const columns = [["task_id", "text"], ["epoch", "bigint"], ...ENTRY_COLUMNS] as const;
    const values = ENTRY_COLUMNS.map((_column, index) => `entry.column${index + 3}`).join(", ");
    return `
  insert into journal (task_id, epoch, ${NAMES}) select mine.id, mine.epoch, ${values}
  from (values ${valueRows(columns, count)}) as entry cross join ${fence}
  where true on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch ${end}`;
  });

const INSERT_SHARED = {
  /**
   * The lateral subquery locks its row and cannot become another join: on a table without statistics PostgreSQL would
   * scan all of it, and keep that plan while the table grows.
   */
  postgres: sharedStatements(
    `lateral (select id, epoch from task where id = entry.column1 and epoch = entry.column2 /*for-update*/) as mine`,
    "returning task_id as id",
  ),
  sqlite: sharedStatements("task as mine on mine.id = entry.column1 and mine.epoch = entry.column2"),
};

/**
 * SQLite only, right after a shared insert of `$count` entries: the positions of those that it has not stored. When the
 * insert has stored all, the limit is 0 and SQLite reads nothing, which is much cheaper than `returning`.
 */
const NOT_STORED = `
  select key as position from json_each($entries) as entry
  where (select epoch from task where id = entry.value ->> 0) is not entry.value ->> 1
    or (select epoch from journal where task_id = entry.value ->> 0 and seq = entry.value ->> 2) is not entry.value ->> 1
  limit case changes() when $count then 0 else -1 end`;

/** Whether its entries may share statements with those of other runs. */
export function isShort({ entries }: { entries: readonly JournalEntry[] }): boolean {
  return entries.length > 0 && entries.length <= MAX_SHARED_ENTRIES;
}

interface SharedRow {
  write: RunWrite;
  entry: JournalEntry;
}

/**
 * Entries of several runs, each fenced by the epoch of its task. The writes of one task have the same epoch. The returned
 * function reads from the results of the batch which writes were stored.
 */
export function pushSharedEntries(
  statements: Statement[],
  writes: readonly RunWrite[],
  dialect: Db["dialect"],
): (results: readonly Row[][]) => readonly RunWrite[] {
  const parts = inPowersOfTwo(
    writes.flatMap((write) => write.entries.map((entry): SharedRow => ({ write, entry }))),
  );
  const first = statements.length;
  for (const part of parts) {
    const params: SqlValue[] = [];
    for (const { write, entry } of part) {
      params.push(write.task.id, write.task.epoch);
      pushRow(params, entry);
    }
    statements.push({ sql: INSERT_SHARED[dialect][part.length]!, params });
    if (dialect === "sqlite") statements.push(notStored(part));
  }
  if (dialect === "sqlite")
    return (results) => parts.flatMap((part, at) => writesBut(part, results[first + 2 * at + 1]!));
  return (results) => {
    const ids = new Set(
      results.slice(first, first + parts.length).flatMap((rows) => rows.map(({ id }) => id)),
    );
    return writes.filter(({ task }) => ids.has(task.id));
  };
}

function notStored(part: readonly SharedRow[]): Statement {
  const entries = part.map(({ write: { task }, entry }) => [task.id, task.epoch, entry.seq]);
  return { sql: NOT_STORED, params: { entries: JSON.stringify(entries), count: part.length } };
}

function writesBut(part: readonly SharedRow[], missing: readonly Row[]): RunWrite[] {
  const positions = new Set(missing.map(({ position }) => position));
  return part.filter((_row, position) => !positions.has(position)).map(({ write }) => write);
}

const FIRST_ENTRIES = newRowsOf("journal", [["task_id", "text"], ["epoch", "bigint"], ...ENTRY_COLUMNS]);

/**
 * The first entries of plain tasks, in the transaction that inserts the tasks. They need no fence: a task that exists
 * already was inserted by this write, whose reply was lost, and has them.
 */
export function pushFirstEntries(
  statements: Statement[],
  tasks: readonly { id: string; epoch: number; entries: readonly JournalEntry[] }[],
  copiesRows: boolean,
): void {
  const values: SqlValue[] = [];
  for (const { id, epoch, entries } of tasks)
    for (const entry of entries) {
      values.push(id, epoch);
      pushRow(values, entry);
    }
  pushNewRows(statements, values, FIRST_ENTRIES, copiesRows);
}
