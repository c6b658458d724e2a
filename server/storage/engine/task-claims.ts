import type { EngineStore } from "../../engine/store.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { Db } from "../db.ts";
import { TASK_COLUMNS, wakeTasks } from "./task-sql.ts";
import { readableTasks } from "./unreadable-tasks.ts";

type ClaimStore = Pick<
  EngineStore,
  "claimDue" | "countDue" | "nextDue" | "wake" | "ownTasks" | "epoch" | "releaseTask" | "release"
>;

/** Which process works on a task. Every change of hands raises the epoch, so that the process before it can record nothing. */
export function createClaimStore(db: Db): ClaimStore {
  return {
    async claimDue(workerId, limit, now, lane = TASK_LANE) {
      const claim = {
        // Materialized: as the inner side of a join it would run again for each row and lock other tasks each time.
        sql: `with due as materialized
                (select id from task where lane = $lane and run_at <= $now order by run_at limit $limit /*skip-locked*/)
              update task set status = 'running', epoch = epoch + 1, worker_id = $workerId, run_at = null,
                started_at = coalesce(started_at, $now)
              where id in (select id from due)
              returning ${TASK_COLUMNS}, case when exists (select 1 from journal where task_id = task.id) then 0 else 1 end as is_blank`,
        params: { workerId, limit, now, lane },
      };
      // Sent twice after a lost reply, it claims other tasks. Those of the first claim are found as orphans.
      const [rows = []] = await db.batch([claim], { repeatable: true, alone: true });
      return readableTasks(db, rows, now);
    },

    async countDue(limit, now, lane = TASK_LANE) {
      const [row] = await db.query(
        // A count needs no order, but without one PostgreSQL scans the table from its beginning.
        `select count(*) as due from
           (select 1 from task where lane = $lane and run_at <= $now order by run_at limit $limit) as due_tasks`,
        { lane, now, limit },
      );
      return Number(row?.["due"]);
    },

    async nextDue(lane = TASK_LANE) {
      const [row] = await db.query(
        "select min(run_at) as due from task where lane = $lane and run_at is not null",
        { lane },
      );
      const due = row?.["due"] ?? null;
      return due === null ? null : Number(due);
    },

    async wake(taskId, now) {
      await db.batch([{ sql: wakeTasks("id = $taskId"), params: { taskId, now } }]);
    },

    async ownTasks(workerId) {
      const rows = await db.query(
        "select id, epoch from task where worker_id = $workerId and status = 'running'",
        { workerId },
      );
      return rows.map((row) => ({ id: row["id"] as string, epoch: Number(row["epoch"]) }));
    },

    async epoch(taskId) {
      const [row] = await db.query("select epoch from task where id = $taskId", { taskId });
      return row === undefined ? undefined : Number(row["epoch"]);
    },

    async releaseTask({ id, epoch }, now) {
      await db.batch([
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $now
                where id = $id and epoch = $epoch and status = 'running'`,
          params: { id, epoch, now },
        },
      ]);
    },

    async release(workerId, now) {
      await db.batch([
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $now
                where worker_id = $workerId and status = 'running'`,
          params: { workerId, now },
        },
        { sql: "delete from worker where id = $workerId", params: { workerId } },
      ]);
    },
  };
}
