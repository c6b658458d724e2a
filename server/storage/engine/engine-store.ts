import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { stepTypes } from "../../../contract/steps/catalogue.ts";
import type { ApprovalDecision, EngineStore, StoredOutput } from "../../engine/store.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { Db, Row, Statement } from "../db.ts";
import { cancelFamily, OPEN_FAMILY, toCancelled } from "./cancel-family.ts";
import { createTaskReads } from "./read-tasks.ts";
import { toAttempt, toEntry } from "./journal-rows.ts";
import { TASK_COLUMNS, toEngineTask } from "./rows.ts";
import { FINAL } from "./statuses.ts";
import { WAKE_TASK } from "./write-group.ts";
import { createWriteQueue } from "./write-queue.ts";

/** Types whose output the run needs to restore which edges were taken, in SQL. */
const BRANCHING_TYPES = `(${stepTypes
  .filter(({ traits }) => traits.branching !== undefined)
  .map(({ type }) => `'${type}'`)
  .join(", ")})`;

/** In place of a worker: found by the same index, taken by nobody. */
const HELD_BACK = "held_back";

export function createEngineStore(db: Db): EngineStore {
  const queue = createWriteQueue(db);

  async function wake(taskId: string, now: number): Promise<void> {
    await db.batch([{ sql: WAKE_TASK, params: [taskId, now] }]);
  }

  return {
    ...queue,
    ...createTaskReads(db),
    wake,

    async heads(taskId, afterSeq = 0, limit = Number.MAX_SAFE_INTEGER) {
      const rows = await db.query(
        `select task_id, seq, kind, path, type, status, attempt, final, output_ref, error, due, started_at, at,
           case when kind = 'rerun' or type in ${BRANCHING_TYPES} then output end as output
         from journal where task_id = $1 and seq > $2 order by seq limit $3`,
        [taskId, afterSeq, limit],
      );
      return rows.map(toEntry);
    },

    async entries(taskId, afterSeq, limit) {
      const rows = await db.query(
        "select * from journal where task_id = $1 and seq > $2 order by seq limit $3",
        [taskId, afterSeq, limit],
      );
      return rows.map(toEntry);
    },

    async attempts(taskId, path, beforeSeq, limit) {
      const rows = await db.query(
        `select * from journal
         where task_id = $1 and path = $2 and kind in ('attempt', 'step') and status <> 'skipped' and seq < $3 order by seq desc limit $4`,
        [taskId, path, beforeSeq, limit],
      );
      return rows.map(toAttempt);
    },

    async lastSeq(taskId) {
      const [row] = await db.query("select max(seq) as seq from journal where task_id = $1", [taskId]);
      return Number(row?.["seq"] ?? 0);
    },

    async outputs(taskId, paths) {
      const rows = await db.query(
        `select path, output, output_ref from journal
         where task_id = $1 and kind = 'step' and path in (select value from json_each(cast($2 as text))) order by seq desc`,
        [taskId, JSON.stringify(paths)],
      );
      const newest = new Map<string, StoredOutput>();
      for (const row of rows)
        if (!newest.has(row["path"] as string)) newest.set(row["path"] as string, toOutput(row));
      return [...newest.values()];
    },

    async finalOutputs(taskId, prefix) {
      const rows = await db.query(
        `select path, output, output_ref from journal
         where task_id = $1 and kind = 'step' and final = 1 and status <> 'skipped' and substr(path, 1, ${prefix.length}) = $2 order by seq`,
        [taskId, prefix],
      );
      return rows.map(toOutput);
    },

    async items(taskId, path) {
      const [row] = await db.query(
        "select path, output, output_ref from journal where task_id = $1 and kind = 'items' and path = $2",
        [taskId, path],
      );
      return row === undefined ? undefined : toOutput(row);
    },

    async claimDue(workerId, limit, now, lane = TASK_LANE) {
      const claim: Statement = {
        // Materialized: planned as the inner side of a join it would be asked again, and lock other tasks each time.
        sql: `with due as materialized (select id from task where lane = $4 and run_at <= $3 order by run_at limit $2 /*skip-locked*/)
                update task set status = 'running', epoch = epoch + 1, worker_id = $1, run_at = null, started_at = coalesce(started_at, $3)
                where id in (select id from due)
                returning ${TASK_COLUMNS}, case when exists (select 1 from journal where task_id = task.id) then 0 else 1 end as is_blank`,
        params: [workerId, limit, now, lane],
      };
      // Sent again it takes others: what the first one took, unheard, is found as ours and under nobody's hands.
      const [rows = []] = await db.batch([claim], { repeatable: true, alone: true });
      return rows.map((row) => ({ ...toEngineTask(row), isBlank: Number(row["is_blank"]) === 1 }));
    },

    async countDue(limit, now, lane = TASK_LANE) {
      const [row] = await db.query(
        // In an order, although it does not matter to a count: without one PostgreSQL reads the table from its beginning.
        "select count(*) as due from (select 1 from task where lane = $1 and run_at <= $2 order by run_at limit $3) as soon",
        [lane, now, limit],
      );
      return Number(row?.["due"]);
    },

    async nextDue(lane = TASK_LANE) {
      const [row] = await db.query(
        "select min(run_at) as due from task where lane = $1 and run_at is not null",
        [lane],
      );
      return row?.["due"] === null || row === undefined ? null : Number(row["due"]);
    },

    async backlog(now, leaseMs) {
      const [due] = await db.query(
        "select count(*) as due, min(run_at) as oldest from task where run_at is not null and run_at <= $1",
        [now],
      );
      const [stuck] = await db.query(
        `select count(*) as stuck from task where worker_id is not null and (worker_id = '${HELD_BACK}'
           or worker_id not in (select id from worker where heartbeat_at >= $1) and cast($1 as bigint) is not null)`,
        [leaseMs === undefined ? null : now - leaseMs],
      );
      return {
        due: Number(due?.["due"]),
        oldestDueAt: due?.["oldest"] === null || due === undefined ? null : Number(due["oldest"]),
        stuck: Number(stuck?.["stuck"]),
      };
    },

    async recover(deadWorkers, maxCrashes, now) {
      const gone = `(cast($2 as bigint) is null
        or not exists (select 1 from worker as w where w.id = task.worker_id and w.heartbeat_at >= $2))`;
      const lastSeq = "coalesce((select max(seq) from journal where task_id = task.id), 0)";
      const [rows = []] = await db.batch([
        {
          // A task that got further since it was last taken down is not the one that takes processes down.
          sql: `update task set epoch = epoch + 1, worker_id = null, status = 'queued', run_at = $1,
                  lives = case when ${lastSeq} > lives_seq then 1 else lives + 1 end, lives_seq = ${lastSeq}
                where worker_id is not null and status = 'running' and ${gone} returning ${TASK_COLUMNS}`,
          params: [now, deadWorkers === "all" ? null : deadWorkers],
        },
        // Queued, but never due: only who asks for it by its id gets it.
        {
          sql: `update task set run_at = null, worker_id = '${HELD_BACK}' where status = 'queued' and run_at = $1 and lives >= $2`,
          params: [now, maxCrashes - 1],
        },
      ]);
      const held = await db.query(
        `select ${TASK_COLUMNS} from task where worker_id = '${HELD_BACK}' and status = 'queued' order by id`,
      );
      const isPoisoned = (row: Row): boolean => Number(row["lives"]) >= maxCrashes;
      return {
        // Also one that a process had found poisoned and died before it could give it up.
        poisoned: held.filter(isPoisoned).map(toEngineTask),
        quarantined: held.filter((row) => !isPoisoned(row)).map((row) => row["id"] as string),
        recovered: rows.length,
      };
    },

    async claimQuarantined(workerId, taskId, now) {
      const [[row] = []] = await db.batch([
        {
          sql: `update task set status = 'running', epoch = epoch + 1, worker_id = $1, started_at = coalesce(started_at, $3)
                where id = $2 and worker_id = '${HELD_BACK}' and status = 'queued' returning ${TASK_COLUMNS}`,
          params: [workerId, taskId, now],
        },
      ]);
      return row === undefined ? undefined : toEngineTask(row);
    },

    async heartbeat(workerId, now) {
      await db.batch([
        {
          sql: `insert into worker (id, started_at, heartbeat_at) values ($1, $2, $2)
                on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
          params: [workerId, now],
        },
      ]);
    },

    async ownTasks(workerId) {
      const rows = await db.query("select id, epoch from task where worker_id = $1 and status = 'running'", [
        workerId,
      ]);
      return rows.map((row) => ({ id: row["id"] as string, epoch: Number(row["epoch"]) }));
    },

    async epoch(taskId) {
      const [row] = await db.query("select epoch from task where id = $1", [taskId]);
      return row === undefined ? undefined : Number(row["epoch"]);
    },

    async releaseTask({ id, epoch }, now) {
      await db.batch([
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $3
                where id = $1 and epoch = $2 and status = 'running'`,
          params: [id, epoch, now],
        },
      ]);
    },

    async release(workerId, now) {
      await db.batch([
        {
          sql: "update task set status = 'queued', epoch = epoch + 1, worker_id = null, run_at = $2 where worker_id = $1 and status = 'running'",
          params: [workerId, now],
        },
        { sql: "delete from worker where id = $1", params: [workerId] },
      ]);
    },

    async decide(taskId, path, { decision, comment, data, decidedBy, decidedAt }) {
      const [decided = []] = await db.batch([
        {
          sql: `update approval set decision = $3, comment = $4, data = $5, decided_by = $6, decided_at = $7
                where task_id = $1 and path = $2 and decided_at is null
                  and exists (select 1 from task where id = $1 and status not in ${FINAL}) returning path`,
          params: [taskId, path, decision, comment, JSON.stringify(data), decidedBy, decidedAt],
        },
        {
          sql: `${WAKE_TASK} and exists (select 1 from approval where task_id = $1 and decided_at = $2)`,
          params: [taskId, decidedAt],
        },
      ]);
      return decided.length === 1;
    },

    async decision(taskId, path) {
      const [row] = await db.query(
        "select * from approval where task_id = $1 and path = $2 and decided_at is not null",
        [taskId, path],
      );
      return row === undefined ? undefined : toDecision(row);
    },

    async openApprovals(taskId) {
      const rows = await db.query(
        `${OPEN_FAMILY} select a.task_id, a.path from approval as a join family as f on f.id = a.task_id
         where a.decided_at is null order by case when a.task_id = $1 then 0 else 1 end, a.requested_at, a.path`,
        [taskId],
      );
      return rows.map((row) => ({ taskId: row["task_id"] as string, path: row["path"] as string }));
    },

    async childId(taskId, path) {
      const [row] = await db.query("select id from task where parent_task_id = $1 and parent_step = $2", [
        taskId,
        path,
      ]);
      return row?.["id"] as string | undefined;
    },

    cancel: async (taskId, now) => toCancelled(await db.batch(cancelFamily(taskId, now))),

    async reopen(taskId, expected, entry, version, now) {
      const [reopened = []] = await db.batch([
        {
          sql: `update task set status = 'queued', epoch = epoch + 1, run_at = $3, completed_at = null, result = null, result_ref = null,
                  error = null, workflow_version = $4, lives = 0
                where id = $1 and status = $2 returning id`,
          params: [taskId, expected, now, version],
        },
        {
          sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, output, at)
                select id, $2, epoch, 'rerun', '', '', 'queued', 0, 0, $3, $4 from task where id = $1 and status = 'queued' and run_at = $4
                on conflict do nothing`,
          params: [taskId, entry.seq, JSON.stringify(entry.cleared), now],
        },
      ]);
      return reopened.length === 1;
    },
  };
}

function toOutput(row: Row): StoredOutput {
  return {
    path: row["path"] as string,
    output: row["output"] as string | null,
    outputRef: row["output_ref"] as string | null,
  };
}

function toDecision(row: Row): ApprovalDecision {
  return {
    decision: row["decision"] as ApprovalDecision["decision"],
    comment: row["comment"] as string | null,
    data: JSON.parse((row["data"] as string | null) ?? "null") as JsonValue,
    decidedBy: row["decided_by"] as string,
    decidedAt: Number(row["decided_at"]),
  };
}
