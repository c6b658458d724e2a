import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../../contract/api.ts";
import type { Accepted, NewTask, TaskChange } from "../../engine/store.ts";
import type { Db, SqlValue, Statement } from "../db.ts";
import { linkFiles } from "./task-files.ts";
import { type DeliveryOfTask, insertDeliveries } from "./task-delivery.ts";
import { splitInput } from "./task-inputs.ts";
import { newRowsOf, pushNewRows } from "./new-rows.ts";
import { FINAL } from "./task-sql.ts";

/** Takes the idempotency key for the task, unless a younger request holds it. */
export function claimKey({ id, idempotency, createdAt }: NewTask): Statement {
  const { scope, key, bodyHash } = idempotency!;
  return {
    sql: `insert into idempotency (scope, key, body_hash, task_id, created_at) values ($scope, $key, $bodyHash, $id, $createdAt)
          on conflict (scope, key) do update
            set body_hash = excluded.body_hash, task_id = excluded.task_id, created_at = excluded.created_at
            where idempotency.created_at <= excluded.created_at - ${IDEMPOTENCY_KEY_LIFETIME_MS}`,
    params: { scope, key, bodyHash, id, createdAt },
  };
}

/** In the order in which `pushTaskRow` adds their values. */
const TASK_COLUMNS = [
  ["id", "text"],
  ["owner_id", "text"],
  ["workflow_id", "text"],
  ["workflow_version", "bigint"],
  ["status", "text"],
  ["trigger", "text"],
  ["input", "text"],
  ["options", "text"],
  ["parent_task_id", "text"],
  ["parent_step", "text"],
  ["root_task_id", "text"],
  ["depth", "bigint"],
  ["epoch", "bigint"],
  ["wake", "bigint"],
  ["worker_id", "text"],
  ["run_at", "bigint"],
  ["lives", "bigint"],
  ["lives_seq", "bigint"],
  ["created_at", "bigint"],
  ["started_at", "bigint"],
  ["result", "text"],
  ["result_ref", "text"],
  ["error", "text"],
  ["completed_at", "bigint"],
  ["on_parent_end", "text"],
  ["accepted_by", "text"],
] as const;
const NAMES = TASK_COLUMNS.map(([name]) => name).join(", ");
const INSERT_TASK = `insert into task (${NAMES})`;
const TASK_VALUES = TASK_COLUMNS.map((_column, index) => `$${index + 1}`).join(", ");

/** Inserts only for the request that holds the key. */
const INSERT_KEYED_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from idempotency where scope = $${TASK_COLUMNS.length + 1} and key = $${TASK_COLUMNS.length + 2} and task_id = $1)
  on conflict do nothing`;

/** Inserts only while the parent still runs: a child of an ended task would run for nothing. */
const INSERT_CHILD_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from task where id = $9 and status not in ${FINAL})
  on conflict do nothing`;

const PLAIN_TASKS = newRowsOf("task", TASK_COLUMNS);

/**
 * A task that is not plain, or that is inserted only under the condition `onlyIf`, which may use the task's id as `$1`.
 * With `change`, the run has ended or parked before the task was stored, so that no process owns it. The count of the first
 * statement tells whether the task was inserted.
 */
export function insertTask(task: NewTask, change: TaskChange | undefined, onlyIf?: string): Statement[] {
  const params: SqlValue[] = [];
  const rows: OtherRows = { statements: [], deliveries: [] };
  pushTaskRow(params, task, change, rows);
  const others = statementsOf(rows);
  if (onlyIf !== undefined) {
    const sql = `${INSERT_TASK} select ${TASK_VALUES} where ${onlyIf} on conflict do nothing`;
    return [{ sql, params, counted: true }, ...others];
  }
  if (task.parentStep !== null) return [{ sql: INSERT_CHILD_TASK, params, counted: true }, ...others];
  const { scope, key } = task.idempotency!;
  params.push(scope, key);
  return [{ sql: INSERT_KEYED_TASK, params, counted: true }, ...others];
}

/** Whether nothing but its own id decides if the task is inserted. */
export function isPlain({ parentStep, idempotency }: NewTask): boolean {
  return parentStep === null && idempotency === undefined;
}

/**
 * Inserts plain tasks with few statements, and then rows of theirs in other tables. A task that exists already was inserted
 * by this write, whose reply was lost: all of them are stored.
 */
export function pushPlainTasks(
  statements: Statement[],
  tasks: readonly TaskAndChange[],
  copiesRows: boolean,
): void {
  const others: OtherRows = { statements: [], deliveries: [] };
  const values: SqlValue[] = [];
  for (const { task, change } of tasks) pushTaskRow(values, task, change, others);
  pushNewRows(statements, values, PLAIN_TASKS, copiesRows);
  statements.push(...statementsOf(others));
}

/** Rows in other tables, for statements after the insert of the tasks. */
interface OtherRows {
  statements: Statement[];
  deliveries: DeliveryOfTask[];
}

function statementsOf({ statements, deliveries }: OtherRows): Statement[] {
  return deliveries.length === 0 ? statements : [...statements, ...insertDeliveries(deliveries)];
}

export interface TaskAndChange {
  task: NewTask;
  change: TaskChange | undefined;
}

/** One push: this runs for every task. */
function pushTaskRow(
  params: SqlValue[],
  task: NewTask,
  change: TaskChange | undefined,
  others: OtherRows,
): void {
  const input = task.inputJson ?? JSON.stringify(task.input);
  const options = task.options === null ? null : JSON.stringify(task.options);
  const { inRow, apart } = splitInput(task.id, input);
  params.push(
    task.id,
    task.ownerId,
    task.workflowId,
    task.workflowVersion,
    change === undefined ? task.status : change.status,
    task.trigger,
    inRow,
    options,
    task.parentTaskId,
    task.parentStep,
    task.rootTaskId,
    task.depth,
    task.epoch,
    0,
    change === undefined ? task.workerId : null,
    change === undefined ? task.runAt : change.runAt,
    0,
    0,
    task.createdAt,
    task.startedAt,
    change?.result ?? null,
    change?.resultRef ?? null,
    change === undefined ? null : errorJson(change),
    change?.completedAt ?? null,
    task.onParentEnd === "continue" ? "continue" : null,
    task.acceptedBy ?? null,
  );
  if (apart !== undefined) others.statements.push(apart);
  if (task.delivery !== undefined) others.deliveries.push({ taskId: task.id, delivery: task.delivery });
  others.statements.push(...linkFiles(task, input, options));
}

export function errorJson({ error }: TaskChange): string | null {
  return error === null ? null : JSON.stringify(error);
}

/**
 * The task that holds the idempotency key, or that the parent's step started before. It may be this very task: the
 * reply to its insert was lost, and it was sent once more.
 */
export async function existingTask(db: Db, task: NewTask): Promise<Accepted> {
  const [row] =
    task.idempotency === undefined
      ? await db.query(
          `select id as task_id, null as body_hash from task
           where id = $id or (parent_task_id = $parentTaskId and parent_step = $parentStep)
           order by case when id = $id then 0 else 1 end limit 1`,
          { id: task.id, parentTaskId: task.parentTaskId, parentStep: task.parentStep },
        )
      : await db.query("select task_id, body_hash from idempotency where scope = $scope and key = $key", {
          scope: task.idempotency.scope,
          key: task.idempotency.key,
        });
  if (row?.["task_id"] === task.id) return { inserted: true };
  return {
    inserted: false,
    taskId: (row?.["task_id"] as string | undefined) ?? null,
    bodyHash: (row?.["body_hash"] as string | null | undefined) ?? null,
  };
}
