import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../test/support/postgres.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { createAccountStore } from "./account.sql.ts";

test("[S22] first accounts that several processes store at once make one administrator", async () => {
  const url = await useDatabase();
  const dbs = [await openPostgres({ url }), await openPostgres({ url })];
  onTestFinished(async () => void (await Promise.all(dbs.map((db) => db.close()))));
  const [db] = dbs as [(typeof dbs)[number]];
  await migrate(db, migrations, 1);
  // Connections are open before the accounts arrive.
  await Promise.all(dbs.map((each) => each.query("select 1 as one")));
  const accounts = Array.from({ length: 16 }, (_, index) => ({
    id: `user_${index}`,
    email: `first-${index}@example.com`,
    name: null,
    passwordHash: "x",
    createdAt: 1,
  }));
  const stored = await Promise.all(
    accounts.map((account, index) => createAccountStore(dbs[index % 2]!).insert(account)),
  );
  expect(stored).toEqual(accounts.map(() => true));
  const [row] = await db.query("select count(*) as n from account where is_administrator = 1");
  expect(Number(row?.["n"])).toBe(1);
});
