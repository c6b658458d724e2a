import type { Db, Row, Statement } from "../storage/db.ts";

export interface AccountRecord {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string;
  createdAt: number;
  emailConfirmedAt: number | null;
  isAdministrator: boolean;
}

type NewAccount = Omit<AccountRecord, "isAdministrator" | "emailConfirmedAt"> & { emailConfirmedAt?: number };

/** In place of a hash, for an account that logs in with a provider only. No password matches it. */
export const NO_PASSWORD = "none";

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Db) {
  return {
    /**
     * With its personal workspace, which has the same id. The first account is the administrator. `more` is written in the same
     * transaction. False when the address is taken.
     */
    async insert(account: NewAccount, more: readonly Statement[] = []): Promise<boolean> {
      const { id } = account;
      const [inserted] = await db.batch([
        {
          sql: `insert into account (id, email, name, password_hash, created_at, email_confirmed_at, is_administrator)
                values ($id, $email, $name, $passwordHash, $createdAt, $emailConfirmedAt,
                  case when exists (select 1 from account where password_hash <> '') then 0 else 1 end)
                on conflict do nothing returning id`,
          params: { emailConfirmedAt: null, ...account },
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
        ...more,
      ]);
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
  };
}

/** The last administrator stays one: an instance without any could not be administered. */
export async function setAdministrator(db: Db, id: string, isAdministrator: boolean): Promise<void> {
  await db.batch([
    {
      sql: `update account set is_administrator = $value where id = $id and
              ($value = 1 or exists (select 1 from account where is_administrator = 1 and password_hash <> '' and id <> $id))`,
      params: { id, value: isAdministrator ? 1 : 0 },
    },
  ]);
}

export async function confirmEmail(db: Db, id: string, now: number): Promise<void> {
  await db.batch([
    {
      sql: "update account set email_confirmed_at = coalesce(email_confirmed_at, $now) where id = $id",
      params: { id, now },
    },
  ]);
}
