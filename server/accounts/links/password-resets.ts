import type { Clock } from "../../lib/clock.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { mailNotConfigured } from "../../mail/mailer.ts";
import type { Passwords } from "../../security/passwords.ts";
import { isWeakPassword, weakPassword } from "../../security/weak-passwords.ts";
import { type AccountStore, NO_PASSWORD } from "../account.sql.ts";
import type { Logins } from "../logins.ts";
import type { AccountLinkStore } from "./account-link.sql.ts";
import { type AccountLinks, hashLinkToken, invalidLink } from "../../security/account-links.ts";

export interface PasswordResetsDeps {
  accounts: Pick<AccountStore, "findByEmail">;
  links: AccountLinks;
  store: AccountLinkStore;
  logins: Pick<Logins, "ended">;
  mailer: Mailer;
  clock: Pick<Clock, "now">;
  /** Hashes in turn with the other strangers. */
  hash(password: string, address: string | null): ReturnType<Passwords["hash"]>;
  /** Runs after the response; errors are logged. */
  inBackground(what: string, work: () => Promise<void>): void;
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;

export function createPasswordResets(deps: PasswordResetsDeps) {
  const { accounts, links, store, logins, mailer, clock, hash, inBackground } = deps;

  async function mailLink(email: string): Promise<void> {
    const account = await accounts.findByEmail(email);
    // An account without a password belongs to the login provider, which resets it.
    if (account === undefined || account.passwordHash === NO_PASSWORD) return;
    const link = await links.create(account.id, "password_reset", account.email);
    if (link !== undefined) await mailer.send({ to: account.email, ...resetMail(link) });
  }

  return {
    /** Returns at once for every address: neither the response nor its time reveals whether the account exists. */
    request(email: string): void {
      if (!mailer.isConfigured) throw mailNotConfigured();
      inBackground("mailing a password reset", () => mailLink(email));
    },

    /** The id of the account. */
    async reset({ token, newPassword }: { token: string; newPassword: string }, address: string | null) {
      const linkHash = hashLinkToken(token);
      const found = await store.find(linkHash, "password_reset", clock.now());
      if (found === undefined) throw invalidLink();
      if (isWeakPassword(newPassword, found.email)) throw weakPassword();
      const userId = await store.resetPassword(linkHash, await hash(newPassword, address), clock.now());
      if (userId === undefined) throw invalidLink();
      logins.ended(userId);
      return userId;
    },
  };
}

function resetMail(link: string) {
  return {
    subject: "Reset your Baton password",
    text: `Somebody, probably you, asked for a new password for your Baton account. Choose it here within an hour:

${link}

If it was not you, ignore this mail. Your password stays the same.
`,
  };
}
