import type { EngineStore, StoredTask } from "../../engine/store.ts";
import { batchReads } from "../../lib/batch-reads.ts";
import type { Db, Row } from "../db.ts";
import { toEntry } from "./journal-rows.ts";
import { TASK_COLUMNS, toOptions, toTask } from "./rows.ts";

const OWN = `(path not like '%[%]%' or extra like '%"usage"%')`;

/** Tasks as those read them who wait for their end: fifty waiters whom one hint wakes are one question, not fifty. */
export function createTaskReads(db: Db): Pick<EngineStore, "task" | "ownEntries"> {
  return { task: gatherBy(readTasks), ownEntries: gatherBy(readJournals) };

  // Rows are read together and understood one by one: one that cannot be understood is nobody else's fault.
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

  function select(what: string, ids: readonly string[], more = ""): Promise<Row[]> {
    const size = 2 ** Math.ceil(Math.log2(ids.length));
    const padded = Array.from({ length: size }, (_, index) => ids[index] ?? ids[0]!);
    return db.query(`${what} in (${placeholders(size)}) ${more}`, padded);
  }
}

/**
 * A list in the text and not a JSON array: PostgreSQL cannot tell how long that is and reads the whole table. Only
 * powers of two, filled up with the first id, so that there are few texts to prepare.
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
