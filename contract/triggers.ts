import * as z from "zod";
import { nextCursorSchema, pageQuerySchema, success, text, timeSchema } from "./api.ts";

export const triggerKinds = ["rss", "email", "chat", "app"] as const;
export type StoredTriggerKind = (typeof triggerKinds)[number];

const interval = (fallback: number) =>
  z
    .int()
    .min(1)
    .max(7 * 86_400)
    .default(fallback)
    .describe("Time between two checks; the instance sets the shortest one allowed");
const startWith = z
  .enum(["new", "all"])
  .default("new")
  .describe("`new`: items that exist at the first check start nothing. `all`: each of them starts a run");

export const rssSettingsSchema = z
  .object({
    url: z
      .url({ protocol: /^https?$/, error: "must be an http or https URL" })
      .max(2000)
      .describe("An RSS or Atom feed"),
    intervalSeconds: interval(900),
    startWith,
  })
  .meta({ id: "RssTriggerSettings" });

export const emailSettingsSchema = z
  .object({
    connection: text(200, 1)
      .nullable()
      .default(null)
      .describe(
        "One of your IMAP connections, by id, in place of `host`, `port`, `security`, `user` and the password",
      ),
    host: text(253)
      .regex(/^[\w.:-]*$/, "must be a host name or an address")
      .default("")
      .describe("The IMAP server; empty with a connection"),
    port: z.int().min(1).max(65_535).default(993),
    security: z
      .enum(["tls", "starttls"])
      .default("tls")
      .describe(
        "`starttls`: the connection begins in plain text, usually at port 143, and must change to TLS",
      ),
    user: text(500).default(""),
    mailbox: text(500, 1).default("INBOX"),
    markSeen: z.boolean().default(false).describe("Mark messages as seen when they are found"),
    intervalSeconds: interval(300),
    startWith,
  })
  .refine(({ connection, host }) => connection !== null || host !== "", {
    path: ["host"],
    error: "is missing",
  })
  .refine(({ connection, user }) => connection !== null || user !== "", {
    path: ["user"],
    error: "is missing",
  })
  .meta({ id: "EmailTriggerSettings" });

export const chatSettingsSchema = z
  .object({
    slug: text(63, 1)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single dashes")
      .describe("The end of the address: /chat/<slug>. Unique on this instance"),
    agentId: text(200).nullable().default(null).describe("The agent that answers, in place of a workflow"),
    title: text(100).default(""),
    greeting: text(2000).default("").describe("The first message of every conversation"),
    placeholder: text(100).default("").describe("The text in the empty field"),
    access: z
      .enum(["public", "login"])
      .default("public")
      .describe("`login`: only people with an account of this instance"),
    origins: z
      .array(
        text(300).regex(
          /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i,
          "must be an origin such as https://www.example.com",
        ),
      )
      .max(50)
      .default([])
      .describe("Web sites that may embed the chat"),
  })
  .meta({ id: "ChatTriggerSettings" });

export const appTriggerSettingsSchema = z
  .object({
    app: text(100, 1).describe("The app, by id"),
    trigger: text(100, 1).describe("The trigger of the app, by id"),
    connection: text(200, 1).describe("One of your connections of the app"),
    input: z.record(z.string(), z.unknown()).default({}).describe("The fields of the trigger"),
    intervalSeconds: interval(300),
    startWith,
  })
  .meta({ id: "AppTriggerSettings" });

/** The settings of each kind. */
export const triggerSettings = {
  rss: rssSettingsSchema,
  email: emailSettingsSchema,
  chat: chatSettingsSchema,
  app: appTriggerSettingsSchema,
} as const;
export type TriggerSettings = { [Kind in StoredTriggerKind]: z.infer<(typeof triggerSettings)[Kind]> };

const password = text(1000, 1).describe("Encrypted at rest, and in no response");

const given = {
  workflowId: text(200, 1),
  name: text(200).default(""),
  active: z.boolean().default(true),
};

export const createTriggerSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("rss"), ...given, settings: rssSettingsSchema }).meta({ id: "NewRssTrigger" }),
    z
      .object({
        kind: z.literal("email"),
        ...given,
        settings: emailSettingsSchema,
        password: password.optional().describe("Required without a connection"),
      })
      .refine(({ settings, password: own }) => (settings.connection === null) === (own !== undefined), {
        path: ["password"],
        error: "is required without a connection, and has no use with one",
      })
      .meta({ id: "NewEmailTrigger" }),
    z
      .object({
        kind: z.literal("chat"),
        ...given,
        workflowId: given.workflowId.nullable().default(null).describe("Null when an agent answers"),
        settings: chatSettingsSchema,
      })
      .meta({ id: "NewChatTrigger" }),
    z
      .object({ kind: z.literal("app"), ...given, settings: appTriggerSettingsSchema })
      .meta({ id: "NewAppTrigger" }),
  ])
  .meta({ id: "NewTrigger" });
export type CreateTrigger = z.infer<typeof createTriggerSchema>;

export const updateTriggerSchema = z
  .object({
    name: text(200),
    active: z.boolean(),
    settings: z
      .record(z.string(), z.unknown())
      .describe("Fields of the settings to change. A new source starts again as after its creation"),
    password: password.describe("Of an `email` trigger; needed with another `host` or `user`"),
  })
  .partial();
export type UpdateTrigger = z.infer<typeof updateTriggerSchema>;

const shown = {
  id: z.string(),
  workflowId: z.string(),
  name: z.string(),
  active: z.boolean(),
  nextCheckAt: timeSchema.nullable(),
  lastCheckAt: timeSchema.nullable(),
  lastItemAt: timeSchema.nullable().describe("When the last item was found"),
  lastError: z
    .object({ at: timeSchema, code: z.string(), message: z.string() })
    .nullable()
    .describe("Why the last check found nothing; null after a check that worked"),
  failures: z
    .int()
    .describe("Checks that failed in a row; each doubles the time to the next, up to six hours"),
  createdAt: timeSchema,
  updatedAt: timeSchema,
};

export const storedTriggerSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("rss"), ...shown, settings: rssSettingsSchema }).meta({ id: "RssTrigger" }),
    z
      .object({ kind: z.literal("email"), ...shown, settings: emailSettingsSchema })
      .meta({ id: "EmailTrigger" }),
    z
      .object({
        kind: z.literal("chat"),
        ...shown,
        workflowId: z.string().nullable().describe("Null when an agent answers"),
        settings: chatSettingsSchema,
      })
      .meta({ id: "ChatTrigger" }),
    z
      .object({ kind: z.literal("app"), ...shown, settings: appTriggerSettingsSchema })
      .meta({ id: "StoredAppTrigger" }),
  ])
  .meta({ id: "StoredTrigger" });
export type StoredTrigger = z.infer<typeof storedTriggerSchema>;

export const triggerResponseSchema = success({ trigger: storedTriggerSchema });
export const triggerListQuerySchema = pageQuerySchema.extend({
  workflowId: text(200).optional().describe("Only the triggers of this workflow"),
});
export type TriggerListQuery = z.infer<typeof triggerListQuerySchema>;
export const triggerListResponseSchema = success({
  triggers: z.array(storedTriggerSchema),
  nextCursor: nextCursorSchema,
});

const triggerItemSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    taskId: z.string().nullable().describe("Null until its run has started"),
    createdAt: timeSchema,
  })
  .meta({ id: "TriggerItem" });
export type TriggerItem = z.infer<typeof triggerItemSchema>;

export const triggerItemListResponseSchema = success({
  items: z.array(triggerItemSchema),
  nextCursor: nextCursorSchema,
});

export const triggerSampleResponseSchema = success({
  sample: z
    .object({ title: z.string(), input: z.looseObject({}) })
    .nullable()
    .describe("The input that a run of the newest item would have; null when there is none"),
});
