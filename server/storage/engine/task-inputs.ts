import type { Db, Row, Statement } from "../db.ts";

/**
 * A longer input is stored in `task_input`. A loop over its input may park a thousand times, and SQLite writes the whole
 * row of a task at each of them, and reads it up to the column that a statement compares.
 */
const MAX_ROW_INPUT_CHARACTERS = 16_384;

/** The value of `task.input` when the input is in `task_input`. No JSON text is empty. */
const STORED_APART = "";

/** Added to the columns of a task by statements that need its input. */
export const LARGE_INPUT = `case when input = '${STORED_APART}' then (select i.input from task_input as i where i.task_id = task.id) end as large_input`;

/** Only for a task that the statements before have inserted. */
const INSERT_INPUT = `
  insert into task_input (task_id, input) select $id, $input where exists (select 1 from task where id = $id) on conflict do nothing`;

/** The value of `task.input`, and the statement that stores a long input after the task. */
export function splitInput(id: string, input: string): { inRow: string; apart: Statement | undefined } {
  if (input.length <= MAX_ROW_INPUT_CHARACTERS) return { inRow: input, apart: undefined };
  return { inRow: STORED_APART, apart: { sql: INSERT_INPUT, params: { id, input } } };
}

export function isStoredApart(row: Row): boolean {
  return row["input"] === STORED_APART;
}

/** The long inputs of these tasks as JSON, by task. */
export async function readInputs(db: Db, taskIds: readonly string[]): Promise<Map<string, string>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db.query(
    "select task_id, input from task_input where task_id in (select value from json_each(cast($ids as text)))",
    { ids: JSON.stringify(taskIds) },
  );
  return new Map(rows.map((row) => [row["task_id"] as string, row["input"] as string]));
}
