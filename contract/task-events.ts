import * as z from "zod";
import { nextCursorSchema, success, timeSchema } from "./api.ts";
import { logLineSchema } from "./step-log.ts";
import { stepStatusSchema, taskErrorSchema, taskStatusSchema } from "./tasks.ts";

/**
 * The server-sent events of GET /api/tasks/:id/events. `event` is the `event:` line of the stream, the other fields
 * are its `data:`, which repeats the name. Events with a `seq` are entries of the task's journal: durable, numbered 1, 2, 3 …, and replayed
 * after `Last-Event-ID`. `step_started` and `step_log` are live only and have no number.
 */
const entry = {
  seq: z.int().min(1),
  at: timeSchema,
  error: taskErrorSchema.optional(),
  dueAt: timeSchema.optional().describe("When the step continues: a retry, a delay, a time limit"),
  startedAt: timeSchema.optional(),
};

const stepEntryKind = z
  .enum(["step", "attempt", "wait", "items"])
  .describe(
    "step: it has ended. attempt: an attempt failed, the next is due at dueAt. wait: for a time, a person or a sub-workflow. items: a foreach has fixed its list",
  );

const stepEntry = {
  ...entry,
  stepId: z.string().describe("The step path, such as each[3]/fetch"),
  type: z.string(),
  attempt: z.int(),
  status: stepStatusSchema,
};

export const taskStreamEventSchema = z
  .discriminatedUnion("event", [
    z
      .object({
        event: z.literal("step_started"),
        stepId: z.string(),
        type: z.string(),
        status: z.literal("running"),
        at: timeSchema.optional(),
      })
      .meta({ id: "StepStartedEvent", description: "A step has started" }),
    z
      .object({
        event: z.literal("step_log"),
        stepId: z.string(),
        type: z.string(),
        ...logLineSchema.shape,
      })
      .meta({
        id: "StepLogEvent",
        description: "A running step has written a log line; its result will carry all of them in `logs`",
      }),
    z
      .object({
        event: stepEntryKind,
        kind: stepEntryKind,
        ...stepEntry,
        logs: z
          .array(logLineSchema)
          .optional()
          .describe("Only in the journal with `logs=true`: the log lines of the attempt that has ended"),
      })
      .meta({ id: "StepEvent" }),
    z
      .object({ event: z.literal("rerun"), kind: z.literal("rerun"), ...entry, status: taskStatusSchema })
      .meta({ id: "RerunEvent", description: "Failed steps were cleared and run again" }),
    z
      .object({ event: z.literal("task"), kind: z.literal("status"), ...entry, status: taskStatusSchema })
      .meta({ id: "TaskEndedEvent", description: "The task has ended; a rerun may still follow" }),
  ])
  .meta({ id: "TaskEvent" });
export type TaskStreamEvent = z.infer<typeof taskStreamEventSchema>;

/** Entries of the journal as events, oldest first, without the live ones. */
export const taskEventListResponseSchema = success({
  events: z.array(taskStreamEventSchema),
  nextCursor: nextCursorSchema,
});
