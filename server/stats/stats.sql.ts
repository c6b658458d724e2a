import type { TaskStatus } from "../../contract/tasks.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { HOUR_MS, lockHours } from "../storage/engine/task-hours.ts";
import { isTestRun } from "../storage/engine/test-runs.ts";
import { parseJson } from "../lib/lenient-parse.ts";

/** Runs that ended in one hour. */
export interface HourCounts {
  /** Hours since 1970. */
  hour: number;
  /** By status: pairs of a rounded duration and the number of runs. The duration is -1 for runs that never started. */
  counts: Readonly<Record<string, readonly number[]>>;
}

export interface OpenCount {
  status: string;
  count: number;
}

export interface FailedRun {
  taskId: string;
  workflowId: string;
  workflowVersion: number;
  error: unknown;
  completedAt: number;
}

export interface RecentRun {
  taskId: string;
  status: TaskStatus;
  durationMs: number | null;
  createdAt: number;
}

export interface TimeSpan {
  from: number;
  until: number;
}

/** Whose runs: of all workflows of the owner, or of one. */
export interface Scope {
  ownerId: string;
  workflowId: string | undefined;
}

export type StatsStore = ReturnType<typeof createStatsStore>;

const MAX_WORKFLOWS = 1000;
/** Open runs whose begin is read from the row. Past this, the series shows some of them; the counts of now stay exact. */
const MAX_OPEN_RUNS = 10_000;
/** Null for a run that never started. */
const DURATION = "(completed_at - started_at)";
const OPEN_STATUSES = "('queued', 'running', 'waiting', 'waiting_approval')";

/** Rounded by 5 % at most: a histogram of any durations has at most 35 values for each power of ten. */
const ROUNDED_DURATION = `case when ${DURATION} < 0 then 0 when ${DURATION} < 20 then ${DURATION} ${[
  1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7,
]
  .flatMap((unit) => [
    [20 * unit, unit],
    [50 * unit, 2 * unit],
    [100 * unit, 5 * unit],
  ])
  .map(
    ([below, step]) =>
      `when ${DURATION} < ${below} then (${DURATION} + ${Math.floor(step! / 2)}) / ${step} * ${step}`,
  )
  .join(" ")} else 1000000000 end`;

const ONE_WORKFLOW = "workflow_id = $workflowId";
/** Not by the index of the workflow, which holds all its ended runs. */
const ONE_OPEN = "workflow_id || '' = $workflowId";
/** Hides the tasks of sessions and ingestion. */
const ANY_WORKFLOW = "workflow_id > 'wf_'";
const NO_TEST = `not ${isTestRun("task")}`;

/**
 * Reads the index `task_by_end` alone, so that the time depends neither on inputs nor on results. The counts of an hour
 * are one JSON text: a month of hours is read ten times as fast as rows of single counts.
 */
const countByHour = (ofWorkflow: string): string => `
  select hour, '{' || string_agg('"' || status || '":[' || pairs || ']', ',') || '}' as counts from (
    select hour, status, string_agg(coalesce(duration, -1) || ',' || runs, ',') as pairs from (
      select completed_at / ${HOUR_MS} as hour, status, ${ROUNDED_DURATION} as duration, count(*) as runs
      from task where owner_id = $ownerId and completed_at >= $from and completed_at < $until and ${ofWorkflow}
        and ${NO_TEST}
      group by 1, 2, 3) as by_duration
    group by hour, status) as by_status
  where true group by hour`;

export function createStatsStore(db: Db) {
  return {
    /** Counts runs that ended in this span. */
    async countEnded(scope: Scope, span: TimeSpan): Promise<HourCounts[]> {
      const rows = await db.query(countByHour(conditionOf(scope)), { ...paramsOf(scope), ...span });
      return rows.map(toHourCounts);
    },

    /** The time of the owner's first end in this span. */
    async findEnd(ownerId: string, { from, until }: TimeSpan): Promise<number | undefined> {
      const [row] = await db.query(
        "select min(completed_at) as first_end from task where owner_id = $ownerId and completed_at >= $from and completed_at < $until",
        { ownerId, from, until },
      );
      const end = row?.["first_end"] ?? null;
      return end === null ? undefined : Number(end);
    },

    /** The counts of hours that were stored, by hour. */
    async readHours({ ownerId, workflowId = "" }: Scope, hours: TimeSpan): Promise<Map<number, HourCounts>> {
      const rows = await db.query(
        `select hour, counts from task_hour
         where owner_id = $ownerId and scope = $workflowId and hour >= $from and hour < $until`,
        { ownerId, workflowId, ...hours },
      );
      return new Map(rows.map((row) => [Number(row["hour"]), toHourCounts(row)]));
    },

    /** Counts hours in which no run ends any more and stores the counts. Deletes those before `oldestHour`. */
    async storeHours(scope: Scope, hours: TimeSpan, oldestHour: number): Promise<HourCounts[]> {
      const params = { ...paramsOf(scope), scope: scope.workflowId ?? "" };
      const INSERT = "insert into task_hour (owner_id, scope, hour, counts)";
      const emptyHours = Array.from({ length: hours.until - hours.from }, (_, index) => hours.from + index);
      const [, stored = []] = await db.batch(
        [
          lockHours("id = $ownerId", params),
          {
            sql: `${INSERT} select $ownerId, $scope, hour, counts from (${countByHour(conditionOf(scope))}) as ended where true
                  on conflict (owner_id, scope, hour) do update set counts = excluded.counts returning hour, counts`,
            params: { ...params, from: hours.from * HOUR_MS, until: hours.until * HOUR_MS },
          },
          {
            sql: `${INSERT} select $ownerId, $scope, cast(value as bigint), '{}' from json_each(cast($emptyHours as text)) where true
                  on conflict do nothing`,
            params: { ...params, emptyHours: JSON.stringify(emptyHours) },
          },
          {
            sql: "delete from task_hour where owner_id = $ownerId and scope = $scope and hour < $oldestHour",
            params: { ...params, oldestHour },
          },
        ],
        { alone: true },
      );
      return stored.map(toHourCounts);
    },

    /** Deletes up to `limit` stored hours of this owner; returns how many. */
    async removeHours(ownerId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from task_hour where (owner_id, scope, hour) in
                  (select owner_id, scope, hour from task_hour where owner_id = $ownerId limit $limit) returning 1 as one`,
          params: { ownerId, limit },
        },
      ]);
      return removed.length;
    },

    async countOpen({ ownerId, workflowId }: Scope): Promise<OpenCount[]> {
      const count = async (condition: string): Promise<OpenCount[]> => {
        const rows = await db.query(
          `select status, count(*) as runs from task
           where owner_id = $ownerId and status <> 'completed' and status in ${OPEN_STATUSES} and id > 'task_'
             ${workflowId === undefined ? "" : `and ${ONE_OPEN}`} ${condition}
           group by status`,
          { ownerId, workflowId: workflowId ?? null },
        );
        return rows.map((row) => ({ status: row["status"] as string, count: Number(row["runs"]) }));
      };
      // Without a workflow, the partial index over open tasks answers alone. Only the rows know which are tests: of many, a few tests do not matter.
      const all = await count("");
      const total = all.reduce((sum, { count: runs }) => sum + runs, 0);
      return total === 0 || total > MAX_OPEN_RUNS ? all : count(`and ${NO_TEST}`);
    },

    /** Open runs by the hour in which they began. */
    async countOpenByHour(
      { ownerId, workflowId }: Scope,
      { from, until }: TimeSpan,
    ): Promise<(OpenCount & { hour: number })[]> {
      const rows = await db.query(
        `select created_at / ${HOUR_MS} as hour, status, count(*) as runs from
           (select created_at, status from task
            where owner_id = $ownerId and status <> 'completed' and status in ${OPEN_STATUSES} and id > 'task_'
              and created_at >= $from and created_at < $until and ${NO_TEST} ${workflowId === undefined ? "" : `and ${ONE_OPEN}`}
            limit ${MAX_OPEN_RUNS}) as open_runs
         group by 1, 2`,
        { ownerId, workflowId: workflowId ?? null, from, until },
      );
      return rows.map((row) => ({
        hour: Number(row["hour"]),
        status: row["status"] as string,
        count: Number(row["runs"]),
      }));
    },

    /** The newest failed runs, newest first. */
    async listFailed({ ownerId, workflowId }: Scope, limit: number): Promise<FailedRun[]> {
      const rows = await db.query(
        `select id, workflow_id, workflow_version, error, completed_at from task
         where owner_id = $ownerId and status = 'failed' and status <> 'completed' and id > 'task_'
           and ${NO_TEST} ${workflowId === undefined ? "" : `and ${ONE_OPEN}`}
         order by id desc limit $limit`,
        { ownerId, workflowId: workflowId ?? null, limit },
      );
      return rows.map((row) => ({
        taskId: row["id"] as string,
        workflowId: row["workflow_id"] as string,
        workflowVersion: Number(row["workflow_version"]),
        error: parseError(row["error"]),
        completedAt: Number(row["completed_at"]),
      }));
    },

    /** The newest runs of each workflow that is not deleted, newest first. */
    async listRecentRuns(ownerId: string, perWorkflow: number): Promise<Map<string, RecentRun[]>> {
      const rows = await db.query(
        `select w.id, (
           select string_agg(id || ' ' || status || ' ' || created_at || ' ' || coalesce(${DURATION}, -1), ',' order by id desc)
           from (select id, status, created_at, started_at, completed_at from task
                 where owner_id = $ownerId and workflow_id = w.id and ${NO_TEST} order by id desc limit $perWorkflow) as newest) as runs
         from workflow as w where w.owner_id = $ownerId and w.deleted_at is null order by w.id desc limit ${MAX_WORKFLOWS}`,
        { ownerId, perWorkflow },
      );
      return new Map(rows.map((row) => [row["id"] as string, toRecentRuns(row)]));
    },
  };
}

function conditionOf({ workflowId }: Scope): string {
  return workflowId === undefined ? ANY_WORKFLOW : ONE_WORKFLOW;
}

function paramsOf({ ownerId, workflowId }: Scope): Record<string, SqlValue> {
  return workflowId === undefined ? { ownerId } : { ownerId, workflowId };
}

function toHourCounts(row: Row): HourCounts {
  const counts = JSON.parse(row["counts"] as string) as HourCounts["counts"];
  return { hour: Number(row["hour"]), counts };
}

function parseError(json: unknown): unknown {
  return parseJson(String(json)) ?? null;
}

function toRecentRuns(row: Row): RecentRun[] {
  const text = row["runs"] as string | null;
  return (text === null ? [] : text.split(",")).map((run) => {
    const [taskId, status, createdAt, duration] = run.split(" ");
    return {
      taskId: taskId!,
      status: status as TaskStatus,
      createdAt: Number(createdAt),
      durationMs: duration === "-1" ? null : Number(duration),
    };
  });
}
