import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDb, type TestDb } from "../../test/support/open-db.ts";
import { createAccountStore } from "../accounts/account.sql.ts";
import { type ClientRecord, createClientStore } from "./client.sql.ts";

let opened: TestDb;

beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

test("a flood evicts only clients that nobody connected, the oldest first", async () => {
  const { db } = opened;
  const store = createClientStore(db);
  await createAccountStore(db).insert({
    id: "user_ada",
    email: "ada@example.com",
    name: null,
    passwordHash: "hash",
    createdAt: 0,
  });
  const register = (id: string, expiresAt = 1000) => {
    const redirectUris = ["https://app.example/callback"];
    const client: ClientRecord = {
      id,
      name: "App",
      redirectUris,
      authMethod: "none",
      secretHash: null,
      createdAt: 1,
      expiresAt,
    };
    return store.insert(client, 2);
  };
  await register("client_1");
  await db.batch([
    {
      sql: `insert into oauth_grant (id, owner_id, client_id, client_name, target, scopes, resource, created_at, expires_at)
            values ('grant_1', 'user_ada', 'client_1', 'App', 'app.example', '["mcp"]', 'x', 1, 1000)`,
    },
  ]);
  for (const id of ["client_2", "client_3", "client_4"]) await register(id);
  const known = async () => (await db.query("select id from oauth_client order by id")).map(({ id }) => id);
  expect(await known()).toEqual(["client_1", "client_3", "client_4"]);
  // A connected client outlives its time, an unused one does not.
  expect(await store.find("client_1", 5000)).toBeDefined();
  expect(await store.find("client_3", 999)).toBeDefined();
  expect(await store.find("client_3", 1000)).toBeUndefined();
  await store.keepUntil("client_3", 2000);
  expect(await store.find("client_3", 1000)).toBeDefined();
});
