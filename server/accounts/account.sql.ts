import type { Account, AccountStore } from "./accounts.ts";
import type { Db, Row } from "../storage/db.ts";

export function createAccountStore(db: Db): AccountStore {
  return {
    async insert({ id, email, name, passwordHash, createdAt }) {
      const [inserted] = await db.batch([
        {
          sql: `insert into account (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)
                on conflict do nothing returning id`,
          params: [id, email, name, passwordHash, createdAt],
        },
      ]);
      return inserted?.length === 1;
    },
    byEmail: async (email) => toAccount(await db.query("select * from account where email = $1", [email])),
    byId: async (id) => toAccount(await db.query("select * from account where id = $1", [id])),
  };
}

function toAccount([row]: Row[]): Account | undefined {
  if (row === undefined) return undefined;
  return {
    id: row["id"] as string,
    email: row["email"] as string,
    name: row["name"] as string | null,
    passwordHash: row["password_hash"] as string,
    createdAt: Number(row["created_at"]),
  };
}
