import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  acceptInvitationSchema,
  createdInvitationResponseSchema,
  createInvitationSchema,
  invitationListResponseSchema,
  invitationPreviewResponseSchema,
  workspaceResponseSchema,
} from "../../contract/workspaces.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { toIso } from "../lib/clock.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { Invitations } from "./invitations.ts";
import { toInvitation, toWorkspace } from "./workspace-view.ts";
import type { Workspaces } from "./workspaces.ts";

const tags = ["workspaces"];
const params = z.object({ id: z.string() });

export interface InvitationRoutesDeps {
  invitations: Invitations;
  workspaces: Workspaces;
  /** Limits mails per workspace. */
  mailLimiter: RateLimiter;
  /** Limits guesses of tokens per address. */
  limiter: RateLimiter;
}

export function invitationRoutes(
  app: HttpServer,
  { invitations, workspaces, mailLimiter, limiter }: InvitationRoutesDeps,
): void {
  app.get(
    "/api/workspaces/:id/invitations",
    {
      config: { access: { role: "admin", scope: "workspace:read", workspace: "path" } },
      schema: {
        tags,
        operationId: "listInvitations",
        summary: "List the open invitations of a workspace",
        description: "Newest first. Accepted and expired invitations are not listed.",
        params,
        querystring: pageQuerySchema,
        response: { 200: invitationListResponseSchema },
      },
    },
    async ({ workspaceId, query }) => {
      const { items, nextCursor } = await invitations.list(workspaceId, query);
      return { ok: true as const, invitations: items.map(toInvitation), nextCursor };
    },
  );

  app.post(
    "/api/workspaces/:id/invitations",
    {
      // A key that could invite would open more than its scopes, for longer than its own time.
      config: { access: { role: "admin", scope: null, workspace: "path" } },
      schema: {
        tags,
        operationId: "createInvitation",
        summary: "Invite somebody to a workspace",
        description:
          "Send them the `url`: it works once, for seven days, and as long as you could still give the role. With `email`, only the account with that address can accept, and the link is mailed if the service sends mail.",
        errors: ["personal_workspace", "limit_reached", "rate_limited"],
        params,
        body: createInvitationSchema,
        response: { 201: createdInvitationResponseSchema },
      },
      preHandler: limitRate(mailLimiter, (request) => request.workspaceId),
    },
    async ({ workspaceId, userId, role, body }, reply) => {
      const { invitation, ...link } = await invitations.create({ workspaceId, userId, role }, body);
      return reply.status(201).send({ ok: true, invitation: toInvitation(invitation), ...link });
    },
  );

  app.delete(
    "/api/workspaces/:id/invitations/:invitationId",
    {
      config: { access: { role: "admin", scope: "workspace:write", workspace: "path" } },
      schema: {
        tags,
        operationId: "deleteInvitation",
        summary: "Withdraw an invitation",
        description: "Its link stops working at once.",
        params: z.object({ id: z.string(), invitationId: z.string() }),
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, params: { invitationId } }) => {
      await invitations.remove(workspaceId, invitationId);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/invitations/:token",
    {
      config: { auth: "public" },
      onRequest: limitRate(limiter, (request) => clientNetwork(request.ip)),
      schema: {
        tags,
        operationId: "getInvitation",
        summary: "Read an invitation before accepting it",
        description: "The holder of the link needs no login for it.",
        errors: ["invitation_not_found", "rate_limited"],
        security: [],
        params: z.object({ token: z.string() }),
        response: { 200: invitationPreviewResponseSchema },
      },
    },
    async ({ params: { token } }) => {
      const { workspaceName, inviterName, role, email, expiresAt } = await invitations.open(token);
      const preview = { workspaceName, inviterName, role, email, expiresAt: toIso(expiresAt) };
      return { ok: true as const, invitation: preview };
    },
  );

  app.post(
    "/api/invitations/accept",
    {
      config: {
        access: "account",
        audit: { alsoIn: (_request, payload) => (payload as { workspace: { id: string } }).workspace.id },
      },
      onRequest: limitRate(limiter, (request) => clientNetwork(request.ip)),
      schema: {
        tags,
        operationId: "acceptInvitation",
        summary: "Accept an invitation",
        description:
          "You become a member of its workspace. An invitation works once; a member keeps their role.",
        errors: ["invitation_not_found", "forbidden", "rate_limited"],
        body: acceptInvitationSchema,
        response: { 200: workspaceResponseSchema },
      },
    },
    async ({ userId, body }) => {
      const { workspaceId, role } = await invitations.accept(userId, body.token);
      return { ok: true as const, workspace: toWorkspace(await workspaces.get(workspaceId, role)) };
    },
  );
}
