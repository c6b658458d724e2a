import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { EngineTask } from "../../engine/tasks/engine-task.ts";
import type { LargeInput } from "../../engine/task-queue.ts";
import type { Db, Row } from "../db.ts";
import { isStoredApart, readInputs } from "./task-inputs.ts";
import { toEngineTask } from "./task-rows.ts";
import { wakeTasks } from "./task-sql.ts";

/**
 * The tasks of these rows, which this process has claimed. Reads the large inputs that it does not know. A row that cannot be read is failed and left out: it would
 * otherwise fail the claim of every other task, and be claimed again with them.
 */
export async function readableTasks(
  db: Db,
  rows: readonly Row[],
  now: number,
  knownInput: (taskId: string) => LargeInput | undefined = () => undefined,
): Promise<EngineTask[]> {
  const known = new Map<string, LargeInput>();
  const unknown: string[] = [];
  for (const row of rows.filter(isStoredApart)) {
    const id = String(row["id"]);
    const input = knownInput(id);
    if (input === undefined) unknown.push(id);
    else known.set(id, input);
  }
  const stored = await readInputs(db, unknown);
  const tasks: EngineTask[] = [];
  for (const row of rows) {
    const id = String(row["id"]);
    try {
      tasks.push(toEngineTask(row, known.get(id) ?? parsedInput(stored.get(id))));
    } catch {
      await failUnreadable(db, id, Number(row["epoch"]), now);
    }
  }
  return tasks;
}

function parsedInput(json: string | undefined): LargeInput | undefined {
  if (json === undefined) return undefined;
  return { input: JSON.parse(json) as JsonValue, inputCharacters: json.length };
}

async function failUnreadable(db: Db, id: string, epoch: number, now: number): Promise<void> {
  const error = JSON.stringify({ code: "internal_error", message: "The stored task cannot be read." });
  await db.batch([
    {
      sql: `update task set status = 'failed', worker_id = null, run_at = null, error = $error, completed_at = $now
            where id = $id and epoch = $epoch`,
      params: { id, epoch, error, now },
    },
    {
      sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, error, at)
            select id, coalesce((select max(seq) from journal where task_id = $id), 0) + 1, epoch, 'status', '', '', 'failed', 0, 0, $error, $now
            from task where id = $id and epoch = $epoch and status = 'failed'`,
      params: { id, epoch, error, now },
    },
    {
      sql: wakeTasks("id = (select parent_task_id from task where id = $id and parent_step is not null)"),
      params: { id, now },
    },
  ]);
}
