import {
  loginSchema,
  meResponseSchema,
  registerSchema,
  loginResponseSchema,
} from "../../contract/accounts.ts";
import { errorSchema } from "../../contract/api.ts";
import type { Accounts } from "./accounts.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["accounts"];

export interface AccountRoutesDeps {
  accounts: Accounts;
  /** Limits password guesses per caller address. */
  loginLimiter: RateLimiter;
  /** Only prevents floods, so it is more generous than the login limit. */
  registrationLimiter: RateLimiter;
}

export function accountRoutes(
  app: HttpServer,
  { accounts, loginLimiter, registrationLimiter }: AccountRoutesDeps,
): void {
  app.post(
    "/api/auth/register",
    {
      config: { auth: "public" },
      schema: {
        tags,
        summary: "Register an account",
        security: [],
        body: registerSchema,
        response: { 201: loginResponseSchema, "4xx": errorSchema },
      },
      onRequest: limitRate(registrationLimiter, (request) => request.ip),
    },
    async (request, reply) =>
      reply.status(201).send({ ok: true as const, ...(await accounts.register(request.body)) }),
  );

  app.post(
    "/api/auth/login",
    {
      config: { auth: "public" },
      schema: {
        tags,
        summary: "Log in",
        security: [],
        body: loginSchema,
        response: { 200: loginResponseSchema, "4xx": errorSchema },
      },
      onRequest: limitRate(loginLimiter, (request) => request.ip),
    },
    async (request) => ({ ok: true as const, ...(await accounts.login(request.body)) }),
  );

  app.get(
    "/api/auth/me",
    {
      schema: {
        tags,
        summary: "Read the current account",
        response: { 200: meResponseSchema, "4xx": errorSchema },
      },
    },
    async (request) => ({ ok: true as const, user: await accounts.me(request.userId) }),
  );
}
