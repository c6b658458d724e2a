import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

/** Types of the CloudEvents that Baton sends. Receivers switch on them: a type is never renamed. */
export const EVENT_TYPES = [
  "baton.run.started",
  "baton.run.completed",
  "baton.run.failed",
  "baton.run.rejected",
  "baton.run.cancelled",
  "baton.run.waiting_approval",
  "baton.approval.requested",
  "baton.approval.decided",
  "baton.approval.blocked",
  "baton.connection.failed",
  "baton.limit.reached",
  "baton.notification.created",
  "baton.audit.recorded",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Every event of the audit log of the workspace. */
export const AUDIT_EVENT_TYPE = "baton.audit.recorded";

/** The type of the event that `POST …/test` sends. */
export const TEST_EVENT_TYPE = "baton.test";

const fields = {
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2000)
    .describe("Receives each event as a POST request"),
  types: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .max(EVENT_TYPES.length)
    .refine((types) => new Set(types).size === types.length, "must not have one type twice"),
  workflowId: text(100, 1).nullable().describe("Only events of this workflow; null is every workflow"),
  active: z.boolean(),
};

export const createEventSubscriptionSchema = z.object({
  url: fields.url,
  types: fields.types,
  workflowId: fields.workflowId.default(null),
  active: fields.active.default(true),
});
export type CreateEventSubscription = z.infer<typeof createEventSubscriptionSchema>;
export type NewEventSubscription = z.input<typeof createEventSubscriptionSchema>;

export const updateEventSubscriptionSchema = z.object(fields).partial();
export type UpdateEventSubscription = z.infer<typeof updateEventSubscriptionSchema>;

export const eventSubscriptionSchema = z
  .object({
    id: z.string(),
    ...fields,
    disabledReason: z
      .string()
      .nullable()
      .describe("Why Baton switched it off: `gone` when the receiver responded 410"),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "EventSubscription" });
export type EventSubscription = z.infer<typeof eventSubscriptionSchema>;

const withSecret = eventSubscriptionSchema
  .extend({ secret: z.string().describe("Signing secret of Standard Webhooks; returned only here") })
  .meta({ id: "EventSubscriptionWithSecret" });

export const eventSubscriptionResponseSchema = success({ subscription: eventSubscriptionSchema });
export const eventSubscriptionSecretResponseSchema = success({ subscription: withSecret });
export const eventSubscriptionListResponseSchema = success({
  subscriptions: z.array(eventSubscriptionSchema),
  nextCursor: nextCursorSchema,
});

export const eventDeliverySchema = z
  .object({
    id: z.string().describe("The `webhook-id` header: the same for every attempt"),
    type: z.string(),
    taskId: z.string().nullable(),
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z.int(),
    nextAttemptAt: timeSchema.nullable(),
    lastAttemptAt: timeSchema.nullable(),
    responseStatus: z.int().nullable(),
    responseExcerpt: z.string().nullable(),
    error: z.string().nullable(),
    event: z.record(z.string(), z.unknown()).describe("The CloudEvent that is sent"),
    createdAt: timeSchema,
  })
  .meta({ id: "EventDelivery" });
export type EventDelivery = z.infer<typeof eventDeliverySchema>;

export const eventDeliveryResponseSchema = success({ delivery: eventDeliverySchema });
export const eventDeliveryListResponseSchema = success({
  deliveries: z.array(eventDeliverySchema),
  nextCursor: nextCursorSchema,
});
