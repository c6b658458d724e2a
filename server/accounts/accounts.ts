import type { User } from "../../contract/accounts.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { Passwords } from "../security/passwords.ts";
import { isWeakPassword } from "../security/weak-passwords.ts";
import type { AccountRecord, AccountStore } from "./account.sql.ts";
import type { AccountDeletionStore } from "./account-deletion.sql.ts";
import { isSameCode } from "./setup-code.ts";
import type { ClientInfo, Login, Logins } from "./logins.ts";

export interface AccountsDeps {
  store: AccountStore;
  logins: Logins;
  passwords: Passwords;
  /** Hashing a password takes a quarter of a second: the callers take turns. */
  hashing: FairQueue;
  clock: Clock;
  allowRegistration: boolean;
  /** Set: only the first account can register, and needs this code. */
  setupCode: string | undefined;
  deletions: Pick<AccountDeletionStore, "begin">;
  /** A deletion has been stored. */
  onDeletion(): void;
}

interface Registration {
  email: string;
  password: string;
  name?: string | undefined;
  setupCode?: string | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({
  store,
  logins,
  passwords,
  hashing,
  clock,
  allowRegistration,
  setupCode,
  deletions,
  onDeletion,
}: AccountsDeps) {
  /** Strangers share one turn per network, so that a flood of them delays no login. */
  const hashForStranger = <T>({ address }: ClientInfo, job: () => Promise<T>): Promise<T> =>
    hashing.run(`stranger ${clientNetwork(address ?? "")}`, job);
  const hashForLogin = <T>(email: string, { address }: ClientInfo, job: () => Promise<T>): Promise<T> =>
    hashing.run(`${email} ${clientNetwork(address ?? "")}`, job, { urgent: true });
  const hashForUser = <T>(userId: string, job: () => Promise<T>): Promise<T> =>
    hashing.run(userId, job, { urgent: true });

  return {
    async register({ email, password, name, setupCode: givenCode }: Registration, client: ClientInfo) {
      if (!allowRegistration || (setupCode !== undefined && (await store.hasAny())))
        throw new AppError("registration_closed", "Registration is closed on this service.");
      if (setupCode !== undefined && !isSameCode(givenCode ?? "", setupCode))
        throw new AppError(
          "setup_code_required",
          "The first account needs the set-up code. Baton prints it in its log at start.",
        );
      if (isWeakPassword(password, email)) throw weakPassword();
      const account: AccountRecord = {
        id: createId("user", clock.now()),
        email,
        name: name ?? null,
        passwordHash: await hashForStranger(client, () => passwords.hash(password)),
        createdAt: clock.now(),
      };
      if (!(await store.insert(account))) {
        throw new AppError(
          "email_taken",
          "An account with this e-mail address already exists. Log in instead.",
        );
      }
      return { token: await logins.begin(account.id, account.passwordHash, client), user: toUser(account) };
    },

    async login({ email, password }: { email: string; password: string }, client: ClientInfo) {
      const account = await store.findByEmail(email);
      // Hashes for an unknown address too: neither the response nor its timing reveals which accounts exist.
      const matches = await hashForLogin(email, client, () =>
        passwords.verify(password, account?.passwordHash),
      );
      if (!matches || account === undefined) {
        throw new AppError("invalid_credentials", "The e-mail address or the password is wrong.");
      }
      return { token: await logins.begin(account.id, account.passwordHash, client), user: toUser(account) };
    },

    /** Ends every login but the caller's. */
    async changePassword(
      login: Login,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    ): Promise<void> {
      const account = await store.findById(login.userId);
      const matches = await hashForUser(login.userId, () =>
        passwords.verify(currentPassword, account?.passwordHash),
      );
      if (!matches || account === undefined) throw wrongPassword();
      if (isWeakPassword(newPassword, account.email)) throw weakPassword();
      const newHash = await hashForUser(login.userId, () => passwords.hash(newPassword));
      if (!(await logins.changePassword(login, account.passwordHash, newHash))) throw wrongPassword();
    },

    /** Ends every login at once; the data is deleted in the background. */
    async remove(userId: string, password: string): Promise<void> {
      const account = await store.findById(userId);
      const matches = await hashForUser(userId, () => passwords.verify(password, account?.passwordHash));
      if (!matches || account === undefined) throw wrongPassword();
      if (!(await deletions.begin(userId, account.passwordHash, clock.now()))) throw wrongPassword();
      logins.ended(userId);
      onDeletion();
    },

    async me(userId: string): Promise<User> {
      const account = await store.findById(userId);
      if (account === undefined)
        throw new AppError("invalid_token", "The account of this token no longer exists.");
      return toUser(account);
    },
  };
}

function weakPassword(): AppError {
  return new AppError(
    "weak_password",
    "This password is easy to guess. Choose one that is not a common word, a sequence or your e-mail address.",
  );
}

function wrongPassword(): AppError {
  return new AppError("invalid_credentials", "The current password is wrong.");
}

function toUser({ id, email, name, createdAt }: AccountRecord): User {
  return { id, email, name, createdAt: toIso(createdAt) };
}
