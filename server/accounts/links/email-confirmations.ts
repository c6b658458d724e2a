import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { type Mailer, mailNotConfigured } from "../../mail/mailer.ts";
import type { AccountRecord } from "../account.sql.ts";
import type { AccountLinkStore } from "./account-link.sql.ts";
import { type AccountLinks, hashLinkToken, invalidLink } from "../../security/account-links.ts";

export interface EmailConfirmationsDeps {
  links: AccountLinks;
  store: Pick<AccountLinkStore, "confirmEmail">;
  mailer: Mailer;
  clock: Pick<Clock, "now">;
}

export type EmailConfirmations = ReturnType<typeof createEmailConfirmations>;

export function createEmailConfirmations({ links, store, mailer, clock }: EmailConfirmationsDeps) {
  return {
    /** Does nothing for an address that is confirmed. */
    async send({ id, email, emailConfirmedAt }: AccountRecord): Promise<void> {
      if (!mailer.isConfigured) throw mailNotConfigured();
      if (emailConfirmedAt !== null) return;
      const link = await links.create(id, "email_confirmation", email);
      if (link === undefined)
        throw new AppError(
          "rate_limited",
          "Ten confirmation mails were sent already. Look for them in your spam folder, or try again tomorrow.",
        );
      await mailer.send({ to: email, ...confirmationMail(link) });
    },

    /** The id of the account. */
    async confirm(token: string): Promise<string> {
      const userId = await store.confirmEmail(hashLinkToken(token), clock.now());
      if (userId === undefined) throw invalidLink();
      return userId;
    },
  };
}

function confirmationMail(link: string) {
  return {
    subject: "Confirm your email address for Baton",
    text: `Confirm that this address belongs to your Baton account. The link works for one day:

${link}

If you have no Baton account, ignore this mail.
`,
  };
}
