import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../../contract/api.ts";
import type { Accepted, NewTask, TaskChange } from "../../engine/store.ts";
import type { Db, Statement } from "../db.ts";
import { linkFiles } from "./task-files.ts";
import { insertDelivery } from "./task-delivery.ts";
import { splitInput } from "./task-inputs.ts";
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

const INSERT_TASK = `
  insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, options, parent_task_id, parent_step,
    root_task_id, depth, epoch, wake, worker_id, run_at, lives, lives_seq, created_at, started_at, result, result_ref, error, completed_at,
    on_parent_end, accepted_by)`;
const TASK_VALUES = `
  $id, $ownerId, $workflowId, $workflowVersion, $status, $trigger, $input, $options, $parentTaskId, $parentStep,
    $rootTaskId, $depth, $epoch, 0, $workerId, $runAt, 0, 0, $createdAt, $startedAt, $result, $resultRef, $error, $completedAt,
    $onParentEnd, $acceptedBy`;

const INSERT_PLAIN_TASK = `${INSERT_TASK} values (${TASK_VALUES}) on conflict do nothing returning id`;

/** Inserts only for the request that holds the key. */
const INSERT_KEYED_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from idempotency where scope = $scope and key = $key and task_id = $id)
  on conflict do nothing returning id`;

/** Inserts only while the parent still runs: a child of an ended task would run for nothing. */
const INSERT_CHILD_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from task where id = $parentTaskId and status not in ${FINAL})
  on conflict do nothing returning id`;

/**
 * With `change`, the run has ended or parked before the task was stored, so that no process owns it. The first statement
 * returns a row when the task was inserted.
 */
export function insertTask(task: NewTask, change: TaskChange | undefined, onlyIf?: string): Statement[] {
  const input = JSON.stringify(task.input);
  const options = task.options === null ? null : JSON.stringify(task.options);
  const { inRow, apart } = splitInput(task.id, input);
  const params = {
    id: task.id,
    ownerId: task.ownerId,
    workflowId: task.workflowId,
    workflowVersion: task.workflowVersion,
    status: change === undefined ? task.status : change.status,
    trigger: task.trigger,
    input: inRow,
    options,
    parentTaskId: task.parentTaskId,
    parentStep: task.parentStep,
    rootTaskId: task.rootTaskId,
    depth: task.depth,
    epoch: task.epoch,
    workerId: change === undefined ? task.workerId : null,
    runAt: change === undefined ? task.runAt : change.runAt,
    createdAt: task.createdAt,
    startedAt: task.startedAt,
    result: change?.result ?? null,
    resultRef: change?.resultRef ?? null,
    error: change === undefined ? null : errorJson(change),
    completedAt: change?.completedAt ?? null,
    onParentEnd: task.onParentEnd === "continue" ? "continue" : null,
    acceptedBy: task.acceptedBy ?? null,
    scope: task.idempotency?.scope ?? null,
    key: task.idempotency?.key ?? null,
  };
  const sql =
    onlyIf === undefined
      ? insertSql(task)
      : `${INSERT_TASK} select ${TASK_VALUES} where ${onlyIf} on conflict do nothing returning id`;
  const insert = { sql, params };
  const statements: Statement[] = [insert];
  if (apart !== undefined) statements.push(apart);
  if (task.delivery !== undefined) statements.push(insertDelivery(task.id, task.delivery));
  statements.push(...linkFiles(task, input, options));
  return statements;
}

function insertSql({ parentStep, idempotency }: NewTask): string {
  if (parentStep !== null) return INSERT_CHILD_TASK;
  return idempotency === undefined ? INSERT_PLAIN_TASK : INSERT_KEYED_TASK;
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
