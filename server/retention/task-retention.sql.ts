import { ownerConditions, type PrunableRecord, type PrunableTable } from "./prunable-table.ts";
import type { Db } from "../storage/db.ts";
import { forgetHours } from "../storage/engine/task-hours.ts";
import { unlinkFiles } from "../storage/engine/task-files.ts";
import { FINAL } from "../storage/engine/task-sql.ts";
import { deleteFirst } from "../storage/delete-first.ts";

const OPEN = "('queued', 'running', 'waiting', 'waiting_approval')";
/** A replay may outlive its original, since it holds copies of the results; a sub-workflow is deleted after its parent. */
const HAS_PARENT = `
  exists (select 1 from task as p where p.id = t.parent_task_id and (t.parent_step is not null or p.status not in ${FINAL}))`;

/** Their rows end with their task. */
const DEPENDENT_TABLES = [
  "journal",
  "approval",
  "approval_decision",
  "approval_link",
  "event_wait",
  "failed_run",
  "run_group_member",
  "task_input",
  "a2a_message",
  "a2a_push_config",
];

/** Without its key, an item whose start was not recorded before a crash would start a second run. */
const IS_OF_PENDING_ITEM = `
  scope like 'trigger:%' and exists (select 1 from trigger_item as item
    where item.trigger_id = substr(idempotency.scope, 9) and item.item_key = idempotency.key and item.task_id is null)`;

/** Deletes up to `limit` idempotency keys created at or before `before`; returns how many. */
export async function dropIdempotencyKeys(db: Db, before: number, limit: number): Promise<number> {
  const [dropped = []] = await db.batch([
    {
      sql: `delete from idempotency where (scope, key) in
              (select scope, key from idempotency where created_at <= $before and not (${IS_OF_PENDING_ITEM})
               order by created_at limit $limit) returning 1 as one`,
      params: { before, limit },
    },
  ]);
  return dropped.length;
}

/** Ids of an owner's tasks that have not ended, oldest first. Those of sessions and documents are ended by them. */
export async function listOpenTasks(db: Db, ownerId: string, limit: number): Promise<string[]> {
  const rows = await db.query(
    `select id from task where owner_id = $ownerId and status <> 'completed' and status in ${OPEN} and lane = 'task'
     order by id limit $limit`,
    { ownerId, limit },
  );
  return rows.map((row) => row["id"] as string);
}

/** An owner's tasks, oldest first. */
export async function listTasks(db: Db, ownerId: string, limit: number): Promise<PrunableRecord[]> {
  const rows = await db.query(
    `select t.id, (select count(*) from journal as j where j.task_id = t.id) as rows
     from task as t where t.owner_id = $ownerId and t.lane = 'task' order by t.id limit $limit`,
    { ownerId, limit },
  );
  return rows.map((row) => ({ id: row["id"] as string, rows: Number(row["rows"]) }));
}

/**
 * Not prunable: a task with an unfinished parent, child or replay, and a sub-workflow or tool task while its parent exists,
 * because a rerun of the parent needs its result.
 */
export function createPrunableTasks(db: Db): PrunableTable {
  return {
    async findPrunable(afterId, cutoff, limit, pruned) {
      const { read, prune, owners } = ownerConditions(pruned);
      const rows = await db.query(
        `select t.id, t.owner_id, t.created_at, case when t.status in ${FINAL} and t.completed_at < $cutoff and not ${HAS_PARENT} and t.${prune} then 1 else 0 end as prunable,
           (select count(*) from journal as j where j.task_id = t.id) as rows
         from (select * from task where id > $afterId and id > 'task_' and ${read} order by id limit $limit) as t order by t.id`,
        { afterId, cutoff, limit, owners },
      );
      const last = rows.at(-1);
      const prunable = rows.filter((row) => Number(row["prunable"]) === 1);
      const hasOpenChildren = await findWithOpenChildren(
        prunable.map((row) => [row["owner_id"] as string, row["id"] as string]),
      );
      return {
        prunable: prunable
          .map((row) => ({ id: row["id"] as string, rows: Number(row["rows"]) }))
          .filter(({ id }) => !hasOpenChildren.has(id)),
        lastId: last === undefined || Number(last["created_at"]) >= cutoff ? null : (last["id"] as string),
      };
    },

    async hide(taskId) {
      const [, , hidden = []] = await db.batch([
        ...forgetHours([taskId]),
        {
          sql: `update task set owner_id = '' where id = $taskId and status in ${FINAL} returning id`,
          params: { taskId },
        },
      ]);
      return hidden.length === 1;
    },

    trim: (taskId, limit) =>
      deleteFirst(db, { table: "journal", group: "task_id", key: "seq", value: taskId }, limit),

    async remove(taskIds) {
      const params = { ids: JSON.stringify(taskIds) };
      const chosen = "(select value from json_each(cast($ids as text)))";
      // The task first: a task that a rerun reopened keeps its row, and with it its journal, approvals and input.
      const [, , removed = []] = await db.batch([
        ...forgetHours(taskIds),
        { sql: `delete from task where id in ${chosen} and status in ${FINAL} returning id`, params },
        ...DEPENDENT_TABLES.map((table) => ({
          sql: `delete from ${table} where task_id in ${chosen} and not exists (select 1 from task where id = ${table}.task_id)`,
          params,
        })),
        {
          sql: `delete from a2a_task where id in ${chosen} and not exists (select 1 from task where id = a2a_task.id)`,
          params,
        },
        ...unlinkFiles(taskIds),
      ]);
      return removed.map((row) => row["id"] as string);
    },
  };

  /** Ids with an unfinished sub-workflow or replay. Searched by owner: replays have no index by parent, and an owner's open tasks are few. */
  async function findWithOpenChildren(
    tasks: readonly (readonly [ownerId: string, id: string])[],
  ): Promise<Set<string>> {
    if (tasks.length === 0) return new Set();
    const rows = await db.query(
      `select parent_task_id from task
       where owner_id in (select value from json_each(cast($ownerIds as text))) and id > 'task_' and status <> 'completed' and status in ${OPEN}
         and parent_task_id in (select value from json_each(cast($taskIds as text)))`,
      {
        ownerIds: JSON.stringify([...new Set(tasks.map(([ownerId]) => ownerId))]),
        taskIds: JSON.stringify(tasks.map(([, id]) => id)),
      },
    );
    return new Set(rows.map((row) => row["parent_task_id"] as string));
  }
}
