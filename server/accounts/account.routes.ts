import {
  loginSchema,
  meResponseSchema,
  registerSchema,
  loginResponseSchema,
  secondFactorLoginSchema,
} from "../../contract/accounts.ts";
import type { Accounts } from "./accounts.ts";
import { clientOf } from "./client-of.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { limitRate } from "../http/rate-limit.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["accounts"];

export interface AccountRoutesDeps {
  accounts: Accounts;
  /** Limits password guesses per caller address, or per /64 network of IPv6. */
  loginLimiter: RateLimiter;
  /** Limits password guesses per account, from any number of addresses. */
  accountLimiter: RateLimiter;
  /** Only prevents floods, so it is more generous than the login limit. */
  registrationLimiter: RateLimiter;
}

export function accountRoutes(
  app: HttpServer,
  { accounts, loginLimiter, accountLimiter, registrationLimiter }: AccountRoutesDeps,
): void {
  app.post(
    "/api/auth/register",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "register",
        summary: "Register an account",
        description:
          "Creates the account and logs it in. On a new instance the first account may need the set-up code of the log; later ones need `ALLOW_REGISTRATION` or the `invitation` of an administrator.",
        errors: [
          "weak_password",
          "setup_code_required",
          "registration_closed",
          "invalid_link",
          "forbidden",
          "password_login_disabled",
          "email_taken",
          "rate_limited",
        ],
        security: [],
        body: registerSchema,
        response: { 201: loginResponseSchema },
      },
      onRequest: limitRate(registrationLimiter, (request) => clientNetwork(request.ip)),
    },
    async (request, reply) =>
      reply
        .status(201)
        .send({ ok: true as const, ...(await accounts.register(request.body, clientOf(request))) }),
  );

  app.post(
    "/api/auth/login",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "login",
        summary: "Log in",
        description:
          "The token is valid for seven days. Send it as `Authorization: Bearer <token>`. Attempts are limited per address and per account.",
        errors: [
          "invalid_credentials",
          "account_disabled",
          "second_factor_required",
          "password_login_disabled",
          "rate_limited",
        ],
        security: [],
        body: loginSchema,
        response: { 200: loginResponseSchema },
      },
      onRequest: limitRate(loginLimiter, (request) => clientNetwork(request.ip)),
      preHandler: limitRate(accountLimiter, (request) => (request.body as { email: string }).email),
    },
    async (request) => ({ ok: true as const, ...(await accounts.login(request.body, clientOf(request))) }),
  );

  app.post(
    "/api/auth/login/second-factor",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "loginWithSecondFactor",
        summary: "Log in with the second factor",
        description:
          "The second request of a login that got `second_factor_required`, within five minutes. Ten wrong codes block the second factor of the account for up to 15 minutes.",
        errors: ["invalid_code", "invalid_challenge", "account_disabled", "rate_limited"],
        security: [],
        body: secondFactorLoginSchema,
        response: { 200: loginResponseSchema },
      },
      onRequest: limitRate(loginLimiter, (request) => clientNetwork(request.ip)),
    },
    async (request) => ({
      ok: true as const,
      ...(await accounts.loginWithSecondFactor(request.body, clientOf(request), (id) =>
        request.auditAccount(id),
      )),
    }),
  );

  app.get(
    "/api/auth/me",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "getAccount",
        summary: "Read the current account",
        description: "The account that the login token belongs to, and its workspaces with the role in each.",
        response: { 200: meResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await accounts.me(request.userId)) }),
  );
}
