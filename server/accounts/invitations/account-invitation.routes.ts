import {
  type AccountInvitation,
  accountInvitationPreviewResponseSchema,
  readAccountInvitationSchema,
} from "../../../contract/admin-users.ts";
import { limitRate } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";
import { toIso } from "../../lib/clock.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import { clientNetwork } from "../../security/address-classes.ts";
import type { AccountInvitationRecord } from "./account-invitation.sql.ts";
import type { AccountInvitations } from "./account-invitations.ts";

export interface AccountInvitationRoutesDeps {
  invitations: Pick<AccountInvitations, "open">;
  /** Limits guesses of tokens per address. */
  limiter: RateLimiter;
}

export function accountInvitationRoutes(
  app: HttpServer,
  { invitations, limiter }: AccountInvitationRoutesDeps,
): void {
  app.post(
    "/api/auth/invitation",
    {
      config: { auth: "public", audit: { none: "changes nothing" } },
      schema: {
        tags: ["accounts"],
        operationId: "readAccountInvitation",
        summary: "Read an invitation before registering with it",
        description:
          "Pass the same token as `invitation` to `POST /api/auth/register`. Reading does not use it up.",
        errors: ["invalid_link", "rate_limited"],
        security: [],
        body: readAccountInvitationSchema,
        response: { 200: accountInvitationPreviewResponseSchema },
      },
      onRequest: limitRate(limiter, (request) => clientNetwork(request.ip)),
    },
    async (request) => {
      const { email, expiresAt } = await invitations.open(request.body.token);
      return { ok: true as const, email, expiresAt: toIso(expiresAt) };
    },
  );
}

export function toInvitationView(invitation: AccountInvitationRecord): AccountInvitation {
  const { id, email, createdAt, expiresAt } = invitation;
  return { id, email, createdAt: toIso(createdAt), expiresAt: toIso(expiresAt) };
}
