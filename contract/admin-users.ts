import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, pageQuerySchema, success, text, timeSchema } from "./api.ts";

/** What the administrator sees of the accounts of the instance, and does with them. */
export const userListQuerySchema = pageQuerySchema.extend({
  search: emptyAsAbsent(text(200)).describe("Part of the email address or the name"),
  status: emptyAsAbsent(z.enum(["active", "disabled"])).describe("Only these accounts"),
});

const adminUserSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    createdAt: timeSchema,
    lastLoginAt: timeSchema.nullable(),
    disabledAt: timeSchema.nullable().describe("null while the account can be used"),
    isAdministrator: z.boolean(),
    twoFactor: z.boolean().describe("Whether a login needs a code as well"),
    providerOnly: z
      .boolean()
      .describe("True for an account without a password, which logs in with a provider"),
    workspaces: z.int().describe("How many workspaces the user is a member of, the personal one included"),
    storageBytes: z
      .int()
      .nullable()
      .describe("Runs, files and documents of the personal workspace; null before the first measurement"),
  })
  .meta({ id: "AdminUser" });
export type AdminUser = z.infer<typeof adminUserSchema>;

export const userListResponseSchema = success({
  users: z.array(adminUserSchema),
  nextCursor: nextCursorSchema,
});
export const adminUserResponseSchema = success({ user: adminUserSchema });

export const changeUserSchema = z
  .object({
    disabled: z
      .boolean()
      .optional()
      .describe("true ends every login, API key, app, socket and stream at once"),
    isAdministrator: z.boolean().optional(),
  })
  .meta({ examples: [{ disabled: true }] });
export type ChangeUser = z.infer<typeof changeUserSchema>;

export const deleteUserQuerySchema = z.object({
  dryRun: emptyAsAbsent(z.enum(["true", "false"])).describe("`true` reports and changes nothing"),
  transferTo: emptyAsAbsent(text(200)).describe(
    "Id of a user or team workspace whose members get the personal workspace",
  ),
  deleteRecords: emptyAsAbsent(z.enum(["true", "false"])).describe(
    "`true` deletes the personal workspace with its records",
  ),
});

const count = z.int().describe("10,000 means 10,000 or more");

const userDeletionSchema = z
  .object({
    records: z
      .object({
        workflows: count,
        runs: count,
        schedules: count,
        webhooks: count,
        triggers: count,
        agents: count,
        teams: count,
        documents: count,
        connections: count,
        variables: count,
        files: count,
      })
      .describe("What the personal workspace contains"),
    workspaces: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          members: z.int().describe("Other members"),
          outcome: z
            .enum(["kept", "transferred", "deleted", "needs_owner"])
            .describe(
              "`needs_owner`: the user is the only owner and others are members; nothing is deleted without `transferTo`",
            ),
        }),
      )
      .describe("The personal workspace first, then the team workspaces of the user"),
    apiKeys: count.describe("API keys of the user, in all workspaces; they are revoked"),
    connectedApps: count.describe("Apps that the user connected; they are disconnected"),
  })
  .meta({ id: "UserDeletion" });
export type UserDeletion = z.infer<typeof userDeletionSchema>;

export const userDeletionResponseSchema = success({
  dryRun: z.boolean().describe("True when nothing was changed"),
  deletion: userDeletionSchema,
});

export const createAccountInvitationSchema = z
  .object({
    email: z
      .email("must be an email address")
      .max(254)
      .transform((address) => address.toLowerCase())
      .optional()
      .describe("Only this address can register with the link. Absent: anyone with the link"),
  })
  .meta({ examples: [{ email: "ada@example.com" }] });

const accountInvitationSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    createdAt: timeSchema,
    expiresAt: timeSchema,
  })
  .meta({ id: "AccountInvitation" });
export type AccountInvitation = z.infer<typeof accountInvitationSchema>;

export const createdAccountInvitationResponseSchema = success({
  invitation: accountInvitationSchema,
  url: z
    .string()
    .describe("The page that creates the account. Works once; returned only here")
    .meta({
      examples: ["https://baton.example.com/register#invitation=mZ0pJc1Qv7sYk2Rr8b5TtXq3Wd6Gh9Lf4Na0Ee1Uu2I"],
    }),
  mailed: z.boolean().describe("Whether the link was mailed to `email`"),
});
export const accountInvitationListResponseSchema = success({
  invitations: z.array(accountInvitationSchema),
  nextCursor: nextCursorSchema,
});

export const readAccountInvitationSchema = z.object({
  token: text(200, 1)
    .describe("The part of the link after `#invitation=`")
    .meta({ examples: ["mZ0pJc1Qv7sYk2Rr8b5TtXq3Wd6Gh9Lf4Na0Ee1Uu2I"] }),
});
export const accountInvitationPreviewResponseSchema = success({
  email: z.string().nullable().describe("The only address that can register; null for any"),
  expiresAt: timeSchema,
});
