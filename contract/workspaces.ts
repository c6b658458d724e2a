import * as z from "zod";
import { nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";
import { roleSchema } from "./roles.ts";
import { serviceAccountSchema } from "./service-accounts.ts";

const workspaceName = nameText(200);

export const workspaceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z
      .enum(["personal", "team"])
      .describe("A personal workspace has the id of its user, its only member"),
    role: roleSchema.describe("Your role in it"),
    createdAt: timeSchema,
  })
  .meta({ id: "Workspace" });
export type Workspace = z.infer<typeof workspaceSchema>;

export const createWorkspaceSchema = z.object({ name: workspaceName });
export const updateWorkspaceSchema = z.object({ name: workspaceName });
export const workspaceResponseSchema = success({ workspace: workspaceSchema });
export const workspaceListResponseSchema = success({
  workspaces: z.array(workspaceSchema).describe("The personal one first, then by name"),
});

export const memberSchema = z
  .object({
    userId: z.string(),
    name: z.string().nullable(),
    email: z.string(),
    role: roleSchema,
    createdAt: timeSchema.describe("When they joined"),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof memberSchema>;

export const updateMemberSchema = z.object({ role: roleSchema });
export const memberResponseSchema = success({ member: memberSchema });
export const memberListResponseSchema = success({
  members: z.array(memberSchema),
  serviceAccounts: z.array(serviceAccountSchema).describe("Members without a login; on the first page"),
  nextCursor: nextCursorSchema,
});

export const createInvitationSchema = z.object({
  role: roleSchema.describe("At most your own role; only an owner invites owners"),
  email: z
    .email("must be an email address")
    .max(254)
    .transform((address) => address.toLowerCase())
    .optional()
    .describe("Only the account with this address can accept. Absent: anyone with the link"),
});
export const invitationSchema = z
  .object({
    id: z.string(),
    role: roleSchema,
    email: z.string().nullable(),
    invitedBy: z.string().describe("Id of the member"),
    createdAt: timeSchema,
    expiresAt: timeSchema,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitationSchema>;

export const createdInvitationResponseSchema = success({
  invitation: invitationSchema,
  token: z.string().describe("Returned only here"),
  url: z.string().describe("The page that accepts the invitation. Works once"),
  mailed: z.boolean().describe("Whether the link was mailed to `email`"),
});
export const invitationListResponseSchema = success({
  invitations: z.array(invitationSchema),
  nextCursor: nextCursorSchema,
});
export const invitationPreviewResponseSchema = success({
  invitation: z
    .object({
      workspaceName: z.string(),
      inviterName: z.string(),
      role: roleSchema,
      email: z.string().nullable(),
      expiresAt: timeSchema,
    })
    .meta({ id: "InvitationPreview" }),
});
export const acceptInvitationSchema = z.object({ token: text(200, 1) });
