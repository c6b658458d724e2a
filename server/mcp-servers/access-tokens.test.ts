import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { startOauthServer } from "../mcp-client/testing/oauth-server.ts";
import { createSecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createMcpServerStore } from "./mcp-server.sql.ts";
import { createMcpServers } from "./mcp-servers.ts";

const OWNER = "ada";
const LEASE_MS = 30_000;
const box = createSecretBox(randomBytes(32));
let now = 1_000_000;
const clock = { now: () => now, monotonic: () => now };
let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  await db.batch([
    {
      sql: "insert into workspace (id, name, kind, created_at) values ($1, '', 'personal', 1)",
      params: [OWNER],
    },
  ]);
});
afterEach(() => close());

/** A connected server, and the tokens of as many processes as the test asks for. */
async function connected(oauth: { url: string; consent: (url: string) => Promise<Record<string, string>> }) {
  const store = createMcpServerStore(db);
  const servers = createMcpServers({
    store,
    box,
    clock,
    fetch,
    requireStdio: () => Promise.resolve(),
    requireConnection: () => Promise.resolve(),
  });
  const { id } = await servers.create(OWNER, { name: "Weather", url: oauth.url, auth: "oauth" });
  const settings = {
    redirectUrl: "http://127.0.0.1:3000/mcp-servers/callback",
    clientMetadataUrl: undefined,
  };
  const answer = await oauth.consent(await servers.authorize(OWNER, id, settings));
  await servers.finish(OWNER, answer as { state: string });
  const openProcess = async (fetched: typeof fetch = fetch) => {
    const tokens = createAccessTokens({ store: createMcpServerStore(db), box, clock, fetch: fetched });
    return tokens.providerFor(await store.get(id, OWNER));
  };
  return { id, store, servers, openProcess };
}

const unauthorized = {} as never;

test("two processes refresh a token once, and both get the new one", async () => {
  const oauth = await startOauthServer();
  const { openProcess } = await connected(oauth);
  const [one, two] = await Promise.all([openProcess(), openProcess()]);
  expect(await one.token()).toBe("access-1");
  await Promise.all([one.onUnauthorized?.(unauthorized), two.onUnauthorized?.(unauthorized)]);
  expect([await one.token(), await two.token()]).toEqual(["access-2", "access-2"]);
  expect(oauth.tokenCalls.filter((form) => form["grant_type"] === "refresh_token")).toHaveLength(1);
});

test("a token is refreshed before it expires", async () => {
  const oauth = await startOauthServer();
  const { openProcess } = await connected(oauth);
  now += 3600_000 - 10_000;
  expect(await (await openProcess()).token()).toBe("access-2");
});

test("a process that died during a refresh blocks it only until its lease ends", async () => {
  const oauth = await startOauthServer();
  const { id, store, openProcess } = await connected(oauth);
  const { oauthVersion } = await store.get(id, OWNER);
  // What a process leaves behind that claimed the refresh and died.
  expect(await store.claimRefresh(id, oauthVersion, { now, until: now + LEASE_MS })).toBe(true);
  expect(await store.claimRefresh(id, oauthVersion, { now: now + 1, until: now + LEASE_MS })).toBe(false);
  const waiting = await openProcess();
  const refreshed = waiting.onUnauthorized?.(unauthorized);
  now += LEASE_MS;
  await refreshed;
  expect(await waiting.token()).toBe("access-2");
});

test("a change of the server during a refresh keeps the new tokens, and a late one does not bring back the old", async () => {
  const oauth = await startOauthServer();
  const { id, store, servers, openProcess } = await connected(oauth);
  const stored = async () => (await openProcess()).token();
  const refreshDuring = async (change: () => Promise<unknown>) => {
    const refreshing = await openProcess(async (...request) => {
      const response = await fetch(...request);
      await change();
      return response;
    });
    await refreshing.onUnauthorized?.(unauthorized);
  };
  await refreshDuring(() => servers.update(OWNER, id, { name: "Storms" }));
  expect([await stored(), (await store.get(id, OWNER)).name]).toEqual(["access-2", "Storms"]);
  await refreshDuring(async () => servers.requireScope(await store.get(id, OWNER), "write"));
  expect(await stored()).toBe("access-3");

  const read = await store.get(id, OWNER);
  await (await openProcess()).onUnauthorized?.(unauthorized);
  const late = { ...store, get: () => Promise.resolve(read) };
  const lateServers = createMcpServers({
    store: late,
    box,
    clock,
    fetch,
    requireStdio: () => Promise.resolve(),
    requireConnection: () => Promise.resolve(),
  });
  await lateServers.update(OWNER, id, { name: "Late" });
  await lateServers.requireScope(read, "more");
  expect(await stored()).toBe("access-4");
});

test("a scope that a call lacks leaves the refresh of another process alone", async () => {
  const oauth = await startOauthServer();
  const { id, store, servers } = await connected(oauth);
  const { oauthVersion } = await store.get(id, OWNER);
  await store.claimRefresh(id, oauthVersion, { now, until: now + LEASE_MS });
  await servers.requireScope(await store.get(id, OWNER), "write");
  expect(await store.claimRefresh(id, oauthVersion + 1, { now, until: now + LEASE_MS })).toBe(false);
});

test("a network fault keeps the tokens, and the next call refreshes", async () => {
  const oauth = await startOauthServer();
  const { id, store, openProcess } = await connected(oauth);
  const broken = await openProcess(() => Promise.reject(new TypeError("fetch failed")));
  await expect(broken.onUnauthorized?.(unauthorized)).rejects.toThrow();
  expect(await store.get(id, OWNER)).toMatchObject({ isConnected: true });
  const working = await openProcess();
  await working.onUnauthorized?.(unauthorized);
  expect(await working.token()).toBe("access-2");
});

test("a refused refresh token is forgotten, and the call asks to connect again", async () => {
  const oauth = await startOauthServer();
  const { id, store, openProcess } = await connected(oauth);
  oauth.refuseTokens("invalid_grant");
  await expect((await openProcess()).onUnauthorized?.(unauthorized)).rejects.toMatchObject({
    code: "mcp_authorization_required",
  });
  expect(await store.get(id, OWNER)).toMatchObject({ isConnected: false });
});
