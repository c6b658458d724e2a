import type { User } from "../../contract/accounts.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createConcurrencyLimit } from "../lib/concurrency-limit.ts";
import type { Passwords } from "../security/passwords.ts";
import type { Tokens } from "../security/tokens.ts";
import type { AccountRecord, AccountStore } from "./account.sql.ts";

export interface AccountsDeps {
  store: AccountStore;
  tokens: Tokens;
  passwords: Passwords;
  clock: Clock;
  allowRegistration: boolean;
}

/**
 * scrypt runs on the same four threads that sync the database to disk: four logins at once would hold up every
 * durable write for a third of a second.
 */
const HASHES_AT_ONCE = 2;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ store, tokens, passwords, clock, allowRegistration }: AccountsDeps) {
  const inTurn = createConcurrencyLimit(HASHES_AT_ONCE);
  return {
    async register({
      email,
      password,
      name,
    }: {
      email: string;
      password: string;
      name?: string | undefined;
    }) {
      if (!allowRegistration) {
        throw new AppError("registration_closed", "The operator of this service has closed registration.");
      }
      const account: AccountRecord = {
        id: createId("user", clock.now()),
        email,
        name: name ?? null,
        passwordHash: await inTurn(() => passwords.hash(password)),
        createdAt: clock.now(),
      };
      if (!(await store.insert(account))) {
        throw new AppError(
          "email_taken",
          "There is an account with this e-mail address already; log in instead.",
        );
      }
      return { token: await tokens.issue(account.id), user: toUser(account) };
    },

    async login({ email, password }: { email: string; password: string }) {
      const account = await store.findByEmail(email);
      // The same work for an unknown address: neither the answer nor its time tells which of the two was wrong.
      const matches = await inTurn(() => passwords.verify(password, account?.passwordHash));
      if (!matches || account === undefined) {
        throw new AppError("invalid_credentials", "The e-mail address or the password is not right.");
      }
      return { token: await tokens.issue(account.id), user: toUser(account) };
    },

    async me(userId: string): Promise<User> {
      const account = await store.findById(userId);
      if (account === undefined)
        throw new AppError("invalid_token", "This token's account no longer exists.");
      return toUser(account);
    },
  };
}

function toUser({ id, email, name, createdAt }: AccountRecord): User {
  return { id, email, name, createdAt: toIso(createdAt) };
}
