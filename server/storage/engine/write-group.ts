import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../../contract/api.ts";
import type { Accepted, NewTask, RunWrite, TaskChange } from "../../engine/store.ts";
import type { Db, Row, Statement } from "../db.ts";
import { insertEntries } from "./insert-entries.ts";
import { FINAL, WAITING } from "./statuses.ts";

/** Ends a wait: whoever is parked becomes due at `$2`, whoever runs will look again before parking. */
export const WAKE_TASK = `
  update task set wake = wake + 1,
    run_at = case when status in ${WAITING} then $2 else run_at end,
    status = case when status in ${WAITING} then 'queued' else status end
  where id = $1`;

/** A new task, and what its run has come to in the same moment. */
export interface Acceptance {
  task: NewTask;
  first: Omit<RunWrite, "task"> | undefined;
}

/**
 * Writes of many runs in one batch: one transaction and one fsync for fifty calls at once. Each row is fenced by
 * itself, so a run that has lost its task stores nothing and its neighbours do not notice. Rows are parameters of
 * prepared statements and not one JSON text, because it is measured (docs/decisions/008).
 */
export async function writeGroup(
  db: Db,
  accepts: readonly Acceptance[],
  writes: readonly RunWrite[],
): Promise<{ accepted: Accepted[]; recorded: boolean[] }> {
  const statements: Statement[] = [];
  const add = (statement: Statement): number => statements.push(statement) - 1;
  const parents = accepts.flatMap(({ task }) => (task.parentStep === null ? [] : task.parentTaskId!));
  const wakes = writes.flatMap(({ wakeTask }) => wakeTask ?? []);
  if (parents.length + wakes.length > 0)
    add(lockInOrder([...parents, ...wakes, ...writes.map(({ task }) => task.id)]));
  const acceptedAt = accepts.map(({ task, first }) => {
    if (task.idempotency !== undefined) add(claimKey(task));
    const at = add(insertTask(task, first?.change));
    const entries = first === undefined ? task.entries : [...task.entries, ...first.entries];
    for (const statement of whatFollows({ ...first, task, entries }, { tell: false })) add(statement);
    return at;
  });
  const recordedAt = writes.map((write) => {
    const from = statements.length;
    for (const statement of toStatements(write)) add(statement);
    return from;
  });

  const rows = await db.batch(statements, { repeatable: true });
  const stored = (at: number): boolean => (rows[at] as Row[]).length > 0;
  return {
    accepted: await Promise.all(
      accepts.map(async ({ task }, index): Promise<Accepted> =>
        stored(acceptedAt[index]!) ? { inserted: true } : existing(db, task),
      ),
    ),
    recorded: recordedAt.map(stored),
  };
}

/**
 * A child that wakes its parent touches two tasks: two processes that take them in turn would wait for each other. And
 * one whose parent is being cancelled waits for that, and is not made then.
 */
function lockInOrder(ids: readonly string[]): Statement {
  return {
    sql: "select id from task where id in (select value from json_each(cast($1 as text))) order by id /*for-update*/",
    params: [JSON.stringify([...new Set(ids)])],
  };
}

/** The first of them tells by the row it returns whether the task is still this run's. */
function toStatements(write: RunWrite): Statement[] {
  const { change } = write;
  return change === undefined
    ? whatFollows(write, { tell: true })
    : [changeTask(write, change), ...whatFollows(write, { tell: false })];
}

function changeTask({ task, entries }: RunWrite, change: TaskChange): Statement {
  return {
    sql: CHANGE_TASK,
    params: [
      task.id,
      task.epoch,
      change.status,
      change.runAt,
      change.seenWake,
      entries.at(-1)?.at ?? 0,
      change.result,
      change.resultRef,
      errorText(change),
      change.completedAt,
    ],
  };
}

function errorText({ error }: TaskChange): string | null {
  return error === null ? null : JSON.stringify(error);
}

/** Everything but the task's own row. */
function whatFollows(
  { task, entries, change, openApproval, consumedApprovals = [], wakeTask }: RunWrite,
  { tell }: { tell: boolean },
): Statement[] {
  const at = entries.at(-1)?.at ?? 0;
  return [
    ...insertEntries(task, entries, { tell }),
    ...(openApproval === undefined
      ? []
      : [{ sql: OPEN_APPROVAL, params: [task.id, task.epoch, openApproval.path, openApproval.message, at] }]),
    ...consumedApprovals.map((path) => ({ sql: CONSUME_APPROVAL, params: [task.id, task.epoch, path] })),
    ...(wakeTask === undefined
      ? []
      : [
          {
            sql: `${WAKE_TASK} and ${IS_OURS}`,
            params: [wakeTask, change?.completedAt ?? at, task.id, task.epoch],
          },
        ]),
  ];
}

const IS_OURS = "exists (select 1 from task as mine where mine.id = $3 and mine.epoch = $4)";

/** Parking: if anything has ended a wait since this run looked, the task is due again at once. */
const CHANGE_TASK = `
  update task set
    status = case when $5 <> wake then 'queued' else $3 end,
    run_at = case when $5 <> wake then cast($6 as bigint) else cast($4 as bigint) end,
    result = $7, result_ref = $8, error = $9, worker_id = null, completed_at = $10
  where id = $1 and epoch = $2 returning id`;

const OPEN_APPROVAL = `
  insert into approval (task_id, path, owner_id, message, requested_at)
  select id, $3, owner_id, $4, $5 from task where id = $1 and epoch = $2 on conflict do nothing`;

const CONSUME_APPROVAL = `
  delete from approval where task_id = $1 and path = $3 and exists (select 1 from task where id = $1 and epoch = $2)`;

function claimKey({ id, idempotency, createdAt }: NewTask): Statement {
  return {
    sql: `insert into idempotency (scope, key, body_hash, task_id, created_at) values ($1, $2, $3, $4, $5)
          on conflict (scope, key) do update
            set body_hash = excluded.body_hash, task_id = excluded.task_id, created_at = excluded.created_at
            where idempotency.created_at <= excluded.created_at - ${IDEMPOTENCY_KEY_LIFETIME_MS}`,
    params: [idempotency!.scope, idempotency!.key, idempotency!.bodyHash, id, createdAt],
  };
}

const TASK_VALUES =
  "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13, $14, 0, 0, $15, $16, $17, $18, $19, $20";
const INSERT_TASK = `
  insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, options, parent_task_id, parent_step,
    depth, epoch, wake, worker_id, run_at, lives, lives_seq, created_at, started_at, result, result_ref, error, completed_at)`;
const INSERT_PLAIN_TASK = `${INSERT_TASK} values (${TASK_VALUES}) on conflict do nothing returning id`;
/** Only for the first who came with the key. */
const INSERT_KEYED_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from idempotency where scope = $21 and key = $22 and task_id = $1)
  on conflict do nothing returning id`;

/** Only while the step that starts it is not in vain. */
const INSERT_CHILD_TASK = `${INSERT_TASK}
  select ${TASK_VALUES} where exists (select 1 from task where id = $9 and status not in ${FINAL})
  on conflict do nothing returning id`;

/** A run that has ended or parked by now is stored as such, and belongs to no process. */
function insertTask(task: NewTask, change: TaskChange | undefined): Statement {
  const { status, workerId, runAt } =
    change === undefined ? task : { status: change.status, workerId: null, runAt: change.runAt };
  const params = [
    task.id,
    task.ownerId,
    task.workflowId,
    task.workflowVersion,
    status,
    task.trigger,
    JSON.stringify(task.input),
    task.options === null ? null : JSON.stringify(task.options),
    task.parentTaskId,
    task.parentStep,
    task.depth,
    task.epoch,
    workerId,
    runAt,
    task.createdAt,
    task.startedAt,
    change?.result ?? null,
    change?.resultRef ?? null,
    change === undefined ? null : errorText(change),
    change?.completedAt ?? null,
  ];
  if (task.parentStep !== null) return { sql: INSERT_CHILD_TASK, params };
  if (task.idempotency === undefined) return { sql: INSERT_PLAIN_TASK, params };
  return { sql: INSERT_KEYED_TASK, params: [...params, task.idempotency.scope, task.idempotency.key] };
}

/**
 * Who came first with this idempotency key, or with this step of the parent. That may be this very task: its answer was
 * lost, and it was sent once more.
 */
async function existing(db: Db, task: NewTask): Promise<Accepted> {
  const [row] =
    task.idempotency === undefined
      ? await db.query(
          `select id as task_id, null as body_hash from task
           where id = $1 or (parent_task_id = $2 and parent_step = $3) order by case when id = $1 then 0 else 1 end limit 1`,
          [task.id, task.parentTaskId, task.parentStep],
        )
      : await db.query("select task_id, body_hash from idempotency where scope = $1 and key = $2", [
          task.idempotency.scope,
          task.idempotency.key,
        ]);
  if (row?.["task_id"] === task.id) return { inserted: true };
  return {
    inserted: false,
    taskId: (row?.["task_id"] as string | undefined) ?? null,
    bodyHash: (row?.["body_hash"] as string | null | undefined) ?? null,
  };
}
