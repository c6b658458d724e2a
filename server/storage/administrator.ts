import type { Db } from "./db.ts";

/** Administrators see the settings of the whole instance. The first account is one. */
export async function isAdministrator(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query(
    "select 1 as found from account where id = $userId and is_administrator = 1 and disabled_at is null",
    { userId },
  );
  return rows.length > 0;
}
