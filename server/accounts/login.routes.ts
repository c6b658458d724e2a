import * as z from "zod";
import {
  changePasswordSchema,
  deleteAccountSchema,
  loginSessionListResponseSchema,
  logoutQuerySchema,
  logoutResponseSchema,
} from "../../contract/accounts.ts";
import { pageQuerySchema, success } from "../../contract/api.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Accounts } from "./accounts.ts";
import type { LoginRecord } from "./login.sql.ts";
import type { Logins } from "./logins.ts";

const tags = ["accounts"];
const response = { 200: success({}) };

export interface LoginRoutesDeps {
  accounts: Accounts;
  logins: Logins;
  clock: Clock;
  /** Limits guesses of the current password per account. */
  passwordLimiter: RateLimiter;
  /** Undefined if there is no provider, it has no such page, or it cannot be reached. */
  providerLogoutUrl(): Promise<string | undefined>;
}

export function loginRoutes(
  app: HttpServer,
  { accounts, logins, clock, passwordLimiter, providerLogoutUrl }: LoginRoutesDeps,
): void {
  app.post(
    "/api/auth/password",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "changePassword",
        summary: "Change the password and end all other logins",
        description:
          "Requires the current password. This login stays valid; all others of the account end at once.",
        errors: ["invalid_credentials", "weak_password", "rate_limited"],
        body: changePasswordSchema,
        response,
      },
      preHandler: limitRate(passwordLimiter, (request) => request.userId),
    },
    async (request) => {
      await accounts.changePassword(request, request.body);
      return { ok: true as const };
    },
  );

  app.delete(
    "/api/auth/me",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "deleteAccount",
        summary: "Delete the account with everything it owns",
        description:
          "Ends every login at once and frees the email address. Your personal workspace and the team workspaces without another member are deleted in the background with all their workflows, tasks and documents. It cannot be undone. The only owner of a workspace with other members gets 409 `last_owner`: make another member an owner first.",
        errors: ["invalid_credentials", "last_owner", "rate_limited"],
        body: deleteAccountSchema,
        response,
      },
      preHandler: limitRate(passwordLimiter, (request) => request.userId),
    },
    async (request) => {
      await accounts.remove(request, request.body.password);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/auth/logout",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "logout",
        summary: "Log out here, or everywhere",
        description:
          "The token of this request stops working at once. `everywhere=true` ends all logins of the account.",
        querystring: logoutQuerySchema,
        response: { 200: logoutResponseSchema },
      },
    },
    async (request) => {
      const login = await logins.find(request.sessionId);
      if (request.query.everywhere === "true") await logins.endAll(request.userId);
      else await logins.endOwn(request);
      const url = login?.method === "oidc" ? await providerLogoutUrl() : undefined;
      return { ok: true as const, ...(url === undefined ? {} : { providerLogoutUrl: url }) };
    },
  );

  app.get(
    "/api/auth/sessions",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "listLogins",
        summary: "List the logins of the account, newest first",
        description:
          "Logins that have neither ended nor expired, with the time, the address and the program of each.",
        querystring: pageQuerySchema,
        response: { 200: loginSessionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await logins.list(request.userId, clock.now(), request.query);
      const sessions = items.map((login) => toSession(login, request.sessionId));
      return { ok: true as const, sessions, nextCursor };
    },
  );

  app.delete(
    "/api/auth/sessions/:id",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "endLogin",
        summary: "End a login",
        description: "Its token stops working at once, also on open streams and sockets.",
        params: z.object({ id: z.string() }),
        response,
      },
    },
    async (request) => {
      await logins.end(request.userId, request.params.id);
      return { ok: true as const };
    },
  );
}

function toSession({ id, userAgent, address, createdAt, expiresAt }: LoginRecord, currentId: string) {
  const times = { createdAt: toIso(createdAt), expiresAt: toIso(expiresAt) };
  return { id, userAgent, address, ...times, current: id === currentId };
}
