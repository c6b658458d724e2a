import { confirmEmailSchema, forgotPasswordSchema, resetPasswordSchema } from "../../../contract/accounts.ts";
import { success } from "../../../contract/api.ts";
import { limitRate } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import { clientNetwork } from "../../security/address-classes.ts";
import type { Accounts } from "../accounts.ts";
import type { EmailConfirmations } from "./email-confirmations.ts";
import type { PasswordResets } from "./password-resets.ts";

const tags = ["accounts"];
const response = { 200: success({}) };

export interface AccountLinkRoutesDeps {
  accounts: Pick<Accounts, "find" | "requirePasswordLogins">;
  resets: PasswordResets;
  confirmations: EmailConfirmations;
  /** Limits requests per address. */
  linkLimiter: RateLimiter;
  /** Limits mails to one account. */
  mailLimiter: RateLimiter;
}

export function accountLinkRoutes(
  app: HttpServer,
  { accounts, resets, confirmations, linkLimiter, mailLimiter }: AccountLinkRoutesDeps,
): void {
  const onRequest = limitRate(linkLimiter, (request) => clientNetwork(request.ip));

  app.post(
    "/api/auth/password/forgot",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "forgotPassword",
        summary: "Request a mail to reset the password",
        description:
          "The response is the same for every address. If an account has it, it gets a link that works once, for an hour.",
        errors: ["mail_not_configured", "password_login_disabled", "rate_limited"],
        security: [],
        body: forgotPasswordSchema,
        response,
      },
      onRequest,
    },
    (request) => {
      accounts.requirePasswordLogins();
      resets.request(request.body.email);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/auth/password/reset",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "resetPassword",
        summary: "Set a new password with the token of a mail",
        description: "Ends every login of the account. A second factor stays on.",
        errors: ["invalid_link", "weak_password", "password_login_disabled", "rate_limited"],
        security: [],
        body: resetPasswordSchema,
        response,
      },
      onRequest,
    },
    async (request) => {
      accounts.requirePasswordLogins();
      request.auditAccount(await resets.reset(request.body, request.ip));
      return { ok: true as const };
    },
  );

  app.post(
    "/api/auth/email/confirm",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "confirmEmail",
        summary: "Confirm an email address with the token of a mail",
        description: "The token works once, for a day.",
        errors: ["invalid_link", "rate_limited"],
        security: [],
        body: confirmEmailSchema,
        response,
      },
      onRequest,
    },
    async (request) => {
      request.auditAccount(await confirmations.confirm(request.body.token));
      return { ok: true as const };
    },
  );

  app.post(
    "/api/auth/email/confirmation",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "sendEmailConfirmation",
        summary: "Mail the link that confirms your email address",
        description: "Does nothing if the address is confirmed.",
        errors: ["mail_not_configured", "rate_limited"],
        response,
      },
      preHandler: limitRate(mailLimiter, (request) => request.userId),
    },
    async (request) => {
      await confirmations.send(await accounts.find(request.userId));
      return { ok: true as const };
    },
  );
}
