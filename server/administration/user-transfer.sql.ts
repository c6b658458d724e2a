import { ACCOUNT_TABLES, FREED_EMAIL, HELD } from "../accounts/account-deletion.sql.ts";
import { HAS_OTHER_ADMINISTRATOR, LOCK_ADMINISTRATORS } from "../accounts/account.sql.ts";
import type { Db, Statement } from "../storage/db.ts";
import { revokeCredentials } from "../workspaces/revoke-credentials.sql.ts";

export interface Transfer {
  userId: string;
  /** A team workspace, or the personal one of a user: its members get what the user leaves. */
  to: string;
  /** The new name of the personal workspace. */
  name: string;
  now: number;
}

/** Members who can log in and are not the person who leaves. */
export const RECEIVERS = `select m.user_id, m.role from member as m
  join workspace as t on t.id = m.workspace_id and t.deleted_at is null
  join account as a on a.id = m.user_id and a.password_hash <> '' and a.disabled_at is null
  where m.workspace_id = $to and m.user_id <> $id`;
/** This batch has taken the account: it has no password and its records are not being deleted. */
const TAKEN = `exists (select 1 from account where id = $id and password_hash = '')
  and not exists (select 1 from account_deletion where owner_id = $id)`;
/** The personal workspace, and team workspaces without another member. */
const ALONE = `select w.id from member as m join workspace as w on w.id = m.workspace_id and w.deleted_at is null
  where m.user_id = $id and not exists (select 1 from member as o where o.workspace_id = w.id and o.user_id <> $id)`;

/**
 * Deletes the account and keeps its records: the personal workspace becomes a team workspace with the same id, so that
 * nothing is rewritten and every address keeps working. False when the account is gone or the last administrator, or when
 * nobody can receive the records.
 */
export async function transferAndDelete(db: Db, { userId, to, name, now }: Transfer): Promise<boolean> {
  const id = userId;
  const held = HELD.replaceAll("$ownerId", "$id");
  const statements: Statement[] = [
    LOCK_ADMINISTRATORS,
    {
      sql: `select id from workspace where id = $to or id in (select workspace_id from member where user_id = $id)
            order by id /*for-update*/`,
      params: { id, to },
    },
    {
      sql: `update account set email = ${FREED_EMAIL}, name = null, password_hash = '', tokens_valid_from = ${Number.MAX_SAFE_INTEGER}
            where id = $id and password_hash <> '' and (is_administrator = 0 or ${HAS_OTHER_ADMINISTRATOR})
              and exists (${RECEIVERS} and m.role = 'owner') returning id`,
      params: { id, to },
    },
    {
      sql: `insert into member (workspace_id, user_id, role, created_at)
            select held.id, receiver.user_id, 'owner', cast($now as bigint)
            from (${held}) as held, (${RECEIVERS} and m.role = 'owner') as receiver where ${TAKEN}
            on conflict (workspace_id, user_id) do update set role = 'owner'`,
      params: { id, to, now },
    },
    {
      sql: `insert into member (workspace_id, user_id, role, created_at)
            select alone.id, receiver.user_id, receiver.role, cast($now as bigint)
            from (${ALONE}) as alone, (${RECEIVERS}) as receiver where ${TAKEN} on conflict do nothing`,
      params: { id, to, now },
    },
    {
      sql: `update workspace set kind = 'team', name = $name where id = $id and ${TAKEN}`,
      params: { id, name },
    },
    ...revokeCredentials(TAKEN.replaceAll("$id", "$userId"), { userId, now }),
    { sql: `delete from member where user_id = $id and ${TAKEN}`, params: { id } },
    ...ACCOUNT_TABLES.map((table) => ({
      sql: `delete from ${table} where user_id = $id and ${TAKEN}`,
      params: { id },
    })),
    { sql: `delete from account where id = $id and ${TAKEN}`, params: { id } },
  ];
  const [, , taken] = await db.batch(statements, { alone: true });
  return taken?.length === 1;
}
