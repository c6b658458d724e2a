import {
  loginResponseSchema,
  oidcCallbackSchema,
  oidcStartResponseSchema,
  oidcStartSchema,
} from "../../../contract/accounts.ts";
import { limitRate } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";
import { AppError } from "../../lib/errors.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import { clientNetwork } from "../../security/address-classes.ts";
import { clientOf } from "../client-of.ts";
import type { createLoginCookie } from "./login-cookie.ts";
import type { OidcLogins } from "./oidc-logins.ts";

const tags = ["accounts"];

export interface ProviderLogins {
  logins: OidcLogins;
  cookie: ReturnType<typeof createLoginCookie>;
}

/** Without a provider the routes exist and say so. */
export function oidcRoutes(
  app: HttpServer,
  configured: ProviderLogins | undefined,
  loginLimiter: RateLimiter,
): void {
  function requireProvider(): ProviderLogins {
    if (configured !== undefined) return configured;
    throw new AppError("not_found", "No login provider is configured. Set OIDC_ISSUER and OIDC_CLIENT_ID.");
  }
  const onRequest = limitRate(loginLimiter, (request) => clientNetwork(request.ip));

  app.post(
    "/api/auth/oidc/start",
    {
      config: { auth: "public", audit: { none: "the end of the login is recorded" } },
      schema: {
        tags,
        operationId: "startProviderLogin",
        summary: "Begin a login with the provider",
        description:
          "Returns the address of the provider's login page and sets a cookie: only this browser can finish the login, within ten minutes. A login that begins with an `invitation` creates the account also when the provider creates none by itself.",
        errors: ["not_found", "unavailable", "rate_limited"],
        security: [],
        body: oidcStartSchema,
        response: { 200: oidcStartResponseSchema },
      },
      onRequest,
    },
    async (request, reply) => {
      const { logins, cookie } = requireProvider();
      const { url, attempt } = await logins.begin(request.body?.invitation);
      return reply
        .header("set-cookie", cookie.write(attempt))
        .header("cache-control", "no-store")
        .send({ ok: true as const, authorizationUrl: url });
    },
  );

  app.post(
    "/api/auth/oidc/callback",
    {
      config: { auth: "public", audit: {} },
      schema: {
        tags,
        operationId: "finishProviderLogin",
        summary: "Finish a login with the provider",
        description:
          "The page sends what the provider appended to its address. The first login creates the account, or links the one with the same confirmed address.",
        errors: [
          "provider_login_failed",
          "email_taken",
          "registration_closed",
          "setup_code_required",
          "not_found",
          "unavailable",
          "rate_limited",
        ],
        security: [],
        body: oidcCallbackSchema,
        response: { 200: loginResponseSchema },
      },
      onRequest,
    },
    async (request, reply) => {
      const { logins, cookie } = requireProvider();
      const attempt = cookie.read(request.headers.cookie);
      // The attempt counts as used, also when the login fails.
      void reply.header("set-cookie", cookie.clear);
      const client = clientOf(request);
      return {
        ok: true as const,
        ...(await logins.finish(request.body.query, attempt, client, request.recordAction)),
      };
    },
  );
}
