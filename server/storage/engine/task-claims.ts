import type { EngineStore } from "../../engine/store.ts";
import type { OwnerCount } from "../../engine/task-queue.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { Db, Row } from "../db.ts";
import { FINAL, TASK_COLUMNS, wakeTasks } from "./task-sql.ts";
import { readableTasks } from "./unreadable-tasks.ts";

type ClaimStore = Pick<
  EngineStore,
  | "claimDue"
  | "countDue"
  | "pollDue"
  | "furtherDueOwners"
  | "wake"
  | "requestRetry"
  | "ownTasks"
  | "epoch"
  | "releaseTask"
  | "release"
>;

const OWNERS_PER_SEARCH = 64;
const TASKS_PER_OWNER = 16;
/** A claim of more is several statements: each number of tasks is a separate statement. */
const TASKS_PER_CLAIM = 16;
const MAX_RETRY_REQUESTS_LENGTH = 10_000;

/** Which process works on a task. Every claim raises the epoch, so that the previous process can record nothing. */
export function createClaimStore(db: Db): ClaimStore {
  return {
    async claimDue(workerId, shares, now, lane = TASK_LANE, knownInput) {
      const claims = shares.flatMap(({ ownerId, count }) =>
        claimSizes(count).map((size) => ({
          sql: CLAIMS[size]!,
          params: { workerId, ownerId, now, lane },
        })),
      );
      // Sent twice after a lost reply, it claims other tasks. Those of the first claim are found as orphans.
      const rows = await db.batch(claims, { repeatable: true, alone: true, genericPlan: true });
      return readableTasks(db, rows.flat(), now, knownInput);
    },

    async countDue(ownerId, limit, now) {
      const [row] = await db.query(
        `select count(*) as tasks from (select 1 from task
           where lane = '${TASK_LANE}' and owner_id = $ownerId and run_at <= $now order by run_at limit $limit) as due_tasks`,
        { ownerId, limit, now },
      );
      return Number(row?.["tasks"]);
    },

    async pollDue(limit, now, lane = TASK_LANE) {
      // The row without an owner holds the time.
      const rows = await db.query(
        `select owner_id, count(*) as due from
           (select owner_id from task where lane = $lane and run_at <= $now order by run_at limit $limit) as due_tasks
         group by owner_id
         union all
         select null, min(run_at) from task where lane = $lane and run_at > $now`,
        { lane, now, limit },
        { genericPlan: true },
      );
      const next = rows.find((row) => row["owner_id"] === null)?.["due"] ?? null;
      return {
        due: rows.filter((row) => row["owner_id"] !== null).map(toOwnerCount),
        next: next === null ? null : Number(next),
      };
    },

    async furtherDueOwners(afterOwner, now, lane = TASK_LANE) {
      // One index seek for the next owner and one for the tasks of that owner, however many tasks there are.
      const rows = await db.query(
        `with recursive owner(id, number) as (
           select (select min(owner_id) from task where lane = $lane and run_at is not null and owner_id > $afterOwner), 1
           union all
           select (select min(owner_id) from task where lane = $lane and run_at is not null and owner_id > owner.id), number + 1
           from owner where owner.id is not null and number < ${OWNERS_PER_SEARCH}
         )
         select id as owner_id, (select count(*) from (select 1 from task
             where lane = $lane and owner_id = owner.id and run_at <= $now order by run_at limit ${TASKS_PER_OWNER}) as due_tasks) as due
         from owner where id is not null`,
        { lane, now, afterOwner },
      );
      const isEnd = rows.length < OWNERS_PER_SEARCH;
      return {
        due: rows.map(toOwnerCount).filter(({ count }) => count > 0),
        lastOwner: isEnd ? "" : (rows.at(-1)?.["owner_id"] as string),
      };
    },

    async wake(taskId, now) {
      await db.batch([{ sql: wakeTasks("id = $taskId"), params: { taskId, now } }]);
    },

    async requestRetry(taskId, request) {
      const where = `id = $taskId and status not in ${FINAL}`;
      const [open = []] = await db.batch([
        {
          // Old lines are dropped when there are many: a request counts only until the attempt has started.
          sql: `update task set retry_requests = case when length(retry_requests) < ${MAX_RETRY_REQUESTS_LENGTH}
                  then retry_requests || cast($line as text) else cast($line as text) end
                where ${where} returning id`,
          params: { taskId, line: `${JSON.stringify(request)}\n` },
        },
        { sql: wakeTasks(where), params: { taskId, now: request.at } },
      ]);
      return open.length === 1;
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
        // In the order of a recovery, which locks the row of a process before its tasks.
        { sql: "delete from worker where id = $workerId", params: { workerId } },
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $now
                where worker_id = $workerId and status = 'running'`,
          params: { workerId, now },
        },
      ]);
    },
  };
}

/**
 * By the number of tasks. Materialized: as the inner side of a join it would run again for each row and lock other
 * tasks each time.
 */
const CLAIMS = Array.from(
  { length: TASKS_PER_CLAIM + 1 },
  (_, count) => `
  with due as materialized
    (select id from task where lane = $lane and owner_id = $ownerId and run_at <= $now
     order by run_at limit ${count} /*skip-locked*/)
  update task set status = 'running', epoch = epoch + 1, worker_id = $workerId, run_at = null,
    started_at = coalesce(started_at, $now)
  where id in (select id from due)
  returning ${TASK_COLUMNS}, case when exists (select 1 from journal where task_id = task.id) then 0 else 1 end as is_blank`,
);

function claimSizes(count: number): number[] {
  const whole = Math.floor(count / TASKS_PER_CLAIM);
  const rest = count % TASKS_PER_CLAIM;
  return [...Array.from({ length: whole }, () => TASKS_PER_CLAIM), ...(rest > 0 ? [rest] : [])];
}

function toOwnerCount(row: Row): OwnerCount {
  return { ownerId: row["owner_id"] as string, count: Number(row["due"]) };
}
