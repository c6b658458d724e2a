import type { User } from "../../../contract/accounts.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { RecordAction } from "../../lib/record-action.ts";
import type { Invitations } from "../../workspaces/invitations.ts";
import type { AccountRecord, AccountStore } from "../account.sql.ts";
import type { AccountInvitations } from "../invitations/account-invitations.ts";
import type { ClientInfo } from "../logins.ts";
import type { ExternalIdentityStore } from "./external-identity.sql.ts";
import { type LoginAttempt, type OidcProvider, providerLoginFailed } from "./oidc-provider.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { type ProviderUser, readProviderUser } from "./provider-user.ts";

export interface OidcLoginsDeps {
  settings: OidcSettings;
  provider: OidcProvider;
  identities: ExternalIdentityStore;
  accounts: Pick<AccountStore, "findByEmail" | "findById" | "hasAny" | "confirmEmail">;
  invitations: Pick<AccountInvitations, "findFor">;
  /** Invitations to workspaces that name this address. */
  listWorkspaceInvitations: Invitations["listFor"];
  joinWorkspace: Invitations["join"];
  clock: Pick<Clock, "now">;
  /** The first account needs the set-up code. */
  isSetupMode: boolean;
  /** Gives the account what its groups say. */
  applyGroups(userId: string, groups: readonly string[], record: RecordAction): Promise<void>;
  /** Logs the account in. */
  begin(account: AccountRecord, client: ClientInfo): Promise<{ token: string; user: User }>;
}

export type OidcLogins = ReturnType<typeof createOidcLogins>;

/** Logins with the provider of the operator. The provider is responsible for passwords and second factors. */
export function createOidcLogins(deps: OidcLoginsDeps) {
  const { settings, provider, identities, accounts, clock } = deps;
  const accountAction = (change: string, userId: string) => ({
    action: `oidc.${change}`,
    url: "/api/auth",
    workspaceId: null,
    userId,
    actor: providerActor(settings),
  });

  async function accountOf(
    user: ProviderUser,
    invitation: string | undefined,
    record: RecordAction,
  ): Promise<AccountRecord> {
    const known = await findKnown(user);
    if (known !== undefined) return known;
    const existing = await accounts.findByEmail(user.email);
    return existing === undefined ? create(user, invitation, record) : link(existing, user, record);
  }

  async function findKnown({ issuer, subject }: ProviderUser): Promise<AccountRecord | undefined> {
    const userId = await identities.findUser(issuer, subject);
    return userId === undefined ? undefined : accounts.findById(userId);
  }

  /** Both sides must have proved the address: else a stranger could register it first, or claim it at the provider. */
  async function link(
    existing: AccountRecord,
    user: ProviderUser,
    record: RecordAction,
  ): Promise<AccountRecord> {
    if (!user.isEmailVerified)
      throw emailTaken(user, "the provider does not say that it has verified the address");
    // Also while registration is closed: it may have been open, and an invitation for any address lets its holder choose one.
    if (existing.emailConfirmedAt === null) throw emailTaken(user, "the account never confirmed the address");
    await record(accountAction("linkAccount", existing.id), async () => {
      if (!(await identities.link(existing.id, { ...user, now: clock.now() }))) throw finishedBefore();
      await accounts.confirmEmail(existing.id, clock.now());
    });
    return existing;
  }

  /** An invitation opens what is closed. */
  async function assertMayCreate({ email, groups }: ProviderUser): Promise<void> {
    if (!settings.createAccounts)
      throw new AppError(
        "registration_closed",
        `There is no account for ${email}, and no invitation that this login can use. Ask the administrator for one.`,
      );
    const isAdministrator = settings.roleRules.some(
      (rule) => "administrator" in rule && groups.includes(rule.group),
    );
    if (deps.isSetupMode && !isAdministrator && !(await accounts.hasAny()))
      throw new AppError(
        "setup_code_required",
        "Create the first account with the set-up code first, or map a group to administrator.",
      );
  }

  async function create(
    user: ProviderUser,
    invitation: string | undefined,
    record: RecordAction,
  ): Promise<AccountRecord> {
    const { email, name, isEmailVerified } = user;
    const provedEmail = isEmailVerified ? email : undefined;
    const invitationHash = await deps.invitations.findFor(invitation, provedEmail);
    if (invitationHash === undefined) await assertMayCreate(user);
    const now = clock.now();
    const id = createId("user", now);
    const confirmed = isEmailVerified ? { emailConfirmedAt: now } : {};
    await record(accountAction("createAccount", id), () =>
      identities.insertAccount(
        { id, email, name, createdAt: now, ...confirmed },
        { issuer: user.issuer, subject: user.subject, now },
        invitationHash,
      ),
    );
    // Also finds the account of a login that was faster.
    const created = await findKnown(user);
    if (created === undefined) throw finishedBefore();
    if (provedEmail !== undefined) await joinWorkspaces(created.id, provedEmail, record);
    return created;
  }

  /** Accepts the invitations to this address, which the provider has verified. */
  async function joinWorkspaces(userId: string, email: string, record: RecordAction): Promise<void> {
    for (const invitation of await deps.listWorkspaceInvitations(email)) {
      const { workspaceId } = invitation;
      const change = {
        action: "oidc.acceptInvitation",
        url: "/api/workspaces/:id/members/:userId",
        params: { id: workspaceId, userId },
      };
      await record({ ...change, workspaceId, actor: providerActor(settings) }, () =>
        deps.joinWorkspace(userId, invitation),
      ).catch((error: unknown) => {
        // It was withdrawn at this moment.
        if (!(error instanceof AppError && error.code === "invitation_not_found")) throw error;
      });
    }
  }

  return {
    /** `invitation` is the token of the link that began the login. */
    async begin(invitation: string | undefined): Promise<{ url: string; attempt: LoginAttempt }> {
      const { url, attempt } = await provider.begin();
      return { url, attempt: { ...attempt, invitation } };
    },

    async finish(query: string, attempt: LoginAttempt | undefined, client: ClientInfo, record: RecordAction) {
      if (attempt === undefined)
        throw providerLoginFailed("it was not begun in this browser, or more than ten minutes ago");
      const user = readProviderUser(await provider.finish(query, attempt), settings);
      const account = await accountOf(user, attempt.invitation, record);
      await deps.applyGroups(account.id, user.groups, record);
      return deps.begin(account, client);
    },
  };
}

/** The actor of changes that a login of the provider makes. */
export function providerActor({ issuer, buttonLabel }: Pick<OidcSettings, "issuer" | "buttonLabel">) {
  return { kind: "provider" as const, id: issuer, name: buttonLabel };
}

function emailTaken({ email }: ProviderUser, reason: string): AppError {
  return new AppError(
    "email_taken",
    `An account with the address ${email} exists, and ${reason}. Log in with its password and confirm the address, or ask the administrator.`,
  );
}

function finishedBefore(): AppError {
  return providerLoginFailed("another login created the account in the meantime");
}
