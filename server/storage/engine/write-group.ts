import type { NewTask, RunWrite, TaskChange } from "../../engine/store.ts";
import type { Db, Row, Statement } from "../db.ts";
import { listOf } from "./id-list.ts";
import { isShort, pushEntries, pushFirstEntries, pushSharedEntries } from "./insert-entries.ts";
import { claimKey, errorJson, insertTask, isPlain, pushPlainTasks } from "./insert-task.ts";
import {
  type EventOwners,
  NO_EVENT_OWNERS,
  pushRunEvents,
  RUN_EVENT_CHANNEL,
  startedEvent,
} from "./run-events.ts";
import { wakeTasks } from "./task-sql.ts";

/** The channel that announces new rows in `failed_run`. */
export const FAILED_RUN_CHANNEL = "failed_run";

/** A new task, and the first write of its run when that is known already. */
export interface Acceptance {
  task: NewTask;
  first: Omit<RunWrite, "task"> | undefined;
}

export type GroupWrite = Acceptance | RunWrite;

/**
 * Writes of many runs in one batch: one transaction and one fsync for fifty concurrent calls. Each row is fenced by its
 * own epoch, so a run that has lost its task stores nothing and the other runs are not affected. Rows are parameters of
 * prepared statements and not one JSON text, which measured faster (docs/decisions/008). New tasks share statements or are copied,
 * and the entries of several runs share statements. Returns which writes were stored.
 */
export async function writeGroup(
  db: Db,
  writes: readonly GroupWrite[],
  eventOwners: EventOwners = NO_EVENT_OWNERS,
): Promise<boolean[]> {
  const statements: Statement[] = [];
  const locked = writes.flatMap(otherTask);
  if (locked.length > 0) {
    for (const write of writes) if (!isAcceptance(write)) locked.push(write.task.id);
    statements.push(lockInOrder(locked));
  }
  const shared = sharedRecords(writes);
  pushTogether(statements, writes.filter(isPlainAcceptance), db.copiesRows);
  // Before the other rows of these runs: entries lock their task, so that no process takes it over in between.
  const recorded = pushSharedEntries(statements, [...shared], db.dialect);
  // The index of the statement whose count reports that the write was stored.
  const reportedAt = writes.map((write) => {
    if (isAcceptance(write)) return isPlain(write.task) ? undefined : pushAcceptance(statements, write);
    const from = statements.length;
    if (write.change !== undefined) statements.push(changeTask(write, write.change));
    if (!shared.has(write)) {
      pushOtherRows(statements, write, { reportStored: write.change === undefined });
      return from;
    }
    pushRowsBesideEntries(statements, write);
    return write.change === undefined ? undefined : from;
  });
  // After the rows they report: an event is stored only with its task's.
  const withoutEvents = statements.length;
  for (const write of writes) pushEvents(statements, write, eventOwners.has(write.task.ownerId));
  const results = await db.batch(statements, { repeatable: true });
  if (statements.length > withoutEvents) db.notify(RUN_EVENT_CHANNEL, "");
  if (writes.some(reportsFailure)) db.notify(FAILED_RUN_CHANNEL, "");
  const records = new Set(recorded(results));
  return writes.map((write, index) => {
    const at = reportedAt[index];
    if (at !== undefined) return changesOf(results[at]!) > 0;
    return isAcceptance(write) || records.has(write);
  });
}

function pushEvents(statements: Statement[], write: GroupWrite, isSubscribed: boolean): void {
  if (!isAcceptance(write)) return pushRunEvents(statements, write, isSubscribed);
  const { task, first } = write;
  if (isSubscribed) statements.push(startedEvent(task));
  if (first !== undefined) pushRunEvents(statements, { task, ...first }, isSubscribed);
}

/** The result of a counted statement. */
function changesOf([row]: readonly Row[]): number {
  return Number(row?.["changes"] ?? 0);
}

function isAcceptance(write: GroupWrite): write is Acceptance {
  return !("entries" in write);
}

function reportsFailure(write: GroupWrite): boolean {
  return (isAcceptance(write) ? write.first : write)?.reportFailure === true;
}

/** The second task whose row a write locks: the parent that it wakes or starts from. */
function otherTask(write: GroupWrite): string[] {
  if (!isAcceptance(write)) return write.wakeTask === undefined ? [] : [write.wakeTask];
  const { parentTaskId, parentStep } = write.task;
  return parentTaskId === null || parentStep === null ? [] : [parentTaskId];
}

function isPlainAcceptance(write: GroupWrite): write is Acceptance {
  return isAcceptance(write) && isPlain(write.task);
}

const NO_RECORDS: ReadonlySet<RunWrite> = new Set();
/** An epoch that no task has. */
const NONE = -1;

/**
 * Records whose entries share statements. A single record does not: its own statement checks the fence once. All records
 * of a task in them have the same epoch, because the ids that a statement returns do not tell two runs of a task apart. The
 * records of a task that this group inserts later are left out.
 */
function sharedRecords(writes: readonly GroupWrite[]): ReadonlySet<RunWrite> {
  const epochs = new Map<string, number>();
  for (const write of writes)
    if (isAcceptance(write) && !isPlain(write.task)) epochs.set(write.task.id, NONE);
  const shared = new Set<RunWrite>();
  for (const write of writes) {
    if (isAcceptance(write) || !isShort(write)) continue;
    const { id, epoch } = write.task;
    const first = epochs.get(id);
    if (first === undefined) epochs.set(id, epoch);
    if (first === undefined || first === epoch) shared.add(write);
  }
  return shared.size > 1 ? shared : NO_RECORDS;
}

/** Plain tasks and the first writes of their runs. All of them are stored: only their own ids decide. */
function pushTogether(
  statements: Statement[],
  acceptances: readonly Acceptance[],
  copiesRows: boolean,
): void {
  pushPlainTasks(
    statements,
    acceptances.map(({ task, first }) => ({ task, change: first?.change })),
    copiesRows,
  );
  const firstWrites = acceptances.map(({ task, first }) => ({
    task,
    ...first,
    entries: first === undefined ? task.entries : [...task.entries, ...first.entries],
  }));
  pushFirstEntries(
    statements,
    firstWrites.map(({ task: { id, epoch }, entries }) => ({ id, epoch, entries })),
    copiesRows,
  );
  for (const write of firstWrites) pushRowsBesideEntries(statements, write);
}

function pushAcceptance(statements: Statement[], { task, first }: Acceptance): number {
  if (task.idempotency !== undefined) statements.push(claimKey(task));
  const at = statements.length;
  statements.push(...insertTask(task, first?.change));
  const entries = first === undefined ? task.entries : [...task.entries, ...first.entries];
  pushOtherRows(statements, { ...first, task, entries }, { reportStored: false });
  return at;
}

/**
 * A child that wakes its parent writes to two tasks. In the order of their ids, two processes cannot deadlock; and a
 * child whose parent is being cancelled waits for that and is then not inserted.
 */
function lockInOrder(ids: readonly string[]): Statement {
  const { list, params } = listOf([...new Set(ids)]);
  return { sql: `select id from task where id in ${list} order by id /*for-update*/`, params };
}

/** Parking: if anything has ended a wait since this run last checked, the task is due again at once. */
const CHANGE_TASK = `
  update task set
    status = case when $seenWake <> wake then 'queued' else $status end,
    run_at = case when $seenWake <> wake then cast($at as bigint) else cast($runAt as bigint) end,
    result = $result, result_ref = $resultRef, error = $error, worker_id = null, completed_at = $completedAt
  where id = $id and epoch = $epoch`;

function changeTask({ task, entries }: RunWrite, change: TaskChange): Statement {
  return {
    sql: CHANGE_TASK,
    counted: true,
    params: {
      id: task.id,
      epoch: task.epoch,
      status: change.status,
      runAt: change.runAt,
      seenWake: change.seenWake,
      at: entries.at(-1)?.at ?? 0,
      result: change.result,
      resultRef: change.resultRef,
      error: errorJson(change),
      completedAt: change.completedAt,
    },
  };
}

const OPEN_APPROVAL = `
  insert into approval (task_id, path, owner_id, message, context, due_at, requested_at, seq, approvers, required_approvals, on_timeout)
  select id, $path, owner_id, $message, $context, cast($dueAt as bigint), $at, $seq, $approvers, $requiredApprovals, $onTimeout from task where id = $id and epoch = $epoch on conflict do nothing`;

const OPEN_EVENT_WAIT = `
  insert into event_wait (task_id, path, owner_id, name, key, due_at, opened_at)
  select id, $path, owner_id, $name, $key, cast($dueAt as bigint), $at from task where id = $id and epoch = $epoch on conflict do nothing`;

const CLOSE_WAIT = ["approval", "event_wait"].map(
  (table) => `delete from ${table} where task_id = $id and path = $path
    and exists (select 1 from task where id = $id and epoch = $epoch)`,
);

/** The epoch distinguishes the failures of reruns. */
const REPORT_FAILURE = `
  insert into failed_run (task_id, epoch, owner_id, failed_at)
  select id, epoch, owner_id, $at from task where id = $id and epoch = $epoch on conflict do nothing`;

const WAKE_PARENT = wakeTasks(
  "id = $parentId and exists (select 1 from task as child where child.id = $id and child.epoch = $epoch)",
);

/** Everything but the task's own row. With `reportStored`, the first statement is counted, and changes rows only when the task is still this run's. */
function pushOtherRows(statements: Statement[], write: RunWrite, options: { reportStored: boolean }): void {
  pushEntries(statements, write.task, write.entries, options);
  pushRowsBesideEntries(statements, write);
}

function pushRowsBesideEntries(
  statements: Statement[],
  {
    task: { id, epoch },
    entries,
    change,
    openApproval,
    openEventWait,
    closedWaits = [],
    wakeTask,
    reportFailure,
  }: RunWrite,
): void {
  const at = entries.at(-1)?.at ?? 0;
  if (openApproval !== undefined) {
    const { approvers = null, requiredApprovals = 1, onTimeout = null, ...shown } = openApproval;
    const seq = entries.at(-1)?.seq ?? 0;
    statements.push({
      sql: OPEN_APPROVAL,
      params: {
        id,
        epoch,
        ...shown,
        at,
        seq,
        approvers: approvers === null ? null : JSON.stringify(approvers),
        requiredApprovals,
        onTimeout,
      },
    });
  }
  if (openEventWait !== undefined)
    statements.push({ sql: OPEN_EVENT_WAIT, params: { id, epoch, ...openEventWait, at } });
  for (const path of closedWaits)
    for (const sql of CLOSE_WAIT) statements.push({ sql, params: { id, epoch, path } });
  if (reportFailure === true) statements.push({ sql: REPORT_FAILURE, params: { id, epoch, at } });
  if (wakeTask !== undefined) {
    const now = change?.completedAt ?? at;
    statements.push({ sql: WAKE_PARENT, params: { id, epoch, parentId: wakeTask, now } });
  }
}
