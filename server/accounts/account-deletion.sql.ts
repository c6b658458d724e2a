import type { Db } from "../storage/db.ts";

export type AccountDeletionStore = ReturnType<typeof createAccountDeletionStore>;

/** No e-mail address, so nobody can register it. */
const FREED_EMAIL = "'deleted:' || id";

export function createAccountDeletionStore(db: Db) {
  return {
    /** Ends every login and frees the e-mail address. False when the password was changed in the meantime. */
    async begin(ownerId: string, passwordHash: string, now: number): Promise<boolean> {
      const [begun] = await db.batch([
        {
          sql: `update account set email = ${FREED_EMAIL}, name = null, password_hash = '', tokens_valid_from = ${Number.MAX_SAFE_INTEGER}
                where id = $ownerId and password_hash = $passwordHash returning id`,
          params: { ownerId, passwordHash },
        },
        {
          sql: `insert into account_deletion (owner_id, requested_at, claimed_until)
                select id, cast($now as bigint), 0 from account where id = $ownerId and password_hash = '' on conflict do nothing`,
          params: { ownerId, now },
        },
        {
          sql: `delete from login_session where user_id = $ownerId
                and exists (select 1 from account_deletion where owner_id = $ownerId)`,
          params: { ownerId },
        },
      ]);
      return begun?.length === 1;
    },

    /** The oldest deletion that no living process works on; it belongs to the caller until `until`. */
    async claimNext(now: number, until: number): Promise<string | undefined> {
      const [claimed] = await db.batch(
        [
          {
            sql: `update account_deletion set claimed_until = $until where owner_id in
                    (select owner_id from account_deletion where claimed_until <= $now order by requested_at limit 1 /*skip-locked*/)
                  returning owner_id`,
            params: { now, until },
          },
        ],
        { alone: true },
      );
      return claimed?.[0]?.["owner_id"] as string | undefined;
    },

    async extendClaim(ownerId: string, until: number): Promise<void> {
      await db.batch([
        {
          sql: "update account_deletion set claimed_until = $until where owner_id = $ownerId",
          params: { ownerId, until },
        },
      ]);
    },

    /** Last: fails while a row of another table still belongs to the account. */
    async finish(ownerId: string): Promise<void> {
      const params = { ownerId };
      await db.batch([
        { sql: "delete from login_session where user_id = $ownerId", params },
        { sql: "delete from account where id = $ownerId", params },
        { sql: "delete from account_deletion where owner_id = $ownerId", params },
      ]);
    },
  };
}
