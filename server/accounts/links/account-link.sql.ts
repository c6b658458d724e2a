import type { AccountLink, LinkPurpose } from "../../security/account-links.ts";
import type { Db } from "../../storage/db.ts";

export type AccountLinkStore = ReturnType<typeof createAccountLinkStore>;

/** The user of a link that is valid now, as a subquery. */
const LINKED_USER = `(select user_id from account_link where hash = $hash and purpose = $purpose and expires_at > $now)`;
/** The link was mailed to the present address of the account. */
const CONFIRMS = `exists (select 1 from account_link where hash = $hash and account_link.email = account.email)`;

export function createAccountLinkStore(db: Db) {
  return {
    /** False when the account has `max` valid links of this purpose: nobody can fill a mailbox. */
    async insert(link: AccountLink, max: number): Promise<boolean> {
      const { userId, createdAt: now } = link;
      const [, inserted] = await db.batch([
        {
          sql: "delete from account_link where user_id = $userId and expires_at <= $now",
          params: { userId, now },
        },
        {
          sql: `insert into account_link (hash, user_id, purpose, email, created_at, expires_at)
                select cast($hash as text), id, cast($purpose as text), cast($email as text), cast($createdAt as bigint), cast($expiresAt as bigint)
                from account where id = $userId and
                  (select count(*) from account_link where user_id = $userId and purpose = $purpose) < $max
                returning hash`,
          params: { ...link, max },
        },
      ]);
      return inserted?.length === 1;
    },

    /** The user and the address of a link that is valid. */
    async find(hash: string, purpose: LinkPurpose, now: number): Promise<{ email: string } | undefined> {
      const [row] = await db.query(`select email from account where id = ${LINKED_USER}`, {
        hash,
        purpose,
        now,
      });
      return row && { email: row["email"] as string };
    },

    /** Sets the password, ends every login and every other link. Undefined when the link is not valid any more. */
    async resetPassword(hash: string, newHash: string, now: number): Promise<string | undefined> {
      const params = { hash, purpose: "password_reset", now };
      const [changed] = await db.batch([
        {
          sql: `update account set password_hash = $newHash, tokens_valid_from = $now,
                  email_confirmed_at = case when ${CONFIRMS} then coalesce(email_confirmed_at, $now) else email_confirmed_at end
                where id = ${LINKED_USER} and password_hash <> '' returning id`,
          params: { ...params, newHash },
        },
        { sql: `delete from login_session where user_id = ${LINKED_USER}`, params },
        { sql: `delete from account_link where user_id = ${LINKED_USER} and purpose = $purpose`, params },
      ]);
      return changed?.[0]?.["id"] as string | undefined;
    },

    /** The account. Undefined when the link is not valid, or the address of the account is another one now. */
    async confirmEmail(hash: string, now: number): Promise<string | undefined> {
      const params = { hash, purpose: "email_confirmation", now };
      const [confirmed] = await db.batch([
        {
          sql: `update account set email_confirmed_at = coalesce(email_confirmed_at, $now)
                where id = ${LINKED_USER} and ${CONFIRMS} returning id`,
          params,
        },
        { sql: `delete from account_link where user_id = ${LINKED_USER} and purpose = $purpose`, params },
      ]);
      return confirmed?.[0]?.["id"] as string | undefined;
    },
  };
}
