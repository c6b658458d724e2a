import { expect, onTestFinished, test } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { createWebhookStore } from "./webhook.sql.ts";

test("a refused call is found its webhook without sorting all webhooks of its source", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  const owners = ["ann", "bob", "cid", "dan"];
  await insertAccounts(db, owners);
  await db.batch([
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ('wf', 'ann', '', '', 1, '{}', 0, 1, 1, 1, 1)`,
    },
  ]);
  const setActive = (id: string, active: number) =>
    db.batch([{ sql: "update webhook set active = $active where id = $id", params: { id, active } }]);
  for (const id of owners)
    await db.batch([
      {
        sql: `insert into webhook (id, owner_id, name, source, workflow_id, metadata, secret_hash, active, created_at, updated_at)
              values ($1, $1, '', 'shop', 'wf', '{}', $2, 1, 1, 1)`,
        params: [id, `hash of ${id}`],
      },
    ]);
  const plans: unknown[] = [];
  const store = createWebhookStore(
    {
      ...db,
      async query(sql, params) {
        plans.push(...(await db.query(`explain ${sql}`, params)));
        return db.query(sql, params);
      },
    },
    { readCurrent: () => Promise.resolve(undefined) },
  );
  const find = async (secretHash: string | null = null) =>
    (await store.findIntended({ source: "shop" }, secretHash))?.id;

  expect(await find()).toBe(undefined);
  await setActive("ann", 0);
  await setActive("bob", 0);
  expect(await find("hash of bob")).toBe("bob");
  expect(await find("hash of nobody")).toBe(undefined);
  await setActive("cid", 0);
  expect(await find()).toBe("dan");
  await setActive("dan", 0);
  expect(await find()).toBe(undefined);
  expect(JSON.stringify(plans)).not.toMatch(/Sort/);
});
