import type { EngineStore, StoredTask } from "../../engine/store.ts";
import { batchReads } from "../../lib/batch-reads.ts";
import type { Db, Row } from "../db.ts";
import { toEntry } from "./journal-rows.ts";
import { toOptions, toTask } from "./task-rows.ts";
import { TASK_COLUMNS } from "./task-sql.ts";

/** Entries outside any loop, and those of iterations that report token usage. */
const OWN = `(path not like '%[%]%' or extra like '%"usage"%')`;

/** Reads for callers that wait for a task to end. The reads of one turn are one query: a hint may wake fifty callers. */
export function createTaskReads(db: Db): Pick<EngineStore, "task" | "ownEntries"> {
  return { task: gatherBy(readTasks), ownEntries: gatherBy(readJournals) };

  // Rows are read together and parsed one by one: an invalid row fails only the caller that asked for it.
  async function readTasks(ids: readonly string[]) {
    const rows = await select(`select ${TASK_COLUMNS} from task where id`, ids);
    const tasks = new Map(rows.map((row) => [row["id"] as string, row]));
    return (id: string) => {
      const row = tasks.get(id);
      return row === undefined ? undefined : toStored(row);
    };
  }

  async function readJournals(ids: readonly string[]) {
    const rows = await select("select * from journal where task_id", ids, `and ${OWN} order by task_id, seq`);
    const journals = new Map(ids.map((id) => [id, [] as Row[]]));
    for (const row of rows) journals.get(row["task_id"] as string)!.push(row);
    return (id: string) => journals.get(id)!.map(toEntry);
  }

  function select(from: string, ids: readonly string[], more = ""): Promise<Row[]> {
    const size = 2 ** Math.ceil(Math.log2(ids.length));
    const padded = Array.from({ length: size }, (_, index) => ids[index] ?? ids[0]!);
    return db.query(`${from} in (${placeholders(size)}) ${more}`, padded);
  }
}

/**
 * A list in the statement and not a JSON array: PostgreSQL cannot estimate the length of that and scans the whole table.
 * Only powers of two, padded with the first id, so that few statements need to be prepared.
 */
function placeholders(size: number): string {
  return Array.from({ length: size }, (_, index) => `$${index + 1}`).join(", ");
}

function toStored(row: Row): StoredTask {
  return { ...toTask(row), options: toOptions(row), resultRef: row["result_ref"] as string | null };
}

function gatherBy<Answer>(read: (ids: readonly string[]) => Promise<(id: string) => Answer>) {
  return batchReads((ids: readonly string[]) => {
    const reading = read(ids);
    return ids.map(async (id) => (await reading)(id));
  });
}
