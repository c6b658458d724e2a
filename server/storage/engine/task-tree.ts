import { iterationOf } from "../../../contract/step-path.ts";
import type { EngineStore } from "../../engine/store.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { Db, Statement } from "../db.ts";
import { cancelBelow, cancelTree, endAll, ENDS_WITH, endTasks, hasEpoch } from "./end-tree.ts";
import { clearedJson } from "./journal-rows.ts";
import { forgetHours } from "./task-hours.ts";
import { FINAL } from "./task-sql.ts";

/** The task `$taskId`, the tasks that its steps have started, and so on down, as far as `condition` holds. */
function treeOf(condition: string): string {
  return `with recursive task_tree (id) as (
    select t.id from task as t where t.id = $taskId ${condition}
    union select t.id from task as t join task_tree as tree on t.parent_task_id = tree.id where t.parent_step is not null ${condition})`;
}

/** The task and its descendants that have not ended. */
export const OPEN_TREE = treeOf(`and t.status not in ${FINAL}`);

/** A task together with the tasks that its steps have started. */
export function createTaskTreeStore(
  db: Db,
): Pick<
  EngineStore,
  "childId" | "countDescendants" | "cancel" | "hold" | "cancelDescendants" | "failTree" | "reopen"
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

    cancel: (taskId, now) => endAll(db, cancelTree(taskId, now)),

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

    async failTree(rootTaskId, error, limit, now) {
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

/** Open tasks that end with this one, those nearest to it first: a task never sees that one it started was cancelled. */
async function openBelow(db: Db, taskId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `${ENDS_WITH} select id from task where id in (select id from task_tree) and id <> $taskId and status not in ${FINAL}
     order by depth, id limit $limit`,
    { taskId, limit },
  );
  return rows.map(({ id }) => id);
}
