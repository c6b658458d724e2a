import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

export const misfirePolicies = ["run_once", "skip", "catch_up"] as const;

export const overlapPolicies = ["allow", "skip", "queue", "cancel_previous"] as const;

const fields = {
  workflowId: text(200, 1),
  name: text(200),
  cron: text(200, 1).describe(
    "Five fields (minute hour day month weekday), six with seconds first, or seven with a year at the end",
  ),
  timezone: text(100).describe("An IANA name such as Europe/Berlin"),
  input: z.unknown().describe("The input of every run"),
  active: z.boolean(),
  overlap: z
    .enum(overlapPolicies)
    .describe(
      "A run that is due while the previous one has not ended: start it anyway, skip it, start it when the previous one ends (one waits at most), or cancel the previous one",
    ),
  misfire: z
    .enum(misfirePolicies)
    .describe(
      "Runs that were due while the service was down: run once, skip them, or run each of them (100 at most)",
    ),
};

export const createScheduleSchema = z.object({
  workflowId: fields.workflowId,
  cron: fields.cron,
  name: fields.name.default(""),
  timezone: fields.timezone.default("UTC"),
  input: fields.input.optional(),
  active: fields.active.default(true),
  misfire: fields.misfire.default("run_once"),
  overlap: fields.overlap.default("allow"),
});
export type CreateSchedule = z.infer<typeof createScheduleSchema>;

export const updateScheduleSchema = z.object(fields).omit({ workflowId: true }).partial();
export type UpdateSchedule = z.infer<typeof updateScheduleSchema>;

export const scheduleSchema = z
  .object({
    id: z.string(),
    ...fields,
    nextRunAt: timeSchema.nullable(),
    lastRunAt: timeSchema.nullable(),
    lastTaskId: z.string().nullable(),
    lastSkip: z
      .object({ at: timeSchema, reason: z.string() })
      .optional()
      .describe("The last due run that was not started: `workflow_paused` while its workflow was paused"),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof scheduleSchema>;

export const scheduleResponseSchema = success({ schedule: scheduleSchema });
export const scheduleListResponseSchema = success({
  schedules: z.array(scheduleSchema),
  nextCursor: nextCursorSchema,
});

export const nextTimesQuerySchema = z.object({
  cron: fields.cron,
  timezone: fields.timezone.default("UTC"),
});
export const nextTimesResponseSchema = success({
  times: z.array(timeSchema).describe("The next five, fewer when the pattern ends"),
});
