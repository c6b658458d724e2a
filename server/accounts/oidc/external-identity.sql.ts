import { type AccountRecord, type AccountStore, NO_PASSWORD } from "../account.sql.ts";
import type { Db, Statement } from "../../storage/db.ts";

export interface ExternalIdentity {
  issuer: string;
  subject: string;
  now: number;
}

export type ExternalIdentityStore = ReturnType<typeof createExternalIdentityStore>;

/** Which account belongs to which user of the login provider. */
export function createExternalIdentityStore(db: Db, accounts: Pick<AccountStore, "insert">) {
  const insertIdentity = (userId: string, identity: ExternalIdentity): Statement => ({
    sql: `insert into external_identity (issuer, subject, user_id, created_at)
          select cast($issuer as text), cast($subject as text), id, cast($now as bigint) from account
          where id = $userId and password_hash <> '' on conflict do nothing returning user_id`,
    params: { userId, ...identity },
  });

  return {
    async findUser(issuer: string, subject: string): Promise<string | undefined> {
      const [row] = await db.query(
        "select user_id from external_identity where issuer = $issuer and subject = $subject",
        { issuer, subject },
      );
      return row?.["user_id"] as string | undefined;
    },

    /** Creates the account together with its identity. False when the address or the identity is taken, or the invitation is gone. */
    insertAccount: (
      account: Pick<AccountRecord, "id" | "email" | "name" | "createdAt"> & { emailConfirmedAt?: number },
      identity: ExternalIdentity,
      invitationHash: string | undefined,
    ): Promise<boolean> =>
      accounts.insert(
        { ...account, passwordHash: NO_PASSWORD },
        { more: [insertIdentity(account.id, identity)], invitationHash },
      ),

    /** False when the identity belongs to another account. */
    async link(userId: string, identity: ExternalIdentity): Promise<boolean> {
      const [linked] = await db.batch([insertIdentity(userId, identity)]);
      return linked?.length === 1;
    },
  };
}
