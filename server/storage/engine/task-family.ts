import { iterationOf } from "../../../contract/step-path.ts";
import type { CancelledTask, EngineStore } from "../../engine/store.ts";
import type { StepError } from "../../engine/tasks/task.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { Db, Row, Statement } from "../db.ts";
import { clearedJson, toStatusEntry } from "./journal-rows.ts";
import { endedEvents, RUN_EVENT_CHANNEL } from "./run-events.ts";
import { forgetHours } from "./task-hours.ts";
import { FINAL, wakeTasks } from "./task-sql.ts";

/** The task `$taskId`, the tasks that its steps have started, and so on down, as far as `condition` holds. */
function family(condition: string): string {
  return `with recursive family (id) as (
    select t.id from task as t where t.id = $taskId ${condition}
    union select t.id from task as t join family as f on t.parent_task_id = f.id where t.parent_step is not null ${condition})`;
}

/** The tasks of the family that have not ended. */
export const OPEN_FAMILY = family(`and t.status not in ${FINAL}`);

/**
 * The task `$taskId` and the tasks that end with it. Passes through ended tasks: one that failed may have left a task
 * running below it.
 */
const ENDS_WITH = `with recursive family (id) as (
  select id from task where id = $taskId
  union select t.id from task as t join family as f on t.parent_task_id = f.id
    where t.parent_step is not null and t.on_parent_end is null)`;

/** A task together with the tasks that its steps have started. */
export function createFamilyStore(
  db: Db,
): Pick<
  EngineStore,
  "childId" | "countDescendants" | "cancel" | "hold" | "cancelDescendants" | "failFamily" | "reopen"
> {
  return {
    async childId(taskId, path) {
      const [row] = await db.query(
        "select id from task where parent_task_id = $taskId and parent_step = $path",
        { taskId, path },
      );
      return row?.["id"] as string | undefined;
    },

    async countDescendants(rootTaskId, limit) {
      const [row] = await db.query(
        `select count(*) as tasks from
           (select 1 from task where root_task_id = $rootTaskId limit $limit) as descendants`,
        { rootTaskId, limit },
      );
      return Number(row?.["tasks"]);
    },

    cancel: (taskId, now) => endAll(db, cancelFamily(taskId, now)),

    async hold(taskId, minOpen, until) {
      if ((await openBelow(db, taskId, minOpen)).length < minOpen) return undefined;
      const [held = []] = await db.batch([
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $until
                where id = $taskId and status not in ${FINAL} returning id, epoch`,
          params: { taskId, until },
        },
      ]);
      return held.length === 0 ? undefined : { id: taskId, epoch: Number(held[0]?.["epoch"]) };
    },

    async cancelDescendants({ id, epoch }, limit, now) {
      const open = await openBelow(db, id, limit + 1);
      const isMore = open.length > limit;
      return endAll(
        db,
        isMore
          ? endTasks(open.slice(0, limit), now, { onlyIf: hasEpoch(id, epoch) })
          : cancelBelow(id, epoch, now),
      );
    },

    async failFamily(rootTaskId, error, limit, now) {
      const open = await db.query<{ id: string }>(
        `select id from task where id = $rootTaskId and lane = '${TASK_LANE}' and completed_at is null
         union all
         select id from (select id from task where root_task_id = $rootTaskId and completed_at is null
           and lane = '${TASK_LANE}' limit $limit) as started
         limit $limit`,
        { rootTaskId, limit },
      );
      if (open.length === 0) return [];
      const ids = open.map(({ id }) => id);
      return endAll(db, endTasks(ids, now, { failed: { id: rootTaskId, error } }));
    },

    async reopen(taskId, expected, entry, version, now) {
      const stale = await startedByIterations(db, taskId, entry.restarted ?? []);
      const [, , reopened = []] = await db.batch([
        ...forgetHours([taskId]),
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, run_at = $now, completed_at = null, result = null, result_ref = null,
                  error = null, workflow_version = $version, lives = 0
                where id = $taskId and status = $expected returning id`,
          params: { taskId, expected, now, version },
        },
        {
          sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, output, at)
                select id, $seq, epoch, 'rerun', '', '', 'queued', 0, 0, $cleared, $now
                from task where id = $taskId and status = 'queued' and run_at = $now
                on conflict do nothing`,
          params: { taskId, seq: entry.seq, cleared: clearedJson(entry), now },
        },
        ...(stale.length === 0 ? [] : [detach(taskId, stale, now)]),
      ]);
      return reopened.length === 1;
    },
  };
}

/** Ids of the tasks that these steps, or iterations of these loops, have started. The parent has ended: no task is added meanwhile. */
async function startedByIterations(db: Db, taskId: string, loops: readonly string[]): Promise<string[]> {
  if (loops.length === 0) return [];
  const children = await db.query(
    "select id, parent_step from task where parent_task_id = $taskId and parent_step is not null",
    { taskId },
  );
  return children
    .filter((row) => {
      const path = row["parent_step"] as string;
      return loops.some((loop) => path === loop || iterationOf(path, loop) !== undefined);
    })
    .map((row) => row["id"] as string);
}

function detach(taskId: string, childIds: readonly string[], now: number): Statement {
  return {
    sql: `update task set parent_step = null where id in (select value from json_each(cast($childIds as text)))
            and exists (select 1 from task as p where p.id = $taskId and p.status = 'queued' and p.run_at = $now)`,
    params: { taskId, childIds: JSON.stringify(childIds), now },
  };
}

/** One more condition of a cancellation, on `$taskId` and its own parameters. */
interface Condition {
  sql: string;
  params: Readonly<Record<string, string | number>>;
}

const ALWAYS: Condition = { sql: "true", params: {} };

/** Cancels a task that has not ended, and the tasks that end with it. */
export function cancelFamily(taskId: string, now: number, onlyIf = ALWAYS): Statement[] {
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
function cancelBelow(taskId: string, epoch: number, now: number): Statement[] {
  return cancelMembers(taskId, now, "t.id <> $taskId", hasEpoch(taskId, epoch));
}

function hasEpoch(taskId: string, epoch: number): Condition {
  return {
    sql: "exists (select 1 from task as r where r.id = $taskId and r.epoch = $epoch)",
    params: { taskId, epoch },
  };
}

/** Open tasks that end with this one, those nearest to it first: a task never sees that one it started was cancelled. */
async function openBelow(db: Db, taskId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `${ENDS_WITH} select id from task where id in (select id from family) and id <> $taskId and status not in ${FINAL}
     order by depth, id limit $limit`,
    { taskId, limit },
  );
  return rows.map(({ id }) => id);
}

/** Cancels these tasks, and fails the one in `failed`. */
function endTasks(
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
    lockFamily(taskId),
    {
      // The epoch is raised: a run that is still in progress can record nothing from here on.
      sql: `${ENDS_WITH}
            update task as t set status = 'cancelled', epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $now
            where t.id in (select id from family) and t.status not in ${FINAL} and ${members} and ${onlyIf.sql} returning id, lane, trigger`,
      params: { taskId, now, ...onlyIf.params },
    },
    {
      // The tasks cancelled just now are those without an entry of their present epoch.
      sql: `${ENDS_WITH}
            insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, at)
            select t.id, coalesce((select max(seq) from journal where task_id = t.id), 0) + 1, t.epoch, 'status', '', '', 'cancelled', 0, 0, $now
            from task as t
            where t.id in (select id from family) and t.status = 'cancelled' and t.completed_at = $now
              and not exists (select 1 from journal as j where j.task_id = t.id and j.epoch = t.epoch)
            returning *`,
      params: { taskId, now },
    },
    {
      sql: `${ENDS_WITH} delete from approval
            where task_id in (select f.id from family as f join task as t on t.id = f.id where t.status = 'cancelled')`,
      params: { taskId },
    },
    endedEvents("t.id in (select id from family)", { taskId, now }, ENDS_WITH),
    {
      sql: `${ENDS_WITH} delete from event_wait
            where task_id in (select f.id from family as f join task as t on t.id = f.id where t.status = 'cancelled')`,
      params: { taskId },
    },
  ];
}

/**
 * Comes first and by itself. The insert of a child holds its parent's row, so this waits for it; without the lock the
 * update would not see the child and leave it running. The order by id is that of the runs' writes, which prevents a
 * deadlock.
 */
function lockFamily(taskId: string): Statement {
  return {
    sql: `${ENDS_WITH}
          select id from task where id in (select id from family) and status not in ${FINAL}
            or id = (select parent_task_id from task where id = $taskId and parent_step is not null)
          order by id /*for-update*/`,
    params: { taskId },
  };
}

/** The events of ended tasks are the fifth of the statements. */
async function endAll(db: Db, statements: readonly Statement[]): Promise<CancelledTask[]> {
  const rows = await db.batch(statements);
  if ((rows[4]?.length ?? 0) > 0) db.notify(RUN_EVENT_CHANNEL, "");
  return toCancelled(rows);
}

/** Reads the rows that the statements of `cancelFamily` have returned. */
export function toCancelled([, cancelled = [], entries = []]: readonly Row[][]): CancelledTask[] {
  if (cancelled.length === 0) return [];
  const tasks = new Map(cancelled.map((row) => [row["id"], row]));
  return entries.map((row) => {
    const { lane, trigger } = tasks.get(row["task_id"]) as Pick<CancelledTask, "lane" | "trigger">;
    return { taskId: row["task_id"] as string, lane, trigger, entry: toStatusEntry(row) };
  });
}
