import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { ApprovalDecision, EngineStore, StoredOutput } from "../../engine/store.ts";
import type { Db, Row } from "../db.ts";
import { TASK_COLUMNS, toEngineTask, toEntry, toHead, toOptions, toTask } from "./rows.ts";
import { WAKE_TASK } from "./write-group.ts";
import { createWriteQueue } from "./write-queue.ts";

const FINAL = "('completed', 'failed', 'cancelled', 'rejected')";

/** A task (`$1`) and what its steps have started, and theirs. */
function family(condition: string): string {
  return `with recursive family (id) as (
    select t.id from task as t where t.id = $1 ${condition}
    union select t.id from task as t join family as f on t.parent_task_id = f.id where t.parent_step is not null ${condition})`;
}

const FAMILY = family("");
/** As far as it has not ended. */
const OPEN_FAMILY = family(`and t.status not in ${FINAL}`);

/** In place of a worker: found by the same index, taken by nobody. */
const HELD_BACK = "held_back";

export function createEngineStore(db: Db): EngineStore {
  const queue = createWriteQueue(db);

  async function wake(taskId: string, now: number): Promise<void> {
    await db.batch([{ sql: WAKE_TASK, params: [taskId, now] }]);
  }

  return {
    ...queue,
    wake,

    async heads(taskId) {
      const rows = await db.query(
        `select seq, kind, path, type, status, attempt, final, output_ref, error, due, started_at, at,
           case when kind = 'rerun' or type in ('condition', 'switch') then output end as output
         from journal where task_id = $1 order by seq`,
        [taskId],
      );
      return rows.map(toHead);
    },

    async ownEntries(taskId) {
      const rows = await db.query(
        `select * from journal where task_id = $1 and (path not like '%[%]%' or extra like '%"usage"%') order by seq`,
        [taskId],
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

    async claimDue(workerId, limit, now) {
      const [rows = []] = await db.batch([
        {
          sql: `update task set status = 'running', epoch = epoch + 1, worker_id = $1, run_at = null, started_at = coalesce(started_at, $3)
                where id in (select id from task where run_at <= $3 order by run_at limit $2 /*skip-locked*/)
                returning ${TASK_COLUMNS}`,
          params: [workerId, limit, now],
        },
      ]);
      return rows.map(toEngineTask);
    },

    async nextDue() {
      const [row] = await db.query("select min(run_at) as due from task where run_at is not null");
      return row?.["due"] === null || row === undefined ? null : Number(row["due"]);
    },

    async recover(deadWorkers, maxLives, now) {
      const gone =
        deadWorkers === "all"
          ? "true"
          : `not exists (select 1 from worker as w where w.id = task.worker_id and w.heartbeat_at >= ${deadWorkers})`;
      const lastSeq = "coalesce((select max(seq) from journal where task_id = task.id), 0)";
      const [rows = []] = await db.batch([
        {
          // A task that got further since it was last taken down is not the one that takes processes down.
          sql: `update task set epoch = epoch + 1, worker_id = null, status = 'queued', run_at = $1,
                  lives = case when ${lastSeq} > lives_seq then 1 else lives + 1 end, lives_seq = ${lastSeq}
                where status = 'running' and ${gone} returning ${TASK_COLUMNS}`,
          params: [now],
        },
        // Queued, but never due: only who asks for it by its id gets it.
        {
          sql: `update task set run_at = null, worker_id = '${HELD_BACK}' where status = 'queued' and run_at = $1 and lives >= $2`,
          params: [now, maxLives - 1],
        },
      ]);
      const held = await db.query(
        `select id, lives from task where worker_id = '${HELD_BACK}' and status = 'queued' order by id`,
      );
      const poisoned = rows.filter((row) => Number(row["lives"]) >= maxLives);
      return {
        poisoned: poisoned.map(toEngineTask),
        suspects: held.filter((row) => Number(row["lives"]) < maxLives).map((row) => row["id"] as string),
        recovered: rows.length,
      };
    },

    async claimSuspect(workerId, taskId, now) {
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

    async task(taskId) {
      const [row] = await db.query(`select ${TASK_COLUMNS} from task where id = $1`, [taskId]);
      return row === undefined
        ? undefined
        : { ...toTask(row), options: toOptions(row), resultRef: row["result_ref"] as string | null };
    },

    async cancel(taskId, now) {
      const [cancelled = [], entries = []] = await db.batch([
        {
          // The epoch moves: whoever still works on it can record nothing from here on.
          sql: `${OPEN_FAMILY}
                update task set status = 'cancelled', epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $2
                where id in (select id from family) returning id`,
          params: [taskId, now],
        },
        {
          // Those that have just been cancelled are those whose journal does not say how they ended.
          sql: `${FAMILY}
                insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, at)
                select t.id, coalesce((select max(seq) from journal where task_id = t.id), 0) + 1, t.epoch, 'status', '', '', 'cancelled', 0, 0, $2
                from task as t
                where t.id in (select id from family) and t.status = 'cancelled' and t.completed_at = $2
                  and not exists (select 1 from journal as j where j.task_id = t.id and j.epoch = t.epoch)
                returning *`,
          params: [taskId, now],
        },
        {
          sql: `${FAMILY} delete from approval where task_id in (select f.id from family as f join task as t on t.id = f.id where t.status = 'cancelled')`,
          params: [taskId],
        },
        {
          sql: WAKE_TASK.replace(
            "id = $1",
            "id = (select parent_task_id from task where id = $1 and parent_step is not null)",
          ),
          params: [taskId, now],
        },
      ]);
      if (cancelled.length === 0) return [];
      return entries.map((row) => ({ taskId: row["task_id"] as string, entry: toEntry(row) }));
    },

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
          params: [taskId, entry.seq, entry.output, now],
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
