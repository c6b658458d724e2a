import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

/** The longest name and key of an event. */
export const MAX_EVENT_NAME = 500;

const HOUR_MS = 3_600_000;
export const DEFAULT_EXPIRY_MS = 24 * HOUR_MS;
export const MAX_EXPIRY_MS = 30 * 24 * HOUR_MS;

export const sendEventSchema = z.object({
  name: text(MAX_EVENT_NAME, 1).describe("The name that the step waits for"),
  key: z
    .union([text(MAX_EVENT_NAME), z.number()])
    .default("")
    .describe("The key that the step waits for; empty by default"),
  data: z.unknown().optional().describe("The `data` in the output of the step"),
  id: text(MAX_EVENT_NAME, 1)
    .optional()
    .describe("The event with this id is accepted once, also when it is sent again, until it expires"),
  expiresInMs: z
    .int()
    .min(1)
    .max(MAX_EXPIRY_MS)
    .default(DEFAULT_EXPIRY_MS)
    .describe("How long an event is kept that no step waits for yet; 24 hours by default, at most 30 days"),
});
export type SendEvent = z.infer<typeof sendEventSchema>;

export const sentEventResponseSchema = success({
  delivered: z.boolean().describe("True when a waiting step has taken the event; false while it is kept"),
  duplicate: z.boolean().describe("True when an event with this id was accepted before"),
});

export const resumedResponseSchema = success({
  taskId: z.string(),
  delivered: z.boolean().describe("False when the step has not begun to wait: it continues at once then"),
});

/** A step of a task that waits for an event. */
export const eventWaitSchema = z
  .object({
    stepId: z.string().describe("The step path, such as each[3]/wait"),
    event: z.string().describe("The name that it waits for, without secrets"),
    key: z.string().describe("The key that it waits for, without secrets; empty when it has none"),
    dueAt: timeSchema.nullable().describe("When its time limit ends; null when it has none"),
    resumeUrl: z.string().describe("A POST to it continues the step without a login"),
  })
  .meta({ id: "EventWait" });
export type EventWait = z.infer<typeof eventWaitSchema>;

export const eventWaitListResponseSchema = success({
  waits: z.array(eventWaitSchema),
  nextCursor: nextCursorSchema,
});
