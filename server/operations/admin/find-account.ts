import { AppError } from "../../lib/errors.ts";
import { createAccountStore, type AccountRecord } from "../../accounts/account.sql.ts";
import type { Db } from "../../storage/db.ts";

/** The account with this email address or id. */
export async function findAccount(db: Db, emailOrId: string): Promise<AccountRecord> {
  const store = createAccountStore(db);
  const account = (await store.findByEmail(emailOrId.toLowerCase())) ?? (await store.findById(emailOrId));
  if (account === undefined) throw new AppError("usage", `There is no account ${emailOrId}.`);
  return account;
}
