import type { JournalEntry } from "../../engine/journal/journal-entry.ts";
import type { EngineStore, StoredTask, TaskState } from "../../engine/store.ts";
import type { Task } from "../../engine/tasks/task.ts";
import { batchReads } from "../../lib/batch-reads.ts";
import { parseInTurns } from "../../lib/stored-json.ts";
import type { Db, Row } from "../db.ts";
import { toEntry } from "./journal-rows.ts";
import { toOptions, toTask } from "./task-rows.ts";
import { listOf } from "./id-list.ts";
import { textOrNull } from "./row-values.ts";
import { isStoredApart, LARGE_INPUT } from "./task-inputs.ts";
import { TASK_COLUMNS } from "./task-sql.ts";

/**
 * Entries outside any loop, and those of iterations that report token usage. The id of a plain step may hold brackets, as
 * `x[a]` does: a path is an iteration only under a loop that has recorded its list. Compared by range: comparing the
 * parts of each path took three times as long for thirty thousand iterations.
 */
const OWN = `(path not like '%[%]%' or extra like '%"usage"%' or not exists (
  select 1 from loops where loops.task_id = journal.task_id and journal.path >= first_path and journal.path < end_path))`;

/** From `each[0` to `each[9…`: a colon is the character after 9. */
const LOOPS = "select task_id, path || '[0' as first_path, path || '[:' as end_path from journal";

const HEAD_COLUMNS = "kind, path, type, status, attempt, final, output_ref, error, due, started_at, at";
/** Token usage and prices are always loaded, so that the sums of a task are right. */
const SMALL_EXTRA_BYTES = 2048;
const ROW_BYTES = ["input", "output", "extra"]
  .map((name) => `coalesce(octet_length(${name}), 0)`)
  .join(" + ");

/** Reads for callers that wait for a task to end. The reads of one turn are one query: a hint may wake fifty callers. */
export function createTaskReads(
  db: Db,
  maxReadBytes: number,
): Pick<EngineStore, "task" | "state" | "ownEntries"> {
  return {
    task: gatherBy((ids) => readRows(ids, `${TASK_COLUMNS}, ${LARGE_INPUT}`, toStored)),
    state: gatherBy((ids) => readRows(ids, TASK_COLUMNS, toState)),
    ownEntries: gatherBy(readJournals),
  };

  // Rows are read together and parsed one by one: an invalid row fails only the caller that asked for it.
  async function readRows<T>(ids: readonly string[], columns: string, from: (row: Row) => T) {
    const { list, params } = listOf(ids);
    const rows = await db.query(`select ${columns} from task where id in ${list}`, params);
    const tasks = new Map(rows.map((row) => [row["id"] as string, row]));
    return (id: string) => {
      const row = tasks.get(id);
      return row === undefined ? undefined : from(row);
    };
  }

  async function readJournals(ids: readonly string[]) {
    const { list, params } = listOf(ids);
    // Read at most once, and only when a path has brackets. An iteration of a loop whose own id has a bracket is not
    // found here; the reader of the entries knows it by its loop.
    const loops = `${LOOPS} where task_id in ${list} and kind = 'items' and path not like '%[%'`;
    // The ids are named again for the join: without them PostgreSQL reads the whole journal for more than a few tasks.
    const fits = `sizes.total <= ${maxReadBytes}`;
    const rows = await db.query(
      `with loops as materialized (${loops})
       , sizes as materialized (
         select task_id, seq, sum(${ROW_BYTES}) over (partition by task_id order by seq desc) as total
         from journal where task_id in ${list} and ${OWN})
       select journal.task_id, journal.seq, ${HEAD_COLUMNS}, sizes.total > ${maxReadBytes} as omitted,
         octet_length(input) as input_bytes, octet_length(output) as output_bytes,
         case when ${fits} then input end as input,
         case when ${fits} or kind = 'rerun' then output end as output,
         case when ${fits} or octet_length(extra) <= ${SMALL_EXTRA_BYTES} then extra end as extra
       from sizes join journal on journal.task_id = sizes.task_id and journal.seq = sizes.seq
       where journal.task_id in ${list}
       order by journal.task_id, journal.seq`,
      params,
    );
    const journals = new Map(ids.map((id) => [id, [] as Row[]]));
    for (const row of rows) journals.get(row["task_id"] as string)!.push(row);
    return (id: string) => journals.get(id)!.map(toOwnEntry);
  }
}

/** The payloads of the newest entries are loaded, up to the limit; the others only tell their size. */
function toOwnEntry(row: Row): JournalEntry {
  const entry = toEntry(row);
  // SQLite has no booleans.
  if (!row["omitted"] || !("path" in entry)) return entry;
  return {
    ...entry,
    omitted: { input: numberOf(row["input_bytes"]), output: numberOf(row["output_bytes"]) },
  };
}

function numberOf(value: unknown): number {
  return Number(value ?? 0);
}

async function toStored(row: Row): Promise<StoredTask> {
  const largeInput = isStoredApart(row)
    ? await parseInTurns(textOrNull(row, "large_input") ?? "null")
    : undefined;
  return withOptions(row, toTask(row, largeInput));
}

function toState(row: Row): TaskState {
  const { input: _input, ...state } = withOptions(row, toTask(row));
  return state;
}

function withOptions(row: Row, task: Task): StoredTask {
  return {
    ...task,
    options: toOptions(row),
    resultRef: row["result_ref"] as string | null,
  };
}

function gatherBy<Answer>(
  read: (ids: readonly string[]) => Promise<(id: string) => Answer | Promise<Answer>>,
) {
  return batchReads((ids: readonly string[]) => {
    const reading = read(ids);
    return ids.map(async (id) => (await reading)(id));
  });
}
