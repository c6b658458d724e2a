import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { hashLinkToken, invalidLink } from "../../security/account-links.ts";
import { createSecret } from "../../security/api-keys.ts";
import type { AccountInvitationRecord, AccountInvitationStore } from "./account-invitation.sql.ts";

export interface AccountInvitationsDeps {
  store: AccountInvitationStore;
  mailer: Mailer;
  clock: Pick<Clock, "now">;
  /** Where people reach the page. */
  pageUrl: string;
  /** A mail that the server did not accept: the link still works. */
  onMailError(error: unknown): void;
}

const LIFETIME_MS = 7 * 24 * 3600 * 1000;

export type AccountInvitations = ReturnType<typeof createAccountInvitations>;

/** Links with which a person creates an account, also while registration is closed. The database holds only hashes. */
export function createAccountInvitations(deps: AccountInvitationsDeps) {
  const { store, mailer, clock, pageUrl, onMailError } = deps;

  async function mail(email: string, url: string): Promise<boolean> {
    if (!mailer.isConfigured) return false;
    try {
      await mailer.send({ to: email, ...invitationMail(url) });
      return true;
    } catch (error) {
      onMailError(error);
      return false;
    }
  }

  async function open(token: string): Promise<AccountInvitationRecord> {
    const invitation = await store.findOpen(hashLinkToken(token), clock.now());
    if (invitation === undefined) throw invalidLink();
    return invitation;
  }

  return {
    open,
    list: (page: Parameters<AccountInvitationStore["list"]>[1]) => store.list(clock.now(), page),
    remove: store.remove,

    async create(
      invitedBy: string | null,
      email: string | null,
    ): Promise<{ invitation: AccountInvitationRecord; url: string; mailed: boolean }> {
      const createdAt = clock.now();
      const token = createSecret();
      const invitation = {
        id: createId("inv", createdAt),
        email,
        invitedBy,
        createdAt,
        expiresAt: createdAt + LIFETIME_MS,
      };
      await store.insert(invitation, hashLinkToken(token));
      // In the fragment: browsers send it to no server, so no log and no Referer header has it.
      const url = `${pageUrl}/register#invitation=${token}`;
      return { invitation, url, mailed: email !== null && (await mail(email, url)) };
    },

    /**
     * The hash of the invitation that opens a login: the one of this token, else the one for this address. Undefined for an
     * address means that the caller has not proved it.
     */
    async findFor(token: string | undefined, email: string | undefined): Promise<string | undefined> {
      if (token !== undefined) {
        const hash = hashLinkToken(token);
        const invitation = await store.findOpen(hash, clock.now());
        if (invitation !== undefined && (invitation.email === null || invitation.email === email))
          return hash;
      }
      return email === undefined ? undefined : store.findHashByEmail(email, clock.now());
    },

    /** The hash of the token, if this address may register with it. */
    async require(token: string, email: string): Promise<string> {
      const invitation = await open(token);
      if (invitation.email !== null && invitation.email !== email)
        throw new AppError(
          "forbidden",
          "This invitation is for another email address. Register with that one.",
        );
      return hashLinkToken(token);
    },
  };
}

function invitationMail(url: string) {
  return {
    subject: "Invitation to Baton",
    text: `You are invited to create a Baton account. The link works once, for seven days:

${url}

If you do not know why you got this mail, ignore it.
`,
  };
}
