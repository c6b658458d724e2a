import { createAccounts } from "../accounts/accounts.ts";
import { accountRoutes } from "../http/account-routes.ts";
import type { Passwords } from "../security/passwords.ts";
import { createTokens, type Tokens } from "../security/tokens.ts";
import { createAccountStore } from "../storage/account-store.ts";
import type { Ground, Part } from "./part.ts";

/** A class or an office that opens its accounts at once stands behind one address. */
const REGISTRATIONS_PER_LOGIN = 10;

export function createAccountsPart(
  { config, clock, db, limiter, jwtSecret }: Ground & { jwtSecret: string },
  passwords: Passwords,
): Part & { tokens: Tokens } {
  const { loginPerMinute } = config.limits;
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
      accountRoutes(http, {
        accounts,
        loginLimiter: limiter("login", loginPerMinute),
        registrationLimiter: limiter("registration", loginPerMinute * REGISTRATIONS_PER_LOGIN),
      }),
  };
}
