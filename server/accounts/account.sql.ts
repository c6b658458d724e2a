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
    async insert({ id, email, name, passwordHash, createdAt }: AccountRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into account (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)
                on conflict do nothing returning id`,
          params: [id, email, name, passwordHash, createdAt],
        },
      ]);
      return inserted?.length === 1;
    },

    findByEmail: async (email: string) =>
      toAccount(await db.query("select * from account where email = $1", [email])),
    findById: async (id: string) => toAccount(await db.query("select * from account where id = $1", [id])),
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
