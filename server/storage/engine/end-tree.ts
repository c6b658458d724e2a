import type { CancelledTask } from "../../engine/store.ts";
import type { StepError } from "../../engine/tasks/task.ts";
import type { Db, Row, Statement } from "../db.ts";
import { toStatusEntry } from "./journal-rows.ts";
import { endedEvents, RUN_EVENT_CHANNEL } from "./run-events.ts";
import { FINAL, wakeTasks } from "./task-sql.ts";

/**
 * The task `$taskId` and the tasks that end with it. Passes through ended tasks: one that failed may have left a task
 * running below it.
 */
export const ENDS_WITH = `with recursive task_tree (id) as (
  select id from task where id = $taskId
  union select t.id from task as t join task_tree as tree on t.parent_task_id = tree.id
    where t.parent_step is not null and t.on_parent_end is null)`;

/** One more condition of a cancellation, on `$taskId` and its own parameters. */
interface Condition {
  sql: string;
  params: Readonly<Record<string, string | number>>;
}

const ALWAYS: Condition = { sql: "true", params: {} };

/** Cancels a task that has not ended, and the tasks that end with it. */
export function cancelTree(taskId: string, now: number, onlyIf = ALWAYS): Statement[] {
  const isOpen = `exists (select 1 from task as r where r.id = $taskId and r.status not in ${FINAL})`;
  return [
    ...cancelMembers(taskId, now, "true", { ...onlyIf, sql: `${isOpen} and ${onlyIf.sql}` }),
    {
      sql: wakeTasks("id = (select parent_task_id from task where id = $taskId and parent_step is not null)"),
      params: { taskId, now },
    },
  ];
}

/** Cancels the tasks that end with this one, but not this one, while it has this epoch. */
export function cancelBelow(taskId: string, epoch: number, now: number): Statement[] {
  return cancelMembers(taskId, now, "t.id <> $taskId", hasEpoch(taskId, epoch));
}

export function hasEpoch(taskId: string, epoch: number): Condition {
  return {
    sql: "exists (select 1 from task as r where r.id = $taskId and r.epoch = $epoch)",
    params: { taskId, epoch },
  };
}

/** Cancels these tasks, and fails the one in `failed`. */
export function endTasks(
  taskIds: readonly string[],
  now: number,
  { failed, onlyIf = ALWAYS }: { failed?: { id: string; error: StepError }; onlyIf?: Condition },
): Statement[] {
  const ids = JSON.stringify(taskIds);
  const members = "(select value from json_each(cast($ids as text)))";
  return [
    { sql: `select id from task where id in ${members} order by id /*for-update*/`, params: { ids } },
    {
      sql: `update task set status = case when id = $failedId then 'failed' else 'cancelled' end,
              error = case when id = $failedId then cast($error as text) end,
              epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $now
            where id in ${members} and status not in ${FINAL} and ${onlyIf.sql} returning id, lane, trigger`,
      params: {
        ids,
        failedId: failed?.id ?? "",
        error: JSON.stringify(failed?.error ?? null),
        now,
        ...onlyIf.params,
      },
    },
    {
      sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, error, at)
            select t.id, coalesce((select max(seq) from journal where task_id = t.id), 0) + 1, t.epoch, 'status', '', '', t.status, 0, 0, t.error, $now
            from task as t
            where t.id in ${members} and t.status in ('failed', 'cancelled') and t.completed_at = $now
              and not exists (select 1 from journal as j where j.task_id = t.id and j.epoch = t.epoch)
            returning *`,
      params: { ids, now },
    },
    {
      sql: `delete from approval where task_id in (select id from task where id in ${members} and status in ('failed', 'cancelled'))`,
      params: { ids },
    },
    endedEvents(`t.id in ${members}`, { ids, now }),
    {
      sql: `delete from event_wait where task_id in (select id from task where id in ${members} and status in ('failed', 'cancelled'))`,
      params: { ids },
    },
    ...(failed === undefined ? [] : [reportFailure(failed.id, now)]),
  ];
}

/** Rare, so the database decides whether an error workflow runs. */
function reportFailure(taskId: string, now: number): Statement {
  return {
    sql: `insert into failed_run (task_id, epoch, owner_id, failed_at)
          select t.id, t.epoch, t.owner_id, cast($now as bigint) from task as t left join workspace as a on a.id = t.owner_id
          where t.id = $taskId and t.status = 'failed' and t.completed_at = $now and t.parent_step is null
            and t.trigger not in ('error', 'partial') and (a.error_workflow_id is not null or t.options like '%"hasErrorWorkflow"%')
          on conflict do nothing`,
    params: { taskId, now },
  };
}

function cancelMembers(taskId: string, now: number, members: string, onlyIf: Condition): Statement[] {
  return [
    lockTree(taskId),
    {
      // The epoch is raised: a run that is still in progress can record nothing from here on.
      sql: `${ENDS_WITH}
            update task as t set status = 'cancelled', epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $now
            where t.id in (select id from task_tree) and t.status not in ${FINAL} and ${members} and ${onlyIf.sql} returning id, lane, trigger`,
      params: { taskId, now, ...onlyIf.params },
    },
    {
      // The tasks cancelled just now are those without an entry of their present epoch.
      sql: `${ENDS_WITH}
            insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, at)
            select t.id, coalesce((select max(seq) from journal where task_id = t.id), 0) + 1, t.epoch, 'status', '', '', 'cancelled', 0, 0, $now
            from task as t
            where t.id in (select id from task_tree) and t.status = 'cancelled' and t.completed_at = $now
              and not exists (select 1 from journal as j where j.task_id = t.id and j.epoch = t.epoch)
            returning *`,
      params: { taskId, now },
    },
    {
      sql: `${ENDS_WITH} delete from approval
            where task_id in (select tree.id from task_tree as tree join task as t on t.id = tree.id where t.status = 'cancelled')`,
      params: { taskId },
    },
    endedEvents("t.id in (select id from task_tree)", { taskId, now }, ENDS_WITH),
    {
      sql: `${ENDS_WITH} delete from event_wait
            where task_id in (select tree.id from task_tree as tree join task as t on t.id = tree.id where t.status = 'cancelled')`,
      params: { taskId },
    },
  ];
}

/**
 * Comes first and by itself. The insert of a child holds its parent's row, so this waits for it; without the lock the
 * update would not see the child and leave it running. The order by id is that of the runs' writes, which prevents a
 * deadlock.
 */
function lockTree(taskId: string): Statement {
  return {
    sql: `${ENDS_WITH}
          select id from task where id in (select id from task_tree) and status not in ${FINAL}
            or id = (select parent_task_id from task where id = $taskId and parent_step is not null)
          order by id /*for-update*/`,
    params: { taskId },
  };
}

export async function endAll(db: Db, statements: readonly Statement[]): Promise<CancelledTask[]> {
  return announceEnded(db, await db.batch(statements));
}

/** Reads the rows that the statements of `cancelTree` have returned, and announces the events among them. */
export function announceEnded(db: Db, rows: readonly Row[][]): CancelledTask[] {
  const [, cancelled = [], entries = []] = rows;
  if (rows.some(([first]) => first?.["event_id"] !== undefined)) db.notify(RUN_EVENT_CHANNEL, "");
  if (cancelled.length === 0) return [];
  const tasks = new Map(cancelled.map((row) => [row["id"], row]));
  return entries.map((row) => {
    const { lane, trigger } = tasks.get(row["task_id"]) as Pick<CancelledTask, "lane" | "trigger">;
    return { taskId: row["task_id"] as string, lane, trigger, entry: toStatusEntry(row) };
  });
}
