import { createAccounts } from "../accounts/accounts.ts";
import { accountRoutes } from "../http/account-routes.ts";
import type { Passwords } from "../security/passwords.ts";
import { createTokens, type Tokens } from "../security/tokens.ts";
import { createAccountStore } from "../storage/account-store.ts";
import type { Ground, Part } from "./part.ts";

export function createAccountsPart(
  { config, clock, db, limiter, jwtSecret }: Ground & { jwtSecret: string },
  passwords: Passwords,
): Part & { tokens: Tokens } {
  const tokens = createTokens({ secret: jwtSecret, clock });
  const accounts = createAccounts({
    store: createAccountStore(db),
    tokens,
    passwords,
    clock,
    allowRegistration: config.allowRegistration,
  });
  return {
    tokens,
    routes: (http) =>
      accountRoutes(http, { accounts, loginLimiter: limiter("login", config.limits.loginPerMinute) }),
  };
}
