import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { sendJson, startVendor } from "../../test/support/vendor.ts";
import { REFRESH_LEASE_MS } from "../lib/refresh-once.ts";
import { startOauthServer } from "../mcp-client/testing/oauth-server.ts";
import { createEgress } from "../security/egress.ts";
import { createSecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";
import { createConnectionStore } from "./connection.sql.ts";
import { createConnectionTokenStore } from "./connection-tokens.sql.ts";
import { createConnections } from "./connections.ts";
import { createOauthFlow } from "./oauth-flow.ts";
import { createOauthTokens } from "./oauth-tokens.ts";
import { openJson } from "./sealed-json.ts";

const OWNER = "ada";
const box = createSecretBox(randomBytes(32));
const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
afterAll(() => egress.close());
let now = 1_000_000;
const clock = { now: () => now, monotonic: () => now };
let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  const sql = "insert into workspace (id, name, kind, created_at) values ($1, '', 'personal', 1)";
  await db.batch([{ sql, params: [OWNER] }]);
});
afterEach(() => close());

const clients = {
  clientOf: () => Promise.resolve({ clientId: "client-1", clientSecret: "client-secret-1" }),
};
const openStore = () => ({ ...createConnectionStore(db), ...createConnectionTokenStore(db) });

/** A separate process: nothing is shared but the database. */
function openProcess(more: Partial<ReturnType<typeof openStore>> = {}) {
  const store = { ...openStore(), ...more };
  const deps = { store, box, clock, clients, egress };
  const tokens = createOauthTokens(deps);
  return { store, tokens, flow: createOauthFlow({ ...deps, tokens }) };
}

async function sentToken(process: ReturnType<typeof openProcess>, id: string, times401 = 0): Promise<string> {
  const credential = process.tokens.credentialOf(await process.store.get(id, OWNER));
  const headers: Record<string, string> = {};
  await credential.authorize({ url: new URL("https://a.example"), headers });
  for (let n = 0; n < times401; n++) {
    if (!(await credential.renew())) return "refused";
    await credential.authorize({ url: new URL("https://a.example"), headers });
  }
  return headers["authorization"] ?? "";
}

async function create(settings: object) {
  const apps = { find: () => Promise.resolve(undefined), builtIn: () => [] };
  const connections = createConnections({
    store: openStore(),
    box,
    clock,
    apps,
    onRepaired: () => Promise.resolve(),
  });
  return connections.create(OWNER, {
    kind: "oauth2",
    name: "Vendor",
    hosts: ["a.example"],
    settings,
    secrets: {},
  });
}

async function connect(oauth: Awaited<ReturnType<typeof startOauthServer>>, settings: object = {}) {
  const { id } = await create({
    authorizationUrl: `${oauth.origin}/authorize`,
    tokenUrl: `${oauth.origin}/token`,
    clientId: "client-1",
    ...settings,
  });
  const { flow } = openProcess();
  const answer = await oauth.consent(await flow.start(OWNER, id, "http://localhost/connections/callback"));
  await flow.finish(OWNER, answer as { state: string });
  return id;
}

const refreshes = (oauth: { tokenCalls: Record<string, string>[] }) =>
  oauth.tokenCalls.filter((form) => form["grant_type"] === "refresh_token");

test("two processes and many calls refresh a refused token once, and all get the new one", async () => {
  const oauth = await startOauthServer();
  const id = await connect(oauth);
  const [one, two] = [openProcess(), openProcess()];
  const sent = await Promise.all([one, two, one, two].map((process) => sentToken(process, id, 1)));
  expect(sent).toEqual(Array.from({ length: 4 }, () => "Bearer access-2"));
  expect(refreshes(oauth)).toEqual([{ grant_type: "refresh_token", refresh_token: "refresh-1" }]);
});

test("a token is refreshed before it expires, and the new one is stored before it is used", async () => {
  const oauth = await startOauthServer();
  const id = await connect(oauth);
  expect(await sentToken(openProcess(), id)).toBe("Bearer access-1");
  now += 3600_000 - 10_000;
  const stored: string[] = [];
  const process = openProcess({
    async saveTokens(record, given) {
      const tokens = openJson(box, { id, ownerId: OWNER }, "tokens", given.tokens);
      stored.push(String(tokens["accessToken"]));
      return openStore().saveTokens(record, given);
    },
  });
  expect(await sentToken(process, id)).toBe("Bearer access-2");
  expect(stored).toEqual(["access-2"]);
});

test("a process that died during a refresh blocks it only until its lease ends", async () => {
  const oauth = await startOauthServer();
  const id = await connect(oauth);
  const { tokensVersion } = await openStore().get(id, OWNER);
  const until = now + REFRESH_LEASE_MS;
  expect(await openStore().claimRefresh(id, tokensVersion, { now, until })).toBe(true);
  expect(await openStore().claimRefresh(id, tokensVersion, { now: now + 1, until })).toBe(false);
  const waiting = sentToken(openProcess(), id, 1);
  now += REFRESH_LEASE_MS;
  expect(await waiting).toBe("Bearer access-2");
});

test("a crash after the answer and before the store: the next refresh uses the old refresh token, and a server that refuses it asks to connect again", async () => {
  const oauth = await startOauthServer();
  const id = await connect(oauth);
  const crashing = openProcess({
    saveTokens: () => Promise.reject(new Error("killed")),
    releaseRefresh: () => Promise.reject(new Error("killed")),
  });
  await expect(sentToken(crashing, id, 1)).rejects.toThrow("killed");
  now += REFRESH_LEASE_MS + 1;
  // This server accepts a refresh token once; one that allows a repetition would answer with tokens.
  expect(await sentToken(openProcess(), id, 1)).toBe("refused");
  expect(refreshes(oauth).map((form) => form["refresh_token"])).toEqual(["refresh-1", "refresh-1"]);
  expect(await openStore().get(id, OWNER)).toMatchObject({
    status: "authorization_needed",
    tokens: null,
    problem: expect.stringContaining("invalid_grant"),
  });
});

test.each([
  [503, {}],
  [429, {}],
  [429, { error: "too_many_requests" }],
  [400, { error: "temporarily_unavailable" }],
])(
  "a server that fails with %i %j keeps the tokens, and the next call refreshes again",
  async (status, body) => {
    const oauth = await startOauthServer();
    const id = await connect(oauth);
    let isDown = true;
    const flaky = await startVendor((request, response) => {
      if (isDown) sendJson(response, status, body);
      else
        void fetch(`${oauth.origin}/token`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: request as never,
          duplex: "half",
        } as RequestInit).then(async (answer) => sendJson(response, answer.status, await answer.json()));
    });
    const settings = JSON.stringify({
      authorizationUrl: `${oauth.origin}/authorize`,
      tokenUrl: `${flaky.url}/token`,
      clientId: "client-1",
    });
    await db.batch([{ sql: "update connection set settings = $settings", params: { settings } }]);
    await expect(sentToken(openProcess(), id, 1)).rejects.toMatchObject({ retryable: true });
    expect(await openStore().get(id, OWNER)).toMatchObject({ status: "connected" });
    isDown = false;
    expect(await sentToken(openProcess(), id, 1)).toBe("Bearer access-2");
  },
);

test("a connection that is connected anew during a refresh keeps the newer tokens", async () => {
  const oauth = await startOauthServer();
  const id = await connect(oauth);
  const { flow } = openProcess();
  const answer = await oauth.consent(await flow.start(OWNER, id, "http://localhost/connections/callback"));
  let isFirst = true;
  const slow = openProcess({
    async saveTokens(record, given) {
      if (isFirst) {
        isFirst = false;
        await flow.finish(OWNER, answer as { state: string });
      }
      return openStore().saveTokens(record, given);
    },
  });
  expect(await sentToken(slow, id, 1)).toBe("Bearer access-3");
  expect(await sentToken(openProcess(), id)).toBe("Bearer access-3");
});

test("client credentials: a token is requested when it is needed, once, with scopes and audience", async () => {
  const forms: string[] = [];
  const vendor = await startVendor((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      forms.push(`${request.headers.authorization} ${body}`);
      sendJson(response, 200, {
        access_token: `token-${forms.length}`,
        token_type: "bearer",
        expires_in: "60",
      });
    });
  });
  const { id, status } = await create({
    grant: "client_credentials",
    tokenUrl: `${vendor.url}/token`,
    clientId: "client-1",
    scopes: ["a", "b"],
    audience: "https://api.example",
  });
  expect(status).toBe("untested");
  const process = openProcess();
  expect(await Promise.all([sentToken(process, id), sentToken(openProcess(), id)])).toEqual([
    "Bearer token-1",
    "Bearer token-1",
  ]);
  const basic = `Basic ${btoa("client-1:client-secret-1")}`;
  expect(forms).toEqual([
    `${basic} grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fapi.example`,
  ]);
  now += 31_000;
  expect(await sentToken(process, id)).toBe("Bearer token-2");
});

const jwt = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;

test.each<[string, object, string]>([
  ["a token that is not a bearer token", { access_token: "a", token_type: "mac" }, "mac"],
  ["no token", { token_type: "bearer" }, "no access token"],
  ["a token with a line break", { access_token: "a\r\nb", token_type: "bearer" }, "no access token"],
  [
    "an id token for another client",
    { access_token: "a", id_token: jwt({ aud: "other" }) },
    "another client",
  ],
  ["an unreadable id token", { access_token: "a", id_token: "x" }, "unreadable"],
  [
    "an id token of another issuer",
    { access_token: "a", id_token: jwt({ aud: ["client-1"], iss: "https://evil.example" }) },
    "another issuer",
  ],
  [
    "a token for another audience",
    { access_token: jwt({ aud: "https://other.example" }) },
    "another audience",
  ],
  ["an error with status 200", { ok: false, error: "invalid_code" }, "invalid_code"],
])("an answer with %s is refused", async (_what, answer, why) => {
  const vendor = await startVendor((_request, response) => sendJson(response, 200, answer));
  const { id } = await create({
    authorizationUrl: `${vendor.url}/authorize`,
    tokenUrl: `${vendor.url}/token`,
    issuer: vendor.url,
    audience: "https://api.example",
    clientId: "client-1",
  });
  const { flow, store } = openProcess();
  const url = new URL(await flow.start(OWNER, id, "http://localhost/connections/callback"));
  const state = url.searchParams.get("state") ?? "";
  await expect(flow.finish(OWNER, { state, code: "c" })).rejects.toMatchObject({
    code: "connection_authorization_failed",
    message: expect.stringContaining(why),
  });
  expect(await store.get(id, OWNER)).toMatchObject({ status: "authorization_needed", tokens: null });
});

test("a token URL that redirects gets nothing sent elsewhere, and one without TLS is refused", async () => {
  const elsewhere = await startVendor((_request, response) => sendJson(response, 200, { access_token: "a" }));
  const vendor = await startVendor((_request, response) =>
    response.writeHead(307, { location: `${elsewhere.url}/token` }).end(),
  );
  const { id } = await create({
    grant: "client_credentials",
    tokenUrl: `${vendor.url}/token`,
    clientId: "c",
  });
  await expect(sentToken(openProcess(), id)).rejects.toMatchObject({
    code: "connection_authorization_failed",
  });
  expect(elsewhere.requests).toEqual([]);
  const plain = await create({
    grant: "client_credentials",
    tokenUrl: "http://a.example/token",
    clientId: "c",
  });
  await expect(sentToken(openProcess(), plain.id)).rejects.toThrow("https://");
});
