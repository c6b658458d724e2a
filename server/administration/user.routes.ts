import * as z from "zod";
import {
  accountInvitationListResponseSchema,
  type AdminUser,
  adminUserResponseSchema,
  changeUserSchema,
  createAccountInvitationSchema,
  createdAccountInvitationResponseSchema,
  deleteUserQuerySchema,
  userDeletionResponseSchema,
  userListQuerySchema,
  userListResponseSchema,
} from "../../contract/admin-users.ts";
import { pageQuerySchema, success } from "../../contract/api.ts";
import { toInvitationView } from "../accounts/invitations/account-invitation.routes.ts";
import type { AccountInvitations } from "../accounts/invitations/account-invitations.ts";
import type { HttpServer } from "../http/server.ts";
import { toIso } from "../lib/clock.ts";
import type { UserRecord } from "./user.sql.ts";
import type { Users } from "./users.ts";

export interface UserRoutesDeps {
  users: Users;
  invitations: AccountInvitations;
}

const tags = ["administration"];
const config = { access: "administrator" } as const;
const params = z.object({ userId: z.string() });

export function userRoutes(app: HttpServer, { users, invitations }: UserRoutesDeps): void {
  app.get(
    "/api/admin/users",
    {
      config,
      schema: {
        tags,
        operationId: "listUsers",
        summary: "List the accounts of the instance, newest first",
        description: "For the administrator. Accounts that are being deleted are not listed.",
        querystring: userListQuerySchema,
        response: { 200: userListResponseSchema },
      },
    },
    async ({ query }) => {
      const { items, nextCursor } = await users.list(query);
      return { ok: true as const, users: items.map(toView), nextCursor };
    },
  );

  app.get(
    "/api/admin/users/:userId",
    {
      config,
      schema: {
        tags,
        operationId: "getUser",
        summary: "Read an account of the instance",
        description: "For the administrator.",
        errors: ["user_not_found"],
        params,
        response: { 200: adminUserResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, user: toView(await users.get(request.params.userId)) }),
  );

  app.patch(
    "/api/admin/users/:userId",
    {
      config,
      schema: {
        tags,
        operationId: "changeUser",
        summary: "Disable or enable an account, or change who is an administrator",
        description:
          "A disabled account cannot log in. Its logins, API keys, connected apps, sockets and streams stop at once, and nothing starts in its personal workspace until it is enabled. The last administrator who can log in stays one. For the administrator.",
        errors: ["user_not_found", "last_administrator"],
        params,
        body: changeUserSchema,
        response: { 200: adminUserResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      user: toView(await users.change(request.params.userId, request.body)),
    }),
  );

  app.delete(
    "/api/admin/users/:userId",
    {
      config: { ...config, audit: { dryRunIn: "query" } },
      schema: {
        tags,
        operationId: "deleteUser",
        summary: "Delete an account, with or without its records",
        description:
          "With `transferTo`, the personal workspace becomes a team workspace of the members of that workspace or of that user; ids and addresses stay. With `deleteRecords=true` it is deleted with its records. `dryRun=true` reports what would happen. For the administrator.",
        errors: ["user_not_found", "last_administrator", "last_owner"],
        params,
        querystring: deleteUserQuerySchema,
        response: { 200: userDeletionResponseSchema },
      },
    },
    async (request) => {
      const { transferTo, deleteRecords, dryRun } = request.query;
      const removal = { transferTo, deleteRecords: deleteRecords === "true" };
      const isDryRun = dryRun === "true";
      const { userId } = request.params;
      const deletion = await (isDryRun ? users.report(userId, removal) : users.remove(userId, removal));
      return { ok: true as const, dryRun: isDryRun, deletion };
    },
  );

  app.get(
    "/api/admin/invitations",
    {
      config,
      schema: {
        tags,
        operationId: "listAccountInvitations",
        summary: "List the open invitations to create an account",
        description: "Newest first. Used and expired invitations are not listed. For the administrator.",
        querystring: pageQuerySchema,
        response: { 200: accountInvitationListResponseSchema },
      },
    },
    async ({ query }) => {
      const { items, nextCursor } = await invitations.list(query);
      return { ok: true as const, invitations: items.map(toInvitationView), nextCursor };
    },
  );

  app.post(
    "/api/admin/invitations",
    {
      config,
      schema: {
        tags,
        operationId: "createAccountInvitation",
        summary: "Invite somebody to create an account",
        description:
          "The `url` works once, for seven days, also while registration is closed. With `email` only that address can register, and the link is mailed if the service sends mail. For the administrator.",
        body: createAccountInvitationSchema,
        response: { 201: createdAccountInvitationResponseSchema },
      },
    },
    async ({ userId, body }, reply) => {
      const { invitation, url, mailed } = await invitations.create(userId, body.email ?? null);
      return reply.status(201).send({ ok: true, invitation: toInvitationView(invitation), url, mailed });
    },
  );

  app.delete(
    "/api/admin/invitations/:invitationId",
    {
      config,
      schema: {
        tags,
        operationId: "deleteAccountInvitation",
        summary: "Withdraw an invitation to create an account",
        description: "Its link stops working at once. For the administrator.",
        errors: ["invitation_not_found"],
        params: z.object({ invitationId: z.string() }),
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await invitations.remove(request.params.invitationId);
      return { ok: true as const };
    },
  );
}

function toView({ createdAt, lastLoginAt, disabledAt, ...user }: UserRecord): AdminUser {
  const isoOrNull = (time: number | null) => (time === null ? null : toIso(time));
  return {
    ...user,
    createdAt: toIso(createdAt),
    lastLoginAt: isoOrNull(lastLoginAt),
    disabledAt: isoOrNull(disabledAt),
  };
}
