import type { Platform } from "../../platform/part.ts";
import { createEgress } from "../../security/egress.ts";
import type { Memberships } from "../../workspaces/memberships.ts";
import { type AccountStore, setAdministrator } from "../account.sql.ts";
import type { Accounts } from "../accounts.ts";
import type { AccountInvitations } from "../invitations/account-invitations.ts";
import type { Invitations } from "../../workspaces/invitations.ts";
import { createExternalIdentityStore } from "./external-identity.sql.ts";
import { createGroupRules } from "./group-rules.ts";
import { createLoginCookie } from "./login-cookie.ts";
import { createOidcLogins, providerActor } from "./oidc-logins.ts";
import { createOidcProvider } from "./oidc-provider.ts";
import { createProviderMemberStore } from "./provider-member.sql.ts";
import type { OidcSettings } from "./oidc-settings.ts";

export interface OidcPartDeps {
  accounts: Accounts;
  store: AccountStore;
  memberships: Pick<Memberships, "changed">;
  invitations: Pick<AccountInvitations, "findFor">;
  workspaceInvitations: Pick<Invitations, "listFor" | "join">;
}

export function createOidcPart(
  { config, clock, db, box, report }: Platform,
  settings: OidcSettings,
  { accounts, store, memberships, invitations, workspaceInvitations }: OidcPartDeps,
) {
  const pageUrl = config.serviceUrl;
  const { hostname, port, protocol } = new URL(settings.issuer);
  // The operator named this address, so it may be private. Workflows still cannot reach it.
  const egress = createEgress({
    ...config.egress,
    allow: [...config.egress.allow, `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`],
  });
  const provider = createOidcProvider({
    settings,
    redirectUri: `${pageUrl}/login/callback`,
    egress,
    monotonic: clock.monotonic,
  });
  const groups = createGroupRules({
    rules: settings.roleRules,
    members: createProviderMemberStore(db),
    actor: providerActor(settings),
    now: clock.now,
    onChange: memberships.changed,
    isAdministrator: async (userId) => (await store.findById(userId))?.isAdministrator ?? false,
    setAdministrator: (userId, isAdministrator) => setAdministrator(db, userId, isAdministrator),
  });
  const logins = createOidcLogins({
    settings,
    provider,
    identities: createExternalIdentityStore(db, store),
    accounts: store,
    invitations,
    listWorkspaceInvitations: workspaceInvitations.listFor,
    joinWorkspace: workspaceInvitations.join,
    clock,
    isSetupMode: config.setupMode,
    applyGroups: groups.apply,
    begin: (account, client) => accounts.begin(account, client, "oidc"),
  });
  return {
    providerLogins: { logins, cookie: createLoginCookie(box, clock, pageUrl) },
    /** A logout works while the provider cannot be reached. */
    logoutUrl: (): Promise<string | undefined> =>
      provider.logoutUrl(pageUrl).catch((error: unknown) => {
        report(error, "finding the logout page of the provider");
        return undefined;
      }),
    close: egress.close,
  };
}
