import type { User } from "../../contract/accounts.ts";
import type { Workspace } from "../../contract/workspaces.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { Passwords } from "../security/passwords.ts";
import { isWeakPassword, weakPassword } from "../security/weak-passwords.ts";
import { type AccountRecord, type AccountStore, NO_PASSWORD } from "./account.sql.ts";
import type { AccountDeletionStore } from "./account-deletion.sql.ts";
import type { AccountInvitations } from "./invitations/account-invitations.ts";
import { isSameCode } from "./setup-code.ts";
import type { ClientInfo, Login, Logins } from "./logins.ts";
import type { LoginMethod } from "./login.sql.ts";
import type { LoginChallenges } from "./second-factor/login-challenges.ts";
import type { SecondFactors } from "./second-factor/second-factors.ts";

export interface AccountsDeps {
  store: AccountStore;
  logins: Logins;
  passwords: Passwords;
  secondFactors: SecondFactors;
  challenges: LoginChallenges;
  /** Hashing a password takes about 0.1 s of a core: the callers take turns. */
  hashing: FairQueue;
  clock: Clock;
  /** False: only the login provider logs people in. */
  passwordLogins: boolean;
  allowRegistration: boolean;
  /** Set: only the first account can register, and needs this code. */
  setupCode: string | undefined;
  invitations: Pick<AccountInvitations, "require">;
  deletions: Pick<AccountDeletionStore, "begin" | "listHeld">;
  /** The personal one first. */
  listWorkspaces(userId: string): Promise<Workspace[]>;
  onRegistration(userId: string): void;
  membersChanged(workspaceId: string): void;
  /** A deletion has been stored. */
  onDeletion(): void;
}

const RECENT_LOGIN_MS = 10 * 60_000;

interface Registration {
  email: string;
  password: string;
  name?: string | undefined;
  setupCode?: string | undefined;
  invitation?: string | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({
  store,
  logins,
  passwords,
  secondFactors,
  challenges,
  hashing,
  clock,
  passwordLogins,
  allowRegistration,
  setupCode,
  invitations,
  deletions,
  listWorkspaces,
  onRegistration,
  membersChanged,
  onDeletion,
}: AccountsDeps) {
  /** Strangers share one turn per network, so that a flood of them delays no login. */
  const hashForStranger = <T>({ address }: ClientInfo, job: () => Promise<T>): Promise<T> =>
    hashing.run(`stranger ${clientNetwork(address ?? "")}`, job);
  const hashForLogin = <T>(email: string, { address }: ClientInfo, job: () => Promise<T>): Promise<T> =>
    hashing.run(`${email} ${clientNetwork(address ?? "")}`, job, { urgent: true });
  const hashForUser = <T>(userId: string, job: () => Promise<T>): Promise<T> =>
    hashing.run(userId, job, { urgent: true });

  async function begin(
    account: UserRecord & { passwordHash: string; disabledAt?: number | null },
    client: ClientInfo,
    method?: LoginMethod,
  ) {
    const { id, passwordHash, disabledAt = null } = account;
    if (disabledAt !== null)
      throw new AppError("account_disabled", "This account is disabled. Ask the administrator.");
    return { token: await logins.begin(id, passwordHash, client, method), user: toUser(account) };
  }

  /** The account of a user who has just typed their password. */
  async function confirmPassword(userId: string, password: string): Promise<AccountRecord> {
    const account = await store.findById(userId);
    const matches = await hashForUser(userId, () => passwords.verify(password, account?.passwordHash));
    if (!matches || account === undefined) throw wrongPassword();
    return account;
  }

  async function find(userId: string): Promise<AccountRecord> {
    const account = await store.findById(userId);
    if (account === undefined)
      throw new AppError("invalid_token", "The account of this token no longer exists.");
    return account;
  }

  /** In place of a password: the user has just logged in with the provider. */
  async function requireRecentLogin(sessionId: string): Promise<void> {
    const login = await logins.find(sessionId);
    if (login === undefined || login.createdAt < clock.now() - RECENT_LOGIN_MS)
      throw new AppError(
        "invalid_credentials",
        "Log in again first: this needs a login of the last ten minutes.",
      );
  }

  function requirePasswordLogins(): void {
    if (!passwordLogins)
      throw new AppError(
        "password_login_disabled",
        "This service has no logins with a password. Use the login provider.",
      );
  }

  /** An invitation opens what is closed. Returns its hash. */
  async function requireMayRegister({ email, setupCode: givenCode, invitation }: Registration) {
    if (invitation !== undefined && invitation !== "") return invitations.require(invitation, email);
    if (!allowRegistration || (setupCode !== undefined && (await store.hasAny())))
      throw new AppError(
        "registration_closed",
        "Registration is closed on this service. Ask its administrator for an invitation.",
      );
    if (setupCode !== undefined && !isSameCode(givenCode ?? "", setupCode))
      throw new AppError(
        "setup_code_required",
        "The first account needs the set-up code. Baton prints it in its log at start.",
      );
    return undefined;
  }

  return {
    find,
    begin,
    requirePasswordLogins,
    confirmPassword,
    hashForStranger: (password: string, address: string | null) =>
      hashForStranger({ userAgent: null, address }, () => passwords.hash(password)),

    async register(registration: Registration, client: ClientInfo) {
      requirePasswordLogins();
      const { email, password, name } = registration;
      const invitationHash = await requireMayRegister(registration);
      if (isWeakPassword(password, email)) throw weakPassword();
      const account = {
        id: createId("user", clock.now()),
        email,
        name: name ?? null,
        passwordHash: await hashForStranger(client, () => passwords.hash(password)),
        createdAt: clock.now(),
      };
      if (!(await store.insert(account, { invitationHash }))) {
        // Another registration may have used the invitation in the meantime.
        if (invitationHash !== undefined) await invitations.require(registration.invitation ?? "", email);
        throw new AppError(
          "email_taken",
          "An account with this email address already exists. Log in instead.",
        );
      }
      onRegistration(account.id);
      return begin(account, client);
    },

    async login({ email, password }: { email: string; password: string }, client: ClientInfo) {
      requirePasswordLogins();
      const account = await store.findByEmail(email);
      // Hashes for an unknown address too: neither the response nor its timing reveals which accounts exist.
      const matches = await hashForLogin(email, client, () =>
        passwords.verify(password, account?.passwordHash),
      );
      if (!matches || account === undefined) {
        throw new AppError("invalid_credentials", "The email address or the password is wrong.");
      }
      if ((await secondFactors.state(account.id)).enabledAt !== null) {
        const challenge = challenges.issue(account.id, account.passwordHash);
        throw new AppError(
          "second_factor_required",
          "Enter the code of your authenticator app: POST /api/auth/login/second-factor with details.challenge.",
          { details: { challenge } },
        );
      }
      return begin(account, client);
    },

    async loginWithSecondFactor(
      { challenge, code }: { challenge: string; code: string },
      client: ClientInfo,
      /** The challenge names this account; its code may still be wrong. */
      onAccount: (userId: string) => void,
    ) {
      const { userId, matches } = challenges.open(challenge);
      onAccount(userId);
      const account = await store.findById(userId);
      if (account === undefined || !matches(account.passwordHash)) throw challenges.expired();
      await secondFactors.check(userId, code);
      return begin(account, client);
    },

    /** Ends every login but the caller's. */
    async changePassword(
      login: Login,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    ): Promise<void> {
      const account = await confirmPassword(login.userId, currentPassword);
      if (isWeakPassword(newPassword, account.email)) throw weakPassword();
      const newHash = await hashForUser(login.userId, () => passwords.hash(newPassword));
      if (!(await logins.changePassword(login, account.passwordHash, newHash))) throw wrongPassword();
    },

    /** Ends every login at once; the data is deleted in the background. */
    async remove({ userId, sessionId }: Login, password: string | undefined): Promise<void> {
      const account = await find(userId);
      if (account.passwordHash === NO_PASSWORD) await requireRecentLogin(sessionId);
      else await confirmPassword(userId, password ?? "");
      const workspaces = await listWorkspaces(userId);
      if (!(await deletions.begin(userId, account.passwordHash, clock.now()))) {
        const held = await deletions.listHeld(userId);
        throw held.length > 0 ? lastOwner(held) : wrongPassword();
      }
      logins.ended(userId);
      for (const { id } of workspaces) membersChanged(id);
      onDeletion();
    },

    async me(userId: string) {
      const [account, { enabledAt }, workspaces] = await Promise.all([
        find(userId),
        secondFactors.state(userId),
        listWorkspaces(userId),
      ]);
      const { isAdministrator, emailConfirmedAt, passwordHash } = account;
      const user = {
        ...toUser(account),
        isAdministrator,
        twoFactor: enabledAt !== null,
        emailConfirmedAt: emailConfirmedAt === null ? null : toIso(emailConfirmedAt),
        providerOnly: passwordHash === NO_PASSWORD,
      };
      return { user, workspaces };
    },
  };
}

function lastOwner(workspaces: readonly { id: string; name: string }[]): AppError {
  const names = workspaces.map(({ name }) => name).join(", ");
  return new AppError(
    "last_owner",
    `You are the only owner of workspaces with other members: ${names}. Make another member an owner, or delete the workspace, and try again.`,
    { details: { workspaces } },
  );
}

function wrongPassword(): AppError {
  return new AppError("invalid_credentials", "The current password is wrong.");
}

type UserRecord = Pick<AccountRecord, "id" | "email" | "name" | "createdAt">;

function toUser({ id, email, name, createdAt }: UserRecord): User {
  return { id, email, name, createdAt: toIso(createdAt) };
}
