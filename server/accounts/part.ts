import { randomUUID } from "node:crypto";
import { createBackgroundWork } from "../lib/background-work.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Platform, Part } from "../platform/part.ts";
import type { Passwords } from "../security/passwords.ts";
import { createAccountLinks } from "../security/account-links.ts";
import { createTokens } from "../security/tokens.ts";
import { type AccountDeletion, createAccountDeletion } from "./account-deletion.ts";
import { createAccountDeletionStore } from "./account-deletion.sql.ts";
import { accountRoutes } from "./account.routes.ts";
import { createAccountStore } from "./account.sql.ts";
import { createAccounts } from "./accounts.ts";
import { createCredentialWatch, type CredentialWatch } from "./credential-watch.ts";
import { accountInvitationRoutes } from "./invitations/account-invitation.routes.ts";
import type { AccountInvitations } from "./invitations/account-invitations.ts";
import { openAccountInvitations } from "./invitations/open-account-invitations.sql.ts";
import { accountLinkRoutes } from "./links/account-link.routes.ts";
import { createAccountLinkStore } from "./links/account-link.sql.ts";
import { createEmailConfirmations } from "./links/email-confirmations.ts";
import { createPasswordResets } from "./links/password-resets.ts";
import { loginMethodsRoutes } from "./login-methods.routes.ts";
import { loginRoutes } from "./login.routes.ts";
import { createLoginStore } from "./login.sql.ts";
import { oidcRoutes } from "./oidc/oidc.routes.ts";
import { createOidcPart } from "./oidc/part.ts";
import { setupCodeOf } from "./setup-code.ts";
import { createLogins, type Logins } from "./logins.ts";
import { createLoginChallenges } from "./second-factor/login-challenges.ts";
import { secondFactorRoutes } from "./second-factor/second-factor.routes.ts";
import { createSecondFactorStore } from "./second-factor/second-factor.sql.ts";
import { createSecondFactors } from "./second-factor/second-factors.ts";
import { DELETION_CHANNEL, type WorkspacesPart } from "../workspaces/part.ts";

/** A class or an office that registers at once shares one IP address. */
const REGISTRATIONS_PER_LOGIN = 10;
/** Guesses from many addresses. More than one address may make, so that one stranger cannot lock an account. */
const ACCOUNT_LOGINS_PER_LOGIN = 3;

/**
 * scrypt shares libuv's four threads with the database's fsync: four concurrent hashes would delay every durable write by
 * a third of a second. One of the two slots is for logins only.
 */
const HASHING = {
  share: "passwords",
  slots: 2,
  urgentSlots: 1,
  perKey: 1,
  waiting: "waiting_passwords",
} as const;

const DELETION_CLAIM_MS = 60_000;

export async function createAccountsPart(
  platform: Platform & { jwtSecrets: [string, ...string[]] },
  passwords: Passwords,
  workspaces: Pick<WorkspacesPart, "listOf" | "memberships" | "invitations">,
): Promise<
  Part & {
    logins: Logins;
    credentials: CredentialWatch;
    invitations: AccountInvitations;
    setupCode(): Promise<string | undefined>;
  }
> {
  const { config, clock, db, box, limiter, limits, report, tracing, jwtSecrets } = platform;
  const { loginPerMinute } = config.limits;
  const logins = createLogins({
    tokens: createTokens({ secrets: jwtSecrets, clock }),
    store: createLoginStore(db),
    clock,
    publish: (message) => db.notify("login", message),
  });
  const credentials = createCredentialWatch((message) => db.notify("credential", message));
  const listening = [
    await db.listen("login", logins.onPeerMessage),
    // An account was disabled, a member removed or a key revoked, here or in another process.
    ...(await Promise.all(
      ["login", "membership", "credential"].map((channel) => db.listen(channel, credentials.onPeerMessage)),
    )),
  ];
  const store = createAccountStore(db);
  const deletions = createAccountDeletionStore(db);
  const setupCode = config.setupMode ? setupCodeOf(jwtSecrets[0]) : undefined;
  const secondFactors = createSecondFactors({
    store: createSecondFactorStore(db),
    box,
    clock,
    issuer: config.publicUrl === undefined ? "Baton" : `Baton ${new URL(config.publicUrl).host}`,
  });
  const passwordLogins = config.oidc?.only !== true;
  const mailer = createMailer(config.smtp, tracing);
  const background = createBackgroundWork(report);
  const linkStore = createAccountLinkStore(db);
  const links = createAccountLinks({ store: linkStore, clock, pageUrl: config.serviceUrl });
  const invitations = openAccountInvitations(db, clock, config, (error) =>
    report(error, "mailing an invitation"),
  );
  const confirmations = createEmailConfirmations({ links, store: linkStore, mailer, clock });
  const accounts = createAccounts({
    store,
    logins,
    passwords,
    secondFactors,
    challenges: createLoginChallenges({ secrets: jwtSecrets, clock }),
    hashing: limits.share(HASHING),
    clock,
    passwordLogins,
    allowRegistration: config.allowRegistration,
    setupCode,
    invitations,
    deletions,
    listWorkspaces: workspaces.listOf,
    onRegistration(userId) {
      if (!mailer.isConfigured) return;
      background.run("mailing a confirmation", async () => confirmations.send(await accounts.find(userId)));
    },
    membersChanged: workspaces.memberships.changed,
    // Every message is unique: the database drops a repeated one.
    onDeletion: () => db.notify(DELETION_CHANNEL, randomUUID()),
  });
  const resets = createPasswordResets({
    accounts: store,
    links,
    store: linkStore,
    logins,
    mailer,
    clock,
    hash: accounts.hashForStranger,
    inBackground: background.run,
  });
  const oidc =
    config.oidc &&
    createOidcPart(platform, config.oidc, {
      accounts,
      store,
      memberships: workspaces.memberships,
      invitations,
      workspaceInvitations: workspaces.invitations,
    });
  function registration(hasAccounts: boolean) {
    if (!config.allowRegistration || !passwordLogins) return "closed";
    if (setupCode === undefined) return "open";
    return hasAccounts ? "closed" : "setup_code";
  }
  return {
    logins,
    credentials,
    invitations,
    setupCode: async () => ((await store.hasAny()) ? undefined : setupCode),
    routes(http) {
      const loginLimiter = limiter("login", loginPerMinute);
      oidcRoutes(http, oidc?.providerLogins, loginLimiter);
      accountRoutes(http, {
        accounts,
        loginLimiter,
        accountLimiter: limiter("account login", loginPerMinute * ACCOUNT_LOGINS_PER_LOGIN),
        registrationLimiter: limiter("registration", loginPerMinute * REGISTRATIONS_PER_LOGIN),
      });
      const passwordLimiter = limiter("password", loginPerMinute);
      loginRoutes(http, {
        accounts,
        logins,
        clock,
        passwordLimiter,
        providerLogoutUrl: async () => oidc?.logoutUrl(),
      });
      accountLinkRoutes(http, {
        accounts,
        resets,
        confirmations,
        linkLimiter: limiter("account link", loginPerMinute),
        mailLimiter: limiter("account mail", loginPerMinute),
      });
      accountInvitationRoutes(http, { invitations, limiter: limiter("account invitation", loginPerMinute) });
      loginMethodsRoutes(http, async () => {
        const hasAccounts = await store.hasAny();
        return {
          registration: registration(hasAccounts),
          hasAccounts,
          password: passwordLogins,
          provider: config.oidc === undefined ? null : { label: config.oidc.buttonLabel },
          mail: mailer.isConfigured,
        };
      });
      secondFactorRoutes(http, { accounts, secondFactors, passwordLimiter });
    },
    stop: background.ended,
    async close() {
      await oidc?.close();
      for (const stopListening of listening) await stopListening();
    },
  };
}

/** Deletes the data of deleted accounts in the background: what `parts`, in the order of their creation, store of them. */
export function createAccountDeletionPart(
  { config, clock, db, report }: Platform,
  parts: readonly Part[],
): Part {
  const isShared = config.database.url !== undefined;
  let deletion: AccountDeletion | undefined;
  return {
    start() {
      deletion = createAccountDeletion({
        store: createAccountDeletionStore(db),
        // A part depends on those before it, so its data is deleted first.
        features: parts.toReversed(),
        clock,
        claimMs: isShared ? DELETION_CLAIM_MS : 0,
        onError: (error) => report(error, "deleting an account"),
      });
      const { poll } = deletion;
      void db
        .listen(DELETION_CHANNEL, poll)
        .catch((error: unknown) => report(error, "listening for account deletions"));
      poll();
    },
    stop: async () => deletion?.close(),
  };
}
