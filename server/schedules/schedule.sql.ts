import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { misfirePolicies, overlapPolicies } from "../../contract/schedules.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { getRecord, removeRecord } from "../storage/owned-records.ts";
import { sizedPage } from "../storage/paging.ts";

export interface ScheduleRecord {
  id: string;
  ownerId: string;
  workflowId: string;
  name: string;
  cron: string;
  timezone: string;
  input: JsonValue;
  active: boolean;
  misfire: (typeof misfirePolicies)[number];
  overlap: (typeof overlapPolicies)[number];
  /** Null while the schedule is paused. */
  nextRunAt: number | null;
  lastRunAt: number | null;
  lastTaskId: string | null;
  /** The last due run that was not started, with the code of the reason. */
  lastSkip?: { at: number; reason: string } | undefined;
  createdAt: number;
  updatedAt: number;
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

const COLUMNS = [
  "id",
  "owner_id",
  "workflow_id",
  "name",
  "cron",
  "timezone",
  "input",
  "active",
  "misfire",
  "overlap",
  "next_run_at",
  "last_run_at",
  "last_task_id",
  "created_at",
  "updated_at",
];

export function createScheduleStore(db: Db) {
  return {
    async insert(schedule: ScheduleRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into schedule (${COLUMNS.join(", ")}) values (${COLUMNS.map((name) => `$${name}`).join(", ")})`,
          params: toColumns(schedule),
        },
      ]);
    },

    /** Throws `schedule_not_found` or `forbidden`. */
    get: async (id: string, ownerId: string): Promise<ScheduleRecord> =>
      toSchedule(await getRecord(db, "schedule", id, ownerId)),

    list: (ownerId: string, page: PageQuery): Promise<ResultPage<ScheduleRecord>> =>
      sizedPage(
        db,
        {
          columns: "*",
          from: "from schedule where owner_id = $ownerId",
          params: { ownerId },
          size: "length(input)",
        },
        page,
        toSchedule,
      ),

    /**
     * Optimistic lock: false when the row changed after `expectedUpdatedAt` or was deleted. The next run is written only
     * with new times: the schedule may have advanced since it was read. New times end a claim and drop a queued run.
     */
    async update(
      schedule: ScheduleRecord,
      { expectedUpdatedAt, hasNewTimes }: { expectedUpdatedAt: number; hasNewTimes: boolean },
    ): Promise<boolean> {
      const newTimes =
        "next_run_at = $next_run_at, claimed_at = null, claimed_until = null, waiting_at = null,";
      const [updated] = await db.batch([
        {
          sql: `update schedule set name = $name, cron = $cron, timezone = $timezone, input = $input, active = $active,
                  misfire = $misfire, overlap = $overlap, ${hasNewTimes ? newTimes : ""} updated_at = $updated_at
                where id = $id and owner_id = $owner_id and workflow_id = $workflow_id and updated_at = $expectedUpdatedAt
                returning id`,
          params: { ...toColumns(schedule), expectedUpdatedAt },
        },
      ]);
      return updated?.length === 1;
    },

    remove: (id: string, ownerId: string): Promise<void> => removeRecord(db, "schedule", id, ownerId),
  };
}

function toColumns(schedule: ScheduleRecord): Record<string, SqlValue> {
  return {
    id: schedule.id,
    owner_id: schedule.ownerId,
    workflow_id: schedule.workflowId,
    name: schedule.name,
    cron: schedule.cron,
    timezone: schedule.timezone,
    input: JSON.stringify(schedule.input),
    active: Number(schedule.active),
    misfire: schedule.misfire,
    overlap: schedule.overlap,
    next_run_at: schedule.nextRunAt,
    last_run_at: schedule.lastRunAt,
    last_task_id: schedule.lastTaskId,
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
  };
}

export function toSchedule(row: Row): ScheduleRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    workflowId: row["workflow_id"] as string,
    name: row["name"] as string,
    cron: row["cron"] as string,
    timezone: row["timezone"] as string,
    input: JSON.parse(row["input"] as string) as JsonValue,
    active: Number(row["active"]) === 1,
    misfire: row["misfire"] as ScheduleRecord["misfire"],
    overlap: row["overlap"] as ScheduleRecord["overlap"],
    nextRunAt: row["next_run_at"] as number | null,
    lastRunAt: row["last_run_at"] as number | null,
    lastTaskId: row["last_task_id"] as string | null,
    ...(typeof row["last_skip_reason"] === "string" && {
      lastSkip: { at: Number(row["last_skipped_at"]), reason: row["last_skip_reason"] },
    }),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
