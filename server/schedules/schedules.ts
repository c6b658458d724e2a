import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { CreateSchedule, Schedule, UpdateSchedule } from "../../contract/schedules.ts";
import { type Clock, laterThan, toIso } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { checkInterval, checkTiming, nextAfter } from "./occurrences.ts";
import type { ScheduleRecord, ScheduleStore } from "./schedule.sql.ts";

export interface SchedulesDeps {
  store: ScheduleStore;
  clock: Clock;
  /** 0 allows any interval. */
  minIntervalSeconds: number;
  /** Throws `workflow_not_found`, `forbidden`, or `invalid_request` when the input does not match the input schema. */
  checkWorkflow(ownerId: string, workflowId: string, input: JsonValue): Promise<void>;
  /** Called after a change of the times, so that the loop recomputes the next due time. */
  onChanged(): void;
}

const PREVIEWED_TIMES = 5;

export type Schedules = ReturnType<typeof createSchedules>;

export function createSchedules({
  store,
  clock,
  minIntervalSeconds,
  checkWorkflow,
  onChanged,
}: SchedulesDeps) {
  async function update(ownerId: string, id: string, change: UpdateSchedule): Promise<ScheduleRecord> {
    const now = clock.now();
    const current = await store.get(id, ownerId);
    if (change.input !== undefined)
      await checkWorkflow(ownerId, current.workflowId, change.input as JsonValue);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const next: ScheduleRecord = { ...current, ...given, updatedAt: laterThan(current.updatedAt, clock) };
    // If the times are unchanged, a schedule that is due now stays due.
    const hasNewTimes = !hasSameTimes(current, next);
    if (hasNewTimes) {
      checkTiming(next.cron, next.timezone, now);
      // A schedule from before the limit can still be paused, resumed and moved to another time zone.
      if (next.cron !== current.cron) checkInterval(next.cron, minIntervalSeconds, now);
      next.nextRunAt = next.active ? nextAfter(next, now) : null;
    }
    // A concurrent update won: apply this change to its result.
    const expectedUpdatedAt = current.updatedAt;
    if (!(await store.update(next, { expectedUpdatedAt, hasNewTimes }))) return update(ownerId, id, change);
    onChanged();
    return next;
  }

  return {
    async create(ownerId: string, { input, ...given }: CreateSchedule): Promise<ScheduleRecord> {
      const now = clock.now();
      checkTiming(given.cron, given.timezone, now);
      checkInterval(given.cron, minIntervalSeconds, now);
      await checkWorkflow(ownerId, given.workflowId, (input ?? {}) as JsonValue);
      const schedule: ScheduleRecord = {
        ...given,
        id: createId("sch", now),
        ownerId,
        input: (input ?? {}) as JsonValue,
        nextRunAt: given.active ? nextAfter(given, now) : null,
        lastRunAt: null,
        lastTaskId: null,
        createdAt: now,
        updatedAt: now,
      };
      await store.insert(schedule);
      onChanged();
      return schedule;
    },

    update,

    /** Throws `invalid_request` for a pattern or time zone that a schedule could not have. */
    nextTimes(cron: string, timezone: string): number[] {
      const now = clock.now();
      checkTiming(cron, timezone, now);
      checkInterval(cron, minIntervalSeconds, now);
      const times: number[] = [];
      for (let next = nextAfter({ cron, timezone }, now); next !== null && times.length < PREVIEWED_TIMES;) {
        times.push(next);
        next = nextAfter({ cron, timezone }, next);
      }
      return times;
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId),
  };
}

function hasSameTimes(a: ScheduleRecord, b: ScheduleRecord): boolean {
  return a.cron === b.cron && a.timezone === b.timezone && a.active === b.active;
}

export function toSchedule({ ownerId: _ownerId, lastSkip, ...record }: ScheduleRecord): Schedule {
  return {
    ...record,
    ...(lastSkip !== undefined && { lastSkip: { at: toIso(lastSkip.at), reason: lastSkip.reason } }),
    nextRunAt: record.nextRunAt === null ? null : toIso(record.nextRunAt),
    lastRunAt: record.lastRunAt === null ? null : toIso(record.lastRunAt),
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
  };
}
