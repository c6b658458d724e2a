import type { Db } from "../../storage/db.ts";
import { createScheduleStore, type ScheduleRecord } from "../schedule.sql.ts";

/** A user with a workflow, whose rows schedules refer to. */
export async function insertWorkflow(db: Db): Promise<void> {
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user_1', '', 'personal', 0)" },
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ('wf_1', 'user_1', 'w', '', 1, '{}', 0, 0, 0, 0, 0)`,
    },
  ]);
}

/** Hourly, due at `nextRunAt`. */
export async function insertSchedule(
  db: Db,
  id: string,
  nextRunAt: number,
  more: Partial<ScheduleRecord> = {},
): Promise<void> {
  await createScheduleStore(db).insert({
    id,
    ownerId: "user_1",
    workflowId: "wf_1",
    name: "",
    cron: "0 * * * *",
    timezone: "UTC",
    input: {},
    active: true,
    misfire: "run_once",
    overlap: "allow",
    nextRunAt,
    lastRunAt: null,
    lastTaskId: null,
    createdAt: 0,
    updatedAt: 0,
    ...more,
  });
}
