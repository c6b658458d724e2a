import type { Db, Row, Statement } from "../storage/db.ts";

export interface AccountRecord {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string;
  createdAt: number;
  emailConfirmedAt: number | null;
  isAdministrator: boolean;
  /** Null while the account can be used. */
  disabledAt: number | null;
}

type NewAccount = Pick<AccountRecord, "id" | "email" | "name" | "passwordHash" | "createdAt"> & {
  emailConfirmedAt?: number;
};

interface InsertOptions {
  /** Written in the same transaction. */
  more?: readonly Statement[];
  /** The invitation that the account is created with. It must exist, and is deleted. */
  invitationHash?: string | undefined;
}

/** In place of a hash, for an account that logs in with a provider only. No password matches it. */
export const NO_PASSWORD = "none";

/**
 * A row that every database has, locked by writes that decide who administers the instance: two first registrations must
 * not both become administrators, and two administrators must not remove each other.
 */
export const LOCK_ADMINISTRATORS: Statement = {
  sql: "select version from schema_migration where version = 1 /*for-update*/",
};

/** Another account can administer the instance. */
export const HAS_OTHER_ADMINISTRATOR = `exists (select 1 from account as other where other.is_administrator = 1
  and other.password_hash <> '' and other.disabled_at is null and other.id <> $id)`;

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Db) {
  return {
    /**
     * With its personal workspace, which has the same id. The first account is the administrator. False when the address is
     * taken or the invitation is gone.
     */
    async insert(account: NewAccount, { more = [], invitationHash }: InsertOptions = {}): Promise<boolean> {
      const { id } = account;
      const isInvited =
        invitationHash === undefined
          ? "true"
          : `exists (select 1 from account_invitation where token_hash = $invitationHash and expires_at > $createdAt)`;
      const invited = invitationHash === undefined ? {} : { invitationHash };
      const statements: Statement[] = [
        LOCK_ADMINISTRATORS,
        {
          sql: `insert into account (id, email, name, password_hash, created_at, email_confirmed_at, is_administrator)
                select cast($id as text), cast($email as text), cast($name as text), cast($passwordHash as text),
                  cast($createdAt as bigint), cast($emailConfirmedAt as bigint),
                  case when exists (select 1 from account where password_hash <> '') then 0 else 1 end
                where ${isInvited} on conflict do nothing returning id`,
          params: { emailConfirmedAt: null, ...account, ...invited },
        },
        {
          sql: `insert into workspace (id, name, kind, created_at)
                select id, 'Personal', 'personal', created_at from account where id = $id on conflict do nothing`,
          params: { id },
        },
        {
          sql: `insert into member (workspace_id, user_id, role, created_at)
                select id, id, 'owner', created_at from account where id = $id on conflict do nothing`,
          params: { id },
        },
        ...(invitationHash === undefined
          ? []
          : [
              {
                sql: `delete from account_invitation where token_hash = $invitationHash
                      and exists (select 1 from account where id = $id)`,
                params: { id, invitationHash },
              },
            ]),
        ...more,
      ];
      const [, inserted] = await db.batch(statements, { alone: true });
      return inserted?.length === 1;
    },

    /** An account that is being deleted has no password and does not count. */
    hasAny: async () =>
      (await db.query("select 1 as found from account where password_hash <> '' limit 1")).length > 0,
    findByEmail: async (email: string) =>
      toAccount(await db.query("select * from account where email = $email", { email })),
    confirmEmail: (id: string, now: number) => confirmEmail(db, id, now),
    findById: async (id: string) => toAccount(await db.query("select * from account where id = $id", { id })),
  };
}

function toAccount([row]: Row[]): AccountRecord | undefined {
  if (row === undefined) return undefined;
  return {
    id: row["id"] as string,
    email: row["email"] as string,
    name: row["name"] as string | null,
    passwordHash: row["password_hash"] as string,
    createdAt: Number(row["created_at"]),
    emailConfirmedAt: row["email_confirmed_at"] === null ? null : Number(row["email_confirmed_at"]),
    isAdministrator: Number(row["is_administrator"]) === 1,
    disabledAt: row["disabled_at"] === null ? null : Number(row["disabled_at"]),
  };
}

/** False for the last administrator, who stays one: an instance without any could not be administered. */
export async function setAdministrator(db: Db, id: string, isAdministrator: boolean): Promise<boolean> {
  const [, changed] = await db.batch(
    [
      LOCK_ADMINISTRATORS,
      {
        sql: `update account set is_administrator = $value where id = $id and password_hash <> '' and
                ($value = 1 or is_administrator = 0 or ${HAS_OTHER_ADMINISTRATOR}) returning id`,
        params: { id, value: isAdministrator ? 1 : 0 },
      },
    ],
    { alone: true },
  );
  return changed?.length === 1;
}

export async function confirmEmail(db: Db, id: string, now: number): Promise<void> {
  await db.batch([
    {
      sql: "update account set email_confirmed_at = coalesce(email_confirmed_at, $now) where id = $id",
      params: { id, now },
    },
  ]);
}
