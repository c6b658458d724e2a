import type { EngineStore } from "../../engine/store.ts";
import type { Db, Row } from "../db.ts";
import { FINAL, TASK_COLUMNS } from "./task-sql.ts";
import { readableTasks } from "./unreadable-tasks.ts";

/** `worker_id` of a task in quarantine: the index of running tasks finds it, and no process claims it. */
const QUARANTINE = "held_back";

/** A dead process keeps its row so long: a process that was only suspended finds it, and so the lock of its recovery. */
const KEPT_WORKER_MS = 3_600_000;

/** A longer queue is reported as this many due tasks: counting 300,000 took 26 ms on SQLite and 280 ms on PostgreSQL. */
const COUNTED_PER_LANE = 10_000;

type RecoveryStore = Pick<EngineStore, "heartbeat" | "backlog" | "recover" | "claimQuarantined">;

/** Tasks of processes that have died. */
export function createRecoveryStore(db: Db): RecoveryStore {
  return {
    async heartbeat(workerId, now, { slots, aliveSince } = { slots: 0, aliveSince: now }) {
      const beat = {
        sql: `insert into worker (id, started_at, heartbeat_at, slots) values ($workerId, $now, $now, $slots)
              on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
        params: { workerId, now, slots },
      };
      const count = {
        sql: `select count(*) as processes, coalesce(sum(case when id <> $workerId and slots > 0 then 1 else 0 end), 0) as workers
              from worker where heartbeat_at >= $aliveSince`,
        params: { workerId, aliveSince },
      };
      const [, counted] = await db.batch([beat, count], { repeatable: true, dedicated: true });
      return { processes: Number(counted?.[0]?.["processes"]), workers: Number(counted?.[0]?.["workers"]) };
    },

    async backlog(now, leaseMs) {
      // Lane by lane: both indexes of due tasks begin with the lane, and without it the whole table is read.
      const [due] = await db.query(
        `with recursive lanes (name) as (
           select min(lane) from task where run_at is not null
           union all select (select min(lane) from task where run_at is not null and lane > lanes.name) from lanes where name is not null)
         select sum((select count(*) from (select 1 from task where lane = lanes.name and run_at <= $now
             order by run_at limit ${COUNTED_PER_LANE}) as due_tasks)) as due,
           min((select min(run_at) from task where lane = lanes.name and run_at is not null)) as oldest
         from lanes`,
        { now },
      );
      const [stuck] = await db.query(
        `select count(*) as stuck from task where worker_id is not null and (worker_id = '${QUARANTINE}'
           or worker_id not in (select id from worker where heartbeat_at >= $aliveSince) and cast($aliveSince as bigint) is not null)`,
        { aliveSince: leaseMs === undefined ? null : now - leaseMs },
      );
      const oldest = due?.["oldest"] ?? null;
      return {
        due: Number(due?.["due"] ?? 0),
        oldestDueAt: oldest === null || Number(oldest) > now ? null : Number(oldest),
        stuck: Number(stuck?.["stuck"]),
      };
    },

    async recover(deadWorkers, maxCrashes, now) {
      const aliveSince = deadWorkers === "all" ? null : deadWorkers;
      // Almost always nobody has died; a read costs less than the locks and the commit of a recovery.
      const [any] = await db.query(
        `select 1 as found from task where ${ABANDONED} union all select 1 from worker where ${FORGOTTEN} limit 1`,
        { aliveSince },
      );
      const rows = any === undefined ? [] : await takeOver(db, { aliveSince, maxCrashes, now });
      await countTreeCrashes(db, rows, maxCrashes);
      const held = await db.query(
        `select ${TASK_COLUMNS} from task where worker_id = '${QUARANTINE}' and status = 'queued' order by id`,
      );
      const isPoisoned = (row: Row): boolean => Number(row["lives"]) >= maxCrashes;
      return {
        // Includes a poisoned task whose process died before it could fail it.
        poisoned: await readableTasks(db, held.filter(isPoisoned), now),
        quarantined: held.filter((row) => !isPoisoned(row)).map((row) => row["id"] as string),
        recovered: rows.length,
      };
    },

    async claimQuarantined(workerId, taskId, now) {
      const [rows = []] = await db.batch([
        {
          sql: `update task set status = 'running', epoch = epoch + 1, worker_id = $workerId,
                  started_at = coalesce(started_at, $now)
                where id = $taskId and worker_id = '${QUARANTINE}' and status = 'queued' returning ${TASK_COLUMNS}`,
          params: { workerId, taskId, now },
        },
      ]);
      return (await readableTasks(db, rows, now))[0];
    },
  };
}

const ABANDONED = `worker_id is not null and status = 'running' and (cast($aliveSince as bigint) is null
  or not exists (select 1 from worker as w where w.id = task.worker_id and w.heartbeat_at >= $aliveSince))`;
const DEAD = "heartbeat_at < cast($aliveSince as bigint)";
const FORGOTTEN = `${DEAD} - ${KEPT_WORKER_MS}`;
const LAST_SEQ = "coalesce((select max(seq) from journal where task_id = task.id), 0)";
/** A task that has recorded something since the last crash is not the one that crashes its process. */
const CRASHES = `(case when ${LAST_SEQ} > lives_seq then 1 else lives + 1 end)`;

/**
 * Queues the tasks of dead processes. The rows of these processes are locked first: the heartbeat of one that resumes
 * meanwhile waits for the commit. Otherwise it would find its tasks unchanged, start steps, and lose them to the update.
 */
async function takeOver(
  db: Db,
  { aliveSince, maxCrashes, now }: { aliveSince: number | null; maxCrashes: number; now: number },
): Promise<Row[]> {
  const [, tasks = []] = await db.batch(
    [
      { sql: `select id from worker where ${DEAD} order by id /*for-update*/`, params: { aliveSince } },
      {
        // In quarantine a task is queued but never due: only a claim by its id gets it.
        sql: `update task set epoch = epoch + 1, status = 'queued', lives = ${CRASHES}, lives_seq = ${LAST_SEQ},
                worker_id = case when ${CRASHES} >= $quarantinedFrom then '${QUARANTINE}' end,
                run_at = case when ${CRASHES} >= $quarantinedFrom then null else cast($now as bigint) end
              where ${ABANDONED} returning id, root_task_id, workflow_id`,
        params: { now, aliveSince, quarantinedFrom: maxCrashes - 1 },
      },
      { sql: `delete from worker where ${FORGOTTEN}`, params: { aliveSince } },
    ],
    { alone: true },
  );
  return tasks;
}

/** A run that calls its own workflow counts as recursive; this many of its tasks can fill the memory of a process. */
const MANY_TASKS = 10;
const MAX_TREE_CRASHES = 2;

/**
 * A run that starts itself again and again has new tasks at every crash, none of which crashed often. Its first task is
 * poisoned after the second crash during which many of its tasks were running.
 */
async function countTreeCrashes(db: Db, recovered: readonly Row[], maxCrashes: number): Promise<void> {
  const trees = new Map<string, Row[]>();
  for (const row of recovered) {
    const root = row["root_task_id"] as string | null;
    if (root !== null) trees.set(root, [...(trees.get(root) ?? []), row]);
  }
  for (const [root, tasks] of trees) {
    if (tasks.length < MANY_TASKS) continue;
    const workflowIds = JSON.stringify([...new Set(tasks.map((row) => row["workflow_id"] as string))]);
    await db.batch([
      {
        sql: `update task set family_crashes = family_crashes + 1 where id = $root and status not in ${FINAL}
                and workflow_id in (select value from json_each(cast($workflowIds as text)))`,
        params: { root, workflowIds },
      },
      {
        sql: `update task set status = 'queued', epoch = epoch + 1, run_at = null, worker_id = '${QUARANTINE}', lives = $maxCrashes
              where id = $root and status not in ${FINAL} and family_crashes >= ${MAX_TREE_CRASHES}`,
        params: { root, maxCrashes },
      },
    ]);
  }
}
