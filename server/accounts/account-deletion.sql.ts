import type { Db } from "../storage/db.ts";
import { revokeCredentials } from "../workspaces/revoke-credentials.sql.ts";
import { LOCK_ADMINISTRATORS } from "./account.sql.ts";

export type AccountDeletionStore = ReturnType<typeof createAccountDeletionStore>;

/** No email address, so nobody can register it. */
export const FREED_EMAIL = "'deleted:' || id";

/** What belongs to the account and not to a workspace. */
export const ACCOUNT_TABLES = [
  "login_session",
  "recovery_code",
  "second_factor",
  "account_link",
  "external_identity",
] as const;

const BEGUN = "exists (select 1 from account_deletion where owner_id = $ownerId)";
/** Team workspaces with other members whose only owner is this person. */
export const HELD = `select w.id, w.name from member as m join workspace as w on w.id = m.workspace_id and w.deleted_at is null
  where m.user_id = $ownerId and m.role = 'owner'
    and exists (select 1 from member as o where o.workspace_id = w.id and o.user_id <> $ownerId)
    and not exists (select 1 from member as o where o.workspace_id = w.id and o.user_id <> $ownerId and o.role = 'owner')`;

export function createAccountDeletionStore(db: Db) {
  return {
    /**
     * Ends every login and membership and frees the email address. False when the password was changed in the meantime, or
     * when a team workspace would be left without an owner.
     */
    async begin(ownerId: string, passwordHash: string, now: number): Promise<boolean> {
      const [, , begun] = await db.batch(
        [
          LOCK_ADMINISTRATORS,
          // Two owners of a workspace who go at once would each find the other one.
          {
            sql: `select id from workspace where id in (select workspace_id from member where user_id = $ownerId)
                  order by id /*for-update*/`,
            params: { ownerId },
          },
          {
            sql: `update account set email = ${FREED_EMAIL}, name = null, password_hash = '', tokens_valid_from = ${Number.MAX_SAFE_INTEGER}
                  where id = $ownerId and password_hash = $passwordHash and not exists (${HELD}) returning id`,
            params: { ownerId, passwordHash },
          },
          {
            // An instance always has an administrator: the oldest account follows the last one.
            sql: `update account set is_administrator = 1 where
                    not exists (select 1 from account where is_administrator = 1 and password_hash <> '' and disabled_at is null) and
                    id = (select id from account where password_hash <> '' and disabled_at is null order by created_at, id limit 1)`,
          },
          {
            sql: `insert into account_deletion (owner_id, requested_at, claimed_until)
                  select id, cast($now as bigint), 0 from account where id = $ownerId and password_hash = '' on conflict do nothing`,
            params: { ownerId, now },
          },
          {
            sql: `insert into account_deletion (owner_id, requested_at, claimed_until)
                  select m.workspace_id, cast($now as bigint), 0 from member as m where m.user_id = $ownerId and ${BEGUN}
                    and not exists (select 1 from member as o where o.workspace_id = m.workspace_id and o.user_id <> $ownerId)
                  on conflict do nothing`,
            params: { ownerId, now },
          },
          {
            sql: `update workspace set deleted_at = $now where deleted_at is null
                    and id in (select workspace_id from member where user_id = $ownerId)
                    and exists (select 1 from account_deletion where owner_id = workspace.id)`,
            params: { ownerId, now },
          },
          ...revokeCredentials("exists (select 1 from account_deletion as d where d.owner_id = $userId)", {
            userId: ownerId,
            now,
          }),
          {
            sql: `delete from member where user_id = $ownerId and workspace_id <> $ownerId and ${BEGUN}`,
            params: { ownerId },
          },
          // The login provider must not find the account either.
          ...["login_session", "external_identity"].map((table) => ({
            sql: `delete from ${table} where user_id = $ownerId and ${BEGUN}`,
            params: { ownerId },
          })),
        ],
        { alone: true },
      );
      return begun?.length === 1;
    },

    /** Team workspaces with other members whose only owner is this person. */
    async listHeld(ownerId: string): Promise<{ id: string; name: string }[]> {
      return db.query<{ id: string; name: string }>(`${HELD} order by w.id`, { ownerId });
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

    /** Last: fails while a row of another table still belongs to the workspace. A team workspace has no account. */
    async finish(ownerId: string): Promise<void> {
      const params = { ownerId };
      await db.batch([
        ...ACCOUNT_TABLES.map((table) => ({
          sql: `delete from ${table} where user_id = $ownerId`,
          params,
        })),
        { sql: "delete from member where workspace_id = $ownerId or user_id = $ownerId", params },
        { sql: "delete from workspace where id = $ownerId", params },
        { sql: "delete from account where id = $ownerId", params },
        { sql: "delete from account_deletion where owner_id = $ownerId", params },
      ]);
    },
  };
}
