import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, pageQuery, success, text, timeSchema } from "./api.ts";
import type { Role } from "./roles.ts";

/** The kinds of notifications, each with the least role that receives it. An approval may name its approvers. */
export const NOTIFICATION_KINDS = {
  run_failed: "builder",
  approval_requested: "operator",
  approval_blocked: "admin",
  connection_problem: "builder",
  limit_reached: "admin",
} as const satisfies Record<string, Role>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
export const notificationKinds = Object.keys(NOTIFICATION_KINDS) as [NotificationKind, ...NotificationKind[]];
const kindSchema = z.enum(notificationKinds).meta({ id: "NotificationKind" });

export const notificationSchema = z
  .object({
    id: z.string(),
    kind: kindSchema,
    title: z.string().describe("The name of the workflow, the connection or the limit"),
    message: z.string().describe("The last error, the question of the approval, or what to do"),
    count: z.int().describe("How many failures, approvals or refusals the notification stands for"),
    firstAt: timeSchema,
    lastAt: timeSchema,
    unread: z.boolean().describe("False for an approval that is decided"),
    readAt: timeSchema.nullable(),
    link: z
      .string()
      .describe("The path of the page that shows it")
      .meta({ examples: ["/runs/task_01k"] }),
    taskId: z.string().nullable().describe("The last run"),
    workflowId: z.string().nullable(),
    stepId: z.string().nullable(),
    stepTitle: z
      .string()
      .nullable()
      .describe("The name of the step in the version that ran, otherwise its id"),
    connectionId: z.string().nullable(),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof notificationSchema>;

export const notificationQuerySchema = pageQuery(/^\d{1,15}:\S+$/).extend({
  unread: emptyAsAbsent(z.enum(["true", "false"])).describe("With true, only unread ones"),
});

const unread = z.int().describe("How many notifications of yours in this workspace are unread");

export const notificationListResponseSchema = success({
  notifications: z.array(notificationSchema),
  nextCursor: nextCursorSchema,
  unread,
});

export const readNotificationsSchema = z
  .object({
    ids: z.array(text(100, 1)).min(1).max(200).optional(),
    all: z.literal(true).optional(),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), "must have either `ids` or `all`")
  .meta({ examples: [{ all: true }] });
export type ReadNotifications = z.infer<typeof readNotificationsSchema>;

export const unreadResponseSchema = success({ unread });

export const MAIL_FREQUENCIES = ["immediate", "hourly", "daily"] as const;
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number];

export const NOTIFICATION_CHANNELS = ["page", "mail"] as const;

const kindSettingsSchema = z
  .object({ kind: kindSchema, page: z.boolean(), mail: z.boolean() })
  .meta({ id: "NotificationKindSettings" });

export const notificationSettingsSchema = z
  .object({
    kinds: z
      .array(kindSettingsSchema)
      .max(notificationKinds.length)
      .refine(
        (kinds) => new Set(kinds.map(({ kind }) => kind)).size === kinds.length,
        "must not have one kind twice",
      )
      .describe("A kind that is left out is on"),
    mailFrequency: z
      .enum(MAIL_FREQUENCIES)
      .describe(
        "`immediate`: at most one mail every five minutes; `hourly` and `daily` (8:00 UTC): a digest",
      ),
  })
  .meta({ id: "NotificationSettings" });
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

export const notificationSettingsResponseSchema = success({
  settings: notificationSettingsSchema,
  receives: z.array(kindSchema).describe("The kinds that your role in this workspace receives"),
  mail: z
    .enum(["ready", "address_unconfirmed", "not_configured"])
    .describe("Whether mail can reach you: the service needs a mail server, and you a confirmed address"),
});
export type NotificationSettingsResponse = z.infer<typeof notificationSettingsResponseSchema>;
