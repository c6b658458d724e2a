import type { JournalEntry } from "../../engine/journal-entry.ts";
import type { EngineStore, StoredTask } from "../../engine/store.ts";
import { gather } from "../../lib/gather.ts";
import type { Db, Row } from "../db.ts";
import { TASK_COLUMNS, toEntry, toOptions, toTask } from "./rows.ts";

const OWN = `(path not like '%[%]%' or extra like '%"usage"%')`;
const AMONG = "in (select value from json_each(cast($1 as text)))";

/** Tasks as those read them who wait for their end: fifty waiters whom one hint wakes are one question, not fifty. */
export function createTaskReads(db: Db): Pick<EngineStore, "task" | "ownEntries"> {
  return { task: gatherBy(readTasks), ownEntries: gatherBy(readJournals) };

  async function readTasks(ids: readonly string[]) {
    const rows = await select(`select ${TASK_COLUMNS} from task where id`, ids);
    const tasks = new Map(rows.map((row) => [row["id"] as string, toStored(row)]));
    return (id: string) => tasks.get(id);
  }

  async function readJournals(ids: readonly string[]) {
    const rows = await select("select * from journal where task_id", ids, `and ${OWN} order by task_id, seq`);
    const journals = new Map(ids.map((id) => [id, [] as JournalEntry[]]));
    for (const row of rows) journals.get(row["task_id"] as string)!.push(toEntry(row));
    return (id: string) => journals.get(id)!;
  }

  /** Nearly always it is one, which needs no list. */
  function select(what: string, ids: readonly string[], more = ""): Promise<Row[]> {
    return ids.length === 1
      ? db.query(`${what} = $1 ${more}`, [ids[0]!])
      : db.query(`${what} ${AMONG} ${more}`, [JSON.stringify(ids)]);
  }
}

function toStored(row: Row): StoredTask {
  return { ...toTask(row), options: toOptions(row), resultRef: row["result_ref"] as string | null };
}

function gatherBy<Answer>(read: (ids: readonly string[]) => Promise<(id: string) => Answer>) {
  return gather((ids: readonly string[]) => {
    const reading = read(ids);
    return ids.map(async (id) => (await reading)(id));
  });
}
