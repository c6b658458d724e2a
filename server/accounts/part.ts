import { createAccounts } from "./accounts.ts";
import { accountRoutes } from "./account.routes.ts";
import type { Passwords } from "../security/passwords.ts";
import { createTokens, type Tokens } from "../security/tokens.ts";
import { createAccountStore } from "./account.sql.ts";
import type { Platform, Part } from "../platform/part.ts";

/** A class or an office that registers at once shares one IP address. */
const REGISTRATIONS_PER_LOGIN = 10;

export function createAccountsPart(
  { config, clock, db, limiter, jwtSecret }: Platform & { jwtSecret: string },
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
