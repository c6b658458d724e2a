import { afterAll, beforeAll, expect, test } from "vitest";
import { insertAccounts, openTestDb, type TestDb } from "../../test/support/open-db.ts";
import { createApiKeyStore } from "../endpoints/api-key.sql.ts";
import { createApiKeys } from "../endpoints/api-keys.ts";
import { createApiKey } from "../security/api-keys.ts";
import { createAccountDeletionStore } from "./account-deletion.sql.ts";
import { createBearerAccess } from "./bearer-access.ts";
import { createCredentialWatch } from "./credential-watch.ts";

const ADA = { userId: "user_ada", apiKey: null };
const BEN = { userId: "user_ben", apiKey: null };

let opened: TestDb;
let now = Date.parse("2030-01-01T00:00:00Z");
const clock = { now: () => now, monotonic: () => now };

beforeAll(async () => {
  opened = await openTestDb();
  await insertAccounts(opened.db, ["user_ada", "user_ben"], now);
});
afterAll(() => opened.close());

function open() {
  const credentials = createCredentialWatch(() => undefined);
  const keys = createApiKeys({ store: createApiKeyStore(opened.db), clock, credentials });
  const oauth = {
    accepts: (rawToken: string) => rawToken.startsWith("batonat_"),
    find: (rawToken: string) =>
      Promise.resolve(
        rawToken === "batonat_known"
          ? { id: "grant_1", ownerId: "user_ada", name: "Claude", scopes: ["mcp" as const] }
          : undefined,
      ),
    recordUse: () => {},
  };
  return { keys, access: createBearerAccess({ keys, oauth, watch: credentials.watch }) };
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );

test("a key opens what its scopes name, for its owner and under its name", async () => {
  const { keys, access } = open();
  const { apiKey, rawKey } = await keys.create("user_ada", { name: "Cursor", scopes: ["mcp"] }, ADA);
  expect(await access.authenticate(rawKey, "mcp", "127.0.0.1")).toEqual({
    ownerId: "user_ada",
    callerId: apiKey.id,
    callerName: "Cursor",
    accountId: "user_ada",
    kind: "key",
  });
  expect(await codeOf(access.authenticate(rawKey, "chat", "127.0.0.1"))).toBe("insufficient_scope");
  expect(await codeOf(access.authenticate(undefined, "mcp", "127.0.0.1"))).toBe("missing_token");
  await keys.close();
  expect((await keys.list("user_ada", { limit: 1 })).items[0]?.lastUsedAt).toBe(now);
});

test("an access token opens what its grant names, under the name of the app", async () => {
  const { access } = open();
  expect(await access.authenticate("batonat_known", "mcp", "127.0.0.1")).toEqual({
    ownerId: "user_ada",
    callerId: "grant_1",
    callerName: "Claude",
    kind: "oauth",
  });
  expect(await codeOf(access.authenticate("batonat_known", "chat", "127.0.0.1"))).toBe("insufficient_scope");
  expect(await codeOf(access.authenticate("batonat_other", "mcp", "127.0.0.1"))).toBe("invalid_token");
});

test("a key from before scopes opens the public endpoints and nothing else", async () => {
  const { keys, access } = open();
  const { rawKey, hash, prefix } = createApiKey();
  await opened.db.batch([
    {
      sql: `insert into api_key (id, owner_id, name, prefix, hash, created_at)
            values ('key_old', 'user_ada', 'Shop', $prefix, $hash, 0)`,
      params: { prefix, hash },
    },
  ]);
  expect((await keys.find(rawKey))?.scopes).toEqual(["endpoints"]);
  expect(await codeOf(access.authenticate(rawKey, "mcp", "127.0.0.1"))).toBe("insufficient_scope");
});

test("[S16] an unknown, revoked or expired key and a key of a deleted account are refused at once", async () => {
  const { keys, access } = open();
  const codeFor = (rawKey: string) => codeOf(access.authenticate(rawKey, "mcp", "127.0.0.1"));
  expect(await codeFor("baton_unknown")).toBe("invalid_token");
  const revoked = await keys.create("user_ben", { scopes: ["mcp"] }, BEN);
  expect(await codeFor(revoked.rawKey)).toBe("accepted");
  await keys.revoke("user_ben", revoked.apiKey.id);
  expect(await codeFor(revoked.rawKey)).toBe("invalid_token");

  const expiresAt = new Date(now + 1000).toISOString();
  const expiring = await keys.create("user_ben", { scopes: ["mcp"], expiresAt }, BEN);
  expect(await codeFor(expiring.rawKey)).toBe("accepted");
  now += 1000;
  expect(await codeFor(expiring.rawKey)).toBe("invalid_token");

  const orphaned = await keys.create("user_ben", { scopes: ["mcp"] }, BEN);
  // The deletion has begun; the rows of the account are still there.
  expect(await createAccountDeletionStore(opened.db).begin("user_ben", "hash", now)).toBe(true);
  expect(await codeFor(orphaned.rawKey)).toBe("invalid_token");
  await keys.close();
});
