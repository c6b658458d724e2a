import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { misfirePolicies, Schedule } from "../../contract/schedules.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

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
  /** Null while it is switched off. */
  nextRunAt: number | null;
  lastRunAt: number | null;
  lastTaskId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface ScheduleStore {
  insert(schedule: ScheduleRecord): Promise<void>;
  /** Throws `schedule_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<ScheduleRecord>;
  list(ownerId: string, page: PageQuery): Promise<Page<ScheduleRecord>>;
  /** On top of the state of `expectedUpdatedAt` only; false when it has changed since, or is gone. */
  update(schedule: ScheduleRecord, expectedUpdatedAt: number): Promise<boolean>;
  remove(id: string, ownerId: string): Promise<void>;
  due(now: number, limit: number): Promise<ScheduleRecord[]>;
  nextDue(): Promise<number | null>;
  /** Moves on from `from`, to null switches off; does nothing when somebody has moved or changed it in the meantime. */
  advance(
    id: string,
    from: number,
    next: number | null,
    last: { at: number; taskId: string } | undefined,
  ): Promise<void>;
}

export function toSchedule({ ownerId: _ownerId, ...record }: ScheduleRecord): Schedule {
  return {
    ...record,
    nextRunAt: record.nextRunAt === null ? null : toIso(record.nextRunAt),
    lastRunAt: record.lastRunAt === null ? null : toIso(record.lastRunAt),
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
  };
}
