import type { JournalEntry } from "../../engine/journal-entry.ts";
import type { Accepted, NewTask, RunWrite } from "../../engine/store.ts";
import type { Db, Row, Statement } from "../db.ts";

/** The same idempotency key makes a new task again after a day. */
export const IDEMPOTENCY_TTL_MS = 24 * 3600 * 1000;

const WAITING = "('waiting', 'waiting_approval')";

export const WAKE = `wake = wake + 1, status = case when status in ${WAITING} then 'queued' else status end`;

/**
 * Writes of many runs as a handful of statements: rows travel as one JSON text, so that fifty calls at once cost
 * one transaction, one fsync and, on a server, one round trip a statement. Each row is fenced by itself: a run
 * that has lost its task stores nothing, its neighbours do not notice.
 */
export async function writeGroup(
  db: Db,
  accepts: readonly NewTask[],
  writes: readonly RunWrite[],
): Promise<{ accepted: Accepted[]; recorded: boolean[] }> {
  const statements: { name: string; statement: Statement }[] = [];
  const add = (name: string, sql: string, rows: readonly unknown[]): void => {
    if (rows.length > 0) statements.push({ name, statement: { sql, params: [JSON.stringify(rows)] } });
  };
  add("idempotency", INSERT_IDEMPOTENCY, accepts.flatMap(toIdempotencyRow));
  add("accepted", INSERT_TASKS, accepts.map(toTaskRow));
  add("changed", UPDATE_TASKS, writes.flatMap(toChangeRow));
  add("recorded", INSERT_ENTRIES, [
    ...accepts.flatMap((task) => task.entries.map((entry) => toEntryRow(task, entry))),
    ...writes.flatMap((write) => write.entries.map((entry) => toEntryRow(write.task, entry))),
  ]);
  add("opened", OPEN_APPROVALS, writes.flatMap(toApprovalRow));
  add("consumed", CONSUME_APPROVALS, writes.flatMap(({ task, consumedApprovals = [] }) => consumedApprovals.map((path) => ({ t: task.id, e: task.epoch, p: path }))));
  add("woken", WAKE_TASKS, writes.flatMap(({ task, wakeTask, change }) => (wakeTask === undefined ? [] : [{ id: wakeTask, t: task.id, e: task.epoch, now: change?.completedAt ?? 0 }])));

  const rows = await db.batch(statements.map(({ statement }) => statement));
  const rowsOf = (name: string): Row[] => rows[statements.findIndex((entry) => entry.name === name)] ?? [];
  const acceptedIds = new Set(rowsOf("accepted").map((row) => row["id"]));
  const touched = new Set([...rowsOf("changed"), ...rowsOf("recorded")].map((row) => row["id"]));
  return {
    accepted: await Promise.all(accepts.map((task) => (acceptedIds.has(task.id) ? { inserted: true as const } : existing(db, task)))),
    recorded: writes.map((write) => touched.has(write.task.id)),
  };
}

const INSERT_IDEMPOTENCY = `
  insert into idempotency (scope, key, body_hash, task_id, created_at)
  select e.value->>'scope', e.value->>'key', e.value->>'hash', e.value->>'task', cast(e.value->>'now' as bigint)
  from json_each(cast($1 as text)) as e where true
  on conflict (scope, key) do update
    set body_hash = excluded.body_hash, task_id = excluded.task_id, created_at = excluded.created_at
    where idempotency.created_at <= excluded.created_at - ${IDEMPOTENCY_TTL_MS}`;

const INSERT_TASKS = `
  insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, options, parent_task_id, parent_step,
    depth, epoch, wake, worker_id, run_at, lives, lives_seq, created_at, started_at)
  select e.value->>'id', e.value->>'owner', e.value->>'workflow', cast(e.value->>'version' as bigint), e.value->>'status',
    e.value->>'trigger', e.value->>'input', e.value->>'options', e.value->>'parent', e.value->>'step', cast(e.value->>'depth' as bigint),
    cast(e.value->>'epoch' as bigint), 0, e.value->>'worker', cast(e.value->>'runAt' as bigint), 0, 0,
    cast(e.value->>'createdAt' as bigint), cast(e.value->>'startedAt' as bigint)
  from json_each(cast($1 as text)) as e
  where e.value->>'key' is null or exists (
    select 1 from idempotency as i
    where i.scope = e.value->>'scope' and i.key = e.value->>'key' and i.task_id = e.value->>'id')
  on conflict do nothing returning id`;

const UPDATE_TASKS = `
  update task set
    status = case when cast(e.value->>'wake' as bigint) <> task.wake then 'queued' else e.value->>'status' end,
    run_at = case when cast(e.value->>'wake' as bigint) <> task.wake then cast(e.value->>'now' as bigint) else cast(e.value->>'runAt' as bigint) end,
    result = e.value->>'result', result_ref = e.value->>'resultRef', error = e.value->>'error', worker_id = null,
    completed_at = cast(e.value->>'completedAt' as bigint)
  from json_each(cast($1 as text)) as e
  where task.id = e.value->>'id' and task.epoch = cast(e.value->>'epoch' as bigint)
  returning task.id as id`;

/** The same epoch writing the same row again is a success: a batch whose answer was lost is simply sent once more. */
const INSERT_ENTRIES = `
  insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, input, output, output_ref, error, extra, due, started_at, at)
  select t.id, cast(e.value->>'seq' as bigint), t.epoch, e.value->>'kind', e.value->>'path', e.value->>'type', e.value->>'status',
    cast(e.value->>'attempt' as bigint), cast(e.value->>'final' as bigint), e.value->>'input', e.value->>'output', e.value->>'outputRef',
    e.value->>'error', e.value->>'extra', cast(e.value->>'due' as bigint), cast(e.value->>'startedAt' as bigint), cast(e.value->>'at' as bigint)
  from json_each(cast($1 as text)) as e
  join task as t on t.id = e.value->>'t' and t.epoch = cast(e.value->>'e' as bigint) /*for-update*/
  where true
  on conflict (task_id, seq) do update set seq = excluded.seq where journal.epoch = excluded.epoch
  returning task_id as id`;

const OPEN_APPROVALS = `
  insert into approval (task_id, path, owner_id, message, requested_at)
  select t.id, e.value->>'p', t.owner_id, e.value->>'message', cast(e.value->>'now' as bigint)
  from json_each(cast($1 as text)) as e
  join task as t on t.id = e.value->>'t' and t.epoch = cast(e.value->>'e' as bigint)
  where true on conflict do nothing`;

const CONSUME_APPROVALS = `
  delete from approval where exists (
    select 1 from json_each(cast($1 as text)) as e
    join task as t on t.id = e.value->>'t' and t.epoch = cast(e.value->>'e' as bigint)
    where approval.task_id = t.id and approval.path = e.value->>'p')`;

const WAKE_TASKS = `
  update task set run_at = case when status in ${WAITING} then cast(e.value->>'now' as bigint) else run_at end, ${WAKE}
  from json_each(cast($1 as text)) as e
  where task.id = e.value->>'id' and exists (
    select 1 from task as child where child.id = e.value->>'t' and child.epoch = cast(e.value->>'e' as bigint))`;

/** Who came first with this idempotency key, or with this step of the parent. */
async function existing(db: Db, task: NewTask): Promise<Accepted> {
  const [row] =
    task.idempotency === undefined
      ? await db.query("select id as task_id, null as body_hash from task where parent_task_id = $1 and parent_step = $2", [
          task.parentTaskId,
          task.parentStep,
        ])
      : await db.query("select task_id, body_hash from idempotency where scope = $1 and key = $2", [
          task.idempotency.scope,
          task.idempotency.key,
        ]);
  return { inserted: false, taskId: row?.["task_id"] as string, bodyHash: row?.["body_hash"] as string | null };
}

function toIdempotencyRow({ id, idempotency, createdAt }: NewTask): unknown[] {
  if (idempotency === undefined) return [];
  return [{ scope: idempotency.scope, key: idempotency.key, hash: idempotency.bodyHash, task: id, now: createdAt }];
}

function toTaskRow(task: NewTask) {
  return {
    id: task.id,
    owner: task.ownerId,
    workflow: task.workflowId,
    version: task.workflowVersion,
    status: task.status,
    trigger: task.trigger,
    input: JSON.stringify(task.input),
    options: task.options === null ? null : JSON.stringify(task.options),
    parent: task.parentTaskId,
    step: task.parentStep,
    depth: task.depth,
    epoch: task.epoch,
    worker: task.workerId,
    runAt: task.runAt,
    createdAt: task.createdAt,
    startedAt: task.startedAt,
    scope: task.idempotency?.scope ?? null,
    key: task.idempotency?.key ?? null,
  };
}

function toChangeRow({ task, change, entries }: RunWrite): unknown[] {
  if (change === undefined) return [];
  return [
    {
      id: task.id,
      epoch: task.epoch,
      status: change.status,
      runAt: change.runAt,
      wake: change.seenWake,
      now: entries.at(-1)?.at ?? 0,
      result: change.result,
      resultRef: change.resultRef,
      error: change.error === null ? null : JSON.stringify(change.error),
      completedAt: change.completedAt,
    },
  ];
}

function toEntryRow(task: { id: string; epoch: number }, entry: JournalEntry) {
  return {
    ...entry,
    t: task.id,
    e: task.epoch,
    final: Number(entry.final),
    error: entry.error === null ? null : JSON.stringify(entry.error),
    extra: entry.extra === null ? null : JSON.stringify(entry.extra),
  };
}

function toApprovalRow({ task, openApproval, entries }: RunWrite): unknown[] {
  if (openApproval === undefined) return [];
  return [{ t: task.id, e: task.epoch, p: openApproval.path, message: openApproval.message, now: entries.at(-1)?.at ?? 0 }];
}
