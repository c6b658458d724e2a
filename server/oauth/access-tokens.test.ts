import { afterAll, beforeAll, expect, test } from "vitest";
import { insertAccounts, openTestDb, type TestDb } from "../../test/support/open-db.ts";
import { createPkce } from "../../test/support/oauth.ts";
import { createAccountDeletionStore } from "../accounts/account-deletion.sql.ts";
import { createUseRecorder } from "../lib/use-recorder.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createCodeStore } from "./code.sql.ts";
import { createGrantStore } from "./grant.sql.ts";

const RESOURCE = "https://baton.example/mcp";
const CLIENT = "https://app.example/client.json";
const MINUTE = 60_000;

let opened: TestDb;
let now = Date.parse("2030-01-01T00:00:00Z");
const clock = { now: () => now, monotonic: () => now };

beforeAll(async () => {
  opened = await openTestDb();
  await insertAccounts(opened.db, ["user_ada", "user_ben"], now);
});
afterAll(() => opened.close());

/** A process: everything that it knows is in the database. */
function openProcess(audience = RESOURCE) {
  const grants = createGrantStore(opened.db);
  const codes = createCodeStore(opened.db);
  const uses = createUseRecorder({ write: grants.recordUses, clock });
  const tokens = createAccessTokens({
    codes,
    grants,
    uses,
    clock,
    credentialsChanged: () => undefined,
    isOwnAudience: (resource) => resource === audience,
  });
  return { tokens, grants, codes, uses };
}

async function createCode(ownerId = "user_ada") {
  const { verifier, challenge } = createPkce();
  const code = createSecret();
  await openProcess().codes.insert(
    hashKey(code),
    {
      ownerId,
      userId: ownerId,
      clientId: CLIENT,
      clientName: "Example",
      redirectUri: "http://127.0.0.1:3000/callback",
      codeChallenge: challenge,
      scopes: ["mcp"],
      resource: RESOURCE,
      expiresAt: now + MINUTE,
      grantId: null,
    },
    now,
  );
  return { grant_type: "authorization_code", code, code_verifier: verifier };
}

async function connect(ownerId?: string) {
  return openProcess().tokens.request(CLIENT, await createCode(ownerId));
}

const refreshWith = (refresh_token: string, clientId = CLIENT) =>
  openProcess().tokens.request(clientId, { grant_type: "refresh_token", refresh_token });

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "accepted",
    (error: { code: string }) => error.code,
  );
const isOpen = async (accessToken: string): Promise<boolean> =>
  (await openProcess().tokens.find(accessToken)) !== undefined;

test("an access token opens its resource for the owner, under the name of the client", async () => {
  const { access_token, ...rest } = await connect();
  expect(rest).toEqual({
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^batonrt_/),
    scope: "mcp",
  });
  const { tokens, grants, uses } = openProcess();
  const found = await tokens.find(access_token);
  expect(found).toEqual({
    id: expect.stringMatching(/^grant_/),
    ownerId: "user_ada",
    userId: "user_ada",
    name: "Example",
    scopes: ["mcp"],
  });
  tokens.recordUse(found?.id ?? "");
  await uses.close();
  const [app] = (await grants.list("user_ada", now, { limit: 1 })).items;
  expect(app).toMatchObject({ target: "127.0.0.1:3000", lastUsedAt: now });
});

test("[S16] an access token ends after an hour, and for another audience it never began", async () => {
  const { access_token } = await connect();
  expect(await openProcess("https://other.example/mcp").tokens.find(access_token)).toBeUndefined();
  now += 60 * MINUTE - 1;
  expect(await isOpen(access_token)).toBe(true);
  now += 1;
  expect(await isOpen(access_token)).toBe(false);
});

test("[S16] a code is valid once: the second use ends the tokens of the first", async () => {
  const request = await createCode();
  const { access_token, refresh_token } = await openProcess().tokens.request(CLIENT, request);
  expect(await isOpen(access_token)).toBe(true);
  expect(await codeOf(openProcess().tokens.request(CLIENT, request))).toBe("invalid_grant");
  expect(await isOpen(access_token)).toBe(false);
  expect(await codeOf(refreshWith(refresh_token))).toBe("invalid_grant");
});

test("[S16] of many simultaneous uses of a code at most one gets tokens, and they end", async () => {
  const request = await createCode();
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => openProcess().tokens.request(CLIENT, request)),
  );
  const issued = results.filter((result) => result.status === "fulfilled");
  expect(issued.length).toBeLessThanOrEqual(1);
  for (const { value } of issued) expect(await isOpen(value.access_token)).toBe(false);
});

test("[S16] a code needs its verifier, its client, its redirect URI, its resource and its minute", async () => {
  const request = await createCode();
  const attempt = (change: object, clientId = CLIENT) =>
    codeOf(openProcess().tokens.request(clientId, { ...request, ...change }));
  expect(await attempt({ code_verifier: createPkce().verifier })).toBe("invalid_grant");
  expect(await attempt({ code_verifier: "short" })).toBe("invalid_grant");
  expect(await attempt({ code_verifier: undefined })).toBe("invalid_request");
  expect(await attempt({ code: "unknown" })).toBe("invalid_grant");
  expect(await attempt({}, "https://evil.example/client.json")).toBe("invalid_grant");
  expect(await attempt({ redirect_uri: "http://127.0.0.1:3001/callback" })).toBe("invalid_grant");
  expect(await attempt({ resource: "https://other.example/mcp" })).toBe("invalid_target");
  expect(await attempt({ grant_type: "password" })).toBe("unsupported_grant_type");
  expect(await attempt({ grant_type: undefined })).toBe("invalid_request");
  now += MINUTE;
  expect(await attempt({})).toBe("invalid_grant");
  now -= 1;
  expect(await attempt({ resource: `${RESOURCE}/`, redirect_uri: "http://127.0.0.1:3000/callback" })).toBe(
    "accepted",
  );
});

test("[S16] a refresh token is valid once: the second use ends the whole family", async () => {
  const first = await connect();
  const second = await refreshWith(first.refresh_token);
  expect(await isOpen(second.access_token)).toBe(true);
  const third = await refreshWith(second.refresh_token);
  expect(await codeOf(refreshWith(first.refresh_token))).toBe("invalid_grant");
  for (const { access_token, refresh_token } of [first, second, third]) {
    expect(await isOpen(access_token)).toBe(false);
    expect(await codeOf(refreshWith(refresh_token))).toBe("invalid_grant");
  }
});

test("[S16] of many simultaneous refreshes at most one gets tokens, and the family ends", async () => {
  const { refresh_token } = await connect();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => refreshWith(refresh_token)));
  const issued = results.filter((result) => result.status === "fulfilled");
  expect(issued.length).toBeLessThanOrEqual(1);
  for (const { value } of issued) expect(await isOpen(value.access_token)).toBe(false);
});

test("[S16] a refresh token belongs to its client, and ends after thirty days without use", async () => {
  const { refresh_token } = await connect();
  expect(await codeOf(refreshWith(refresh_token, "https://evil.example/client.json"))).toBe("invalid_grant");
  now += 29 * 24 * 60 * MINUTE;
  const next = await refreshWith(refresh_token);
  now += 30 * 24 * 60 * MINUTE;
  expect(await codeOf(refreshWith(next.refresh_token))).toBe("invalid_grant");
});

test("[S16] a revoked token, a disconnected app and a deleted account are refused at once, in every process", async () => {
  const { tokens, grants } = openProcess();
  const one = await connect();
  await tokens.revoke("https://evil.example/client.json", one.refresh_token);
  await tokens.revoke("https://evil.example/client.json", one.access_token);
  expect(await isOpen(one.access_token)).toBe(true);
  await tokens.revoke(CLIENT, one.access_token);
  expect(await isOpen(one.access_token)).toBe(false);
  const two = await refreshWith(one.refresh_token);
  await tokens.revoke(CLIENT, two.refresh_token);
  expect(await isOpen(two.access_token)).toBe(false);
  expect(await codeOf(refreshWith(two.refresh_token))).toBe("invalid_grant");
  await tokens.revoke(CLIENT, "unknown");

  const three = await connect();
  const { id } = (await tokens.find(three.access_token)) ?? { id: "" };
  await expect(grants.disconnect("user_ben", id)).rejects.toMatchObject({ code: "forbidden" });
  await grants.disconnect("user_ada", id);
  expect(await isOpen(three.access_token)).toBe(false);
  expect(await codeOf(refreshWith(three.refresh_token))).toBe("invalid_grant");

  const four = await connect("user_ben");
  const unused = await createCode("user_ben");
  await createAccountDeletionStore(opened.db).begin("user_ben", "hash", now);
  expect(await isOpen(four.access_token)).toBe(false);
  expect(await codeOf(refreshWith(four.refresh_token))).toBe("invalid_grant");
  expect(await codeOf(openProcess().tokens.request(CLIENT, unused))).toBe("invalid_grant");
});

test("an owner has at most 200 connected apps: one more ends the oldest", async () => {
  await opened.db.batch([{ sql: "delete from oauth_grant" }]);
  const first = await connect();
  const id = (await openProcess().grants.list("user_ada", now, { limit: 1 })).items[0]?.id ?? "";
  await opened.db.batch(
    Array.from({ length: 199 }, (_, index) => ({
      sql: `insert into oauth_grant (id, owner_id, user_id, client_id, client_name, target, scopes, resource, created_at, expires_at)
            select cast($copy as text), owner_id, user_id, client_id, client_name, target, scopes, resource, created_at, expires_at
            from oauth_grant where id = $id`,
      params: { id, copy: `${id}${String(index).padStart(3, "0")}` },
    })),
  );
  expect(await isOpen(first.access_token)).toBe(true);
  now += 1;
  await connect();
  expect(await isOpen(first.access_token)).toBe(false);
});

test("an app that refreshes in a loop keeps a bounded number of tokens, and its newest ones work", async () => {
  let tokens = await connect();
  for (let round = 0; round < 110; round++) {
    now += 1000;
    tokens = await refreshWith(tokens.refresh_token!);
  }
  const grant = await openProcess().tokens.find(tokens.access_token);
  const [row] = await opened.db.query("select count(*) as tokens from oauth_token where grant_id = $id", {
    id: grant!.id,
  });
  expect(Number(row?.["tokens"])).toBeLessThanOrEqual(200);
  expect(await codeOf(refreshWith(tokens.refresh_token!))).toBe("accepted");
});
