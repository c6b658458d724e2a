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
 * scrypt shares libuv's four threads with the database's fsync: four concurrent logins would delay every durable write by
 * a third of a second.
 */
const MAX_CONCURRENT_HASHES = 2;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ store, tokens, passwords, clock, allowRegistration }: AccountsDeps) {
  const limitHashes = createConcurrencyLimit(MAX_CONCURRENT_HASHES);
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
        throw new AppError("registration_closed", "Registration is closed on this service.");
      }
      const account: AccountRecord = {
        id: createId("user", clock.now()),
        email,
        name: name ?? null,
        passwordHash: await limitHashes(() => passwords.hash(password)),
        createdAt: clock.now(),
      };
      if (!(await store.insert(account))) {
        throw new AppError(
          "email_taken",
          "An account with this e-mail address already exists. Log in instead.",
        );
      }
      return { token: await tokens.issue(account.id), user: toUser(account) };
    },

    async login({ email, password }: { email: string; password: string }) {
      const account = await store.findByEmail(email);
      // Hashes for an unknown address too: neither the response nor its timing reveals which accounts exist.
      const matches = await limitHashes(() => passwords.verify(password, account?.passwordHash));
      if (!matches || account === undefined) {
        throw new AppError("invalid_credentials", "The e-mail address or the password is wrong.");
      }
      return { token: await tokens.issue(account.id), user: toUser(account) };
    },

    async me(userId: string): Promise<User> {
      const account = await store.findById(userId);
      if (account === undefined)
        throw new AppError("invalid_token", "The account of this token no longer exists.");
      return toUser(account);
    },
  };
}

function toUser({ id, email, name, createdAt }: AccountRecord): User {
  return { id, email, name, createdAt: toIso(createdAt) };
}
