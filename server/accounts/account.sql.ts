import type { Db, Row } from "../storage/db.ts";

export interface AccountRecord {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string;
  createdAt: number;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Db) {
  return {
    /** False when the address is taken. */
    async insert(account: AccountRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into account (id, email, name, password_hash, created_at) values ($id, $email, $name, $passwordHash, $createdAt)
                on conflict do nothing returning id`,
          params: { ...account },
        },
      ]);
      return inserted?.length === 1;
    },

    /** An account that is being deleted has no password and does not count. */
    hasAny: async () =>
      (await db.query("select 1 as found from account where password_hash <> '' limit 1")).length > 0,
    findByEmail: async (email: string) =>
      toAccount(await db.query("select * from account where email = $email", { email })),
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
  };
}
