import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import {
  allow,
  authorizationQuery,
  connectApp,
  createPkce,
  postForm,
  REDIRECT_URI,
  registerClient,
} from "./support/oauth.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const BASE_URL = "http://localhost";

const decide = (query: object, decision = "allow") =>
  alice.post("/api/oauth/authorization", { ...query, decision });
const read = (query: Record<string, string>) =>
  alice.get(`/api/oauth/authorization?${new URLSearchParams(query).toString()}`);

test("the metadata leads from the resource to the authorization server and its endpoints", async () => {
  for (const path of ["", "/mcp"]) {
    const { status, body } = await app.anonymous.get(`/.well-known/oauth-protected-resource${path}`);
    expect([status, body]).toEqual([
      200,
      {
        resource: `${BASE_URL}/mcp`,
        authorization_servers: [BASE_URL],
        scopes_supported: ["mcp"],
        bearer_methods_supported: ["header"],
        resource_name: "Baton",
      },
    ]);
  }
  const { body } = await app.anonymous.get("/.well-known/oauth-authorization-server");
  expect(body).toEqual({
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/oauth/authorize`,
    token_endpoint: `${BASE_URL}/oauth/token`,
    registration_endpoint: `${BASE_URL}/oauth/register`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    scopes_supported: ["mcp"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  expect((await app.anonymous.get("/.well-known/openid-configuration")).body).toEqual(body);
  // The metadata of another issuer: a client falls back to the address above.
  expect((await app.anonymous.get("/.well-known/oauth-authorization-server/mcp")).status).toBe(404);
});

test("behind a proxy PUBLIC_URL is the issuer, whatever the request says", async () => {
  const own = await useTestApp({ PUBLIC_URL: "https://example.com/baton", TRUST_PROXY: "true" });
  const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
  const resource = await own.anonymous.get("/.well-known/oauth-protected-resource/baton/mcp", headers);
  expect(resource.body).toMatchObject({
    resource: "https://example.com/baton/mcp",
    authorization_servers: ["https://example.com/baton"],
  });
  for (const path of [
    "/.well-known/oauth-authorization-server/baton",
    "/.well-known/openid-configuration/baton",
  ])
    expect((await own.anonymous.get(path, headers)).body.issuer).toBe("https://example.com/baton");
  const carol = await registerUser(own, "carol");
  const { client_id } = await registerClient(own.anonymous);
  const query = authorizationQuery(client_id, createPkce().challenge);
  expect((await allow(carol, query)).get("iss")).toBe("https://example.com/baton");
});

test("a forwarded host, which nobody has checked, is neither the issuer nor the address of the metadata", async () => {
  const own = await useTestApp({ TRUST_PROXY: "true" });
  const headers = { "x-forwarded-host": "evil.example" };
  const { body } = await own.anonymous.get("/.well-known/oauth-authorization-server", headers);
  expect(body.issuer).toBe(BASE_URL);
  const refused = await own.anonymous.post("/mcp", {}, headers);
  expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
    401,
    `Bearer scope="mcp", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`,
  ]);
});

test("a user allows a public client, which gets tokens that only it can refresh", async () => {
  const { client_id } = await registerClient(app.anonymous, { client_name: "Claude" });
  const { verifier, challenge } = createPkce();
  const query = {
    ...authorizationQuery(client_id, challenge),
    scope: "mcp openid offline_access",
    resource: "http://LOCALHOST/mcp/",
  };
  expect((await read(query)).body.authorization).toEqual({
    clientName: "Claude",
    clientHost: null,
    redirectUri: REDIRECT_URI,
    redirectTarget: "app.example",
    redirectKind: "web",
    resource: "http://localhost/mcp",
    scopes: ["mcp"],
    problem: null,
  });
  const parameters = await allow(alice, query);
  expect([...parameters.keys()].toSorted()).toEqual(["code", "iss", "state"]);
  expect(parameters.get("state")).toBe("state-1");
  expect(parameters.get("iss")).toBe("http://localhost");

  const fields = {
    grant_type: "authorization_code",
    code: parameters.get("code") ?? "",
    code_verifier: verifier,
  };
  const issued = await postForm(app.anonymous, "/oauth/token", {
    ...fields,
    client_id,
    redirect_uri: REDIRECT_URI,
  });
  expect([issued.status, issued.body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^batonat_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^batonrt_[\w-]{43}$/),
      scope: "mcp",
    },
  ]);
  expect(issued.headers["cache-control"]).toBe("no-store");

  const refresh = (client: string) =>
    postForm(app.anonymous, "/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: issued.body.refresh_token,
      client_id: client,
    });
  const { client_id: other } = await registerClient(app.anonymous);
  expect((await refresh(other)).body.error).toBe("invalid_grant");
  expect((await refresh(client_id)).status).toBe(200);
});

test("a refusal goes back to the client with its state and the issuer", async () => {
  const { client_id } = await registerClient(app.anonymous, { redirect_uris: [`${REDIRECT_URI}?tenant=1`] });
  const query = {
    ...authorizationQuery(client_id, createPkce().challenge),
    redirect_uri: `${REDIRECT_URI}?tenant=1`,
    state: "a&b=c",
  };
  const { redirectTo } = (await decide(query, "deny")).body;
  expect(redirectTo).toMatch(/^https:\/\/app\.example\/callback\?tenant=1&error=access_denied&/);
  const parameters = new URL(redirectTo).searchParams;
  expect([parameters.get("state"), parameters.get("iss")]).toEqual(["a&b=c", "http://localhost"]);
});

test("a request of an unknown client, or with a redirect URI of another one, is sent nowhere", async () => {
  const { client_id } = await registerClient(app.anonymous);
  const { client_id: other } = await registerClient(app.anonymous, {
    redirect_uris: ["https://evil.example/cb"],
  });
  const valid = authorizationQuery(client_id, createPkce().challenge);
  for (const change of [
    { client_id: "client_00000000000000000000000000000" },
    { client_id: "unknown" },
    { client_id: "" },
    { client_id: "https://app.example" },
    { client_id: other },
    { redirect_uri: "https://evil.example/cb" },
    { redirect_uri: `${REDIRECT_URI}/../evil` },
    { redirect_uri: "javascript:alert(1)" },
    { redirect_uri: "" },
    { redirect_uri: `${REDIRECT_URI}?${"a".repeat(2000)}` },
    { state: "s".repeat(2001) },
  ]) {
    const query = { ...valid, ...change };
    for (const response of [await read(query), await decide(query), await decide(query, "deny")])
      expect([change, response.status, response.body.error]).toEqual([change, 400, "invalid_request"]);
  }
  const twice = `/api/oauth/authorization?${new URLSearchParams(valid).toString()}&redirect_uri=https://evil.example/cb`;
  expect((await alice.get(twice)).status).toBe(400);
});

test("a request that cannot be allowed becomes an error for the client, whatever the user decides", async () => {
  const { client_id } = await registerClient(app.anonymous);
  const { challenge } = createPkce();
  const valid = authorizationQuery(client_id, challenge);
  for (const [change, error] of [
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: "http://localhost/mcp#x" }, "invalid_target"],
    [{ resource: "not a url" }, "invalid_target"],
  ] as const) {
    const query = { ...valid, ...change };
    expect((await read(query)).body.authorization.problem).toEqual(expect.any(String));
    const parameters = await allow(alice, query);
    expect([change, parameters.get("error"), parameters.get("code"), parameters.get("state")]).toEqual([
      change,
      error,
      null,
      "state-1",
    ]);
  }
});

test("nobody decides for a user: the decision needs the login token, and the page cannot be framed", async () => {
  const { client_id } = await registerClient(app.anonymous);
  const query = authorizationQuery(client_id, createPkce().challenge);
  expect((await app.anonymous.post("/api/oauth/authorization", { ...query, decision: "allow" })).status).toBe(
    401,
  );
  const form = await alice.call("/api/oauth/authorization", {
    method: "POST",
    body: new URLSearchParams({ ...query, decision: "allow" }).toString(),
    contentType: "application/x-www-form-urlencoded",
  });
  expect(form.status).toBe(415);
  const page = await app.anonymous.get(`/oauth/authorize?${new URLSearchParams(query).toString()}`);
  expect(page.headers["x-frame-options"]).toBe("DENY");
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("a confidential client proves itself with its secret, in the header or in the body but not in both", async () => {
  const client = await registerClient(app.anonymous, { token_endpoint_auth_method: undefined });
  const { client_id, client_secret = "" } = client;
  expect(client).toMatchObject({
    token_endpoint_auth_method: "client_secret_basic",
    client_secret_expires_at: 0,
  });
  const request = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    postForm(
      app.anonymous,
      "/oauth/token",
      { grant_type: "refresh_token", refresh_token: "x", ...fields },
      headers,
    );
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}`,
  });
  // Authenticated: only the token is wrong.
  for (const accepted of [
    await request({ client_id, client_secret }),
    await request({}, basic(client_secret)),
  ])
    expect([accepted.status, accepted.body.error]).toEqual([400, "invalid_grant"]);
  for (const refused of [
    await request({}),
    await request({ client_id }),
    await request({ client_id, client_secret: "wrong" }),
    await request({}, basic("wrong")),
    await request({}, { authorization: "Basic %%%" }),
    await request({}, { authorization: "Bearer x" }),
    await request({ client_id: "unknown", client_secret }),
  ])
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: "invalid_client", error_description: expect.any(String) },
    ]);
  expect((await request({}, basic("wrong"))).headers["www-authenticate"]).toBe('Basic realm="Baton"');
  expect((await request({ client_secret }, basic(client_secret))).body.error).toBe("invalid_request");
});

test("malformed token requests get OAuth's error shape", async () => {
  const send = (body: string, contentType = "application/x-www-form-urlencoded") =>
    app.anonymous.call("/oauth/token", { method: "POST", body, contentType });
  for (const response of [
    await send("client_id=a&client_id=b"),
    await send('{"grant_type": "refresh_token"}', "text/plain"),
    await send("<xml/>", "application/xml"),
    await send(`client_id=${"a".repeat(2001)}`),
    await send("a=1".repeat(40_000)),
    await app.anonymous.call("/oauth/token", { method: "POST" }),
  ])
    expect([response.status, response.body]).toEqual([
      400,
      { error: "invalid_request", error_description: expect.stringMatching(/./) },
    ]);
});

test("a client with a dangerous or malformed redirect URI, or without one, cannot register", async () => {
  const register = async (metadata: object) => {
    const { status, body } = await app.anonymous.post("/oauth/register", metadata);
    expect([metadata, status, body]).toEqual([
      metadata,
      400,
      { error: expect.any(String), error_description: expect.stringMatching(/./) },
    ]);
    return body.error;
  };
  for (const uri of ["javascript:alert(1)", "http://app.example/cb", "https://a.example/#f", "data:,x"])
    expect(await register({ redirect_uris: [uri] })).toBe("invalid_redirect_uri");
  for (const metadata of [
    {},
    { redirect_uris: [] },
    { redirect_uris: "https://app.example/cb" },
    { redirect_uris: Array.from({ length: 21 }, () => REDIRECT_URI) },
    { redirect_uris: [`${REDIRECT_URI}/${"a".repeat(2000)}`] },
    { redirect_uris: [REDIRECT_URI], client_name: 7 },
    { redirect_uris: [REDIRECT_URI], client_name: "Сlaude" },
    { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "private_key_jwt" },
  ])
    expect(await register(metadata)).toBe("invalid_client_metadata");
  const broken = await app.anonymous.call("/oauth/register", { method: "POST", body: "{" });
  expect([broken.status, broken.body.error]).toEqual([400, "invalid_client_metadata"]);
});

test("[S16] codes, secrets and tokens are stored only as hashes", async () => {
  const own = await useTestApp();
  const carol = await registerUser(own, "carol");
  const { client, tokens } = await connectApp(carol);
  const stored = await own.sql(
    "select hash from oauth_token union all select hash from oauth_code union all select secret_hash from oauth_client",
  );
  expect(stored).toHaveLength(4);
  for (const { hash } of stored) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const file of await readdir(own.dataDir)) {
    if (!file.startsWith("baton.sqlite")) continue;
    const content = await readFile(join(own.dataDir, file));
    for (const secret of [client.client_secret as string, tokens.access_token, tokens.refresh_token])
      expect(content.includes(secret)).toBe(false);
  }
});

test("connected apps are listed for their owner, and disconnecting one ends its tokens", async () => {
  const { client, tokens, basic } = await connectApp(alice);
  const [connected] = (await alice.get("/api/connected-apps")).body.apps;
  expect(connected).toEqual({
    id: expect.stringMatching(/^grant_/),
    name: "Test app",
    clientId: client.client_id,
    workspaceId: expect.stringMatching(/^user_/),
    target: "app.example",
    scopes: ["mcp"],
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
    expiresAt: expect.stringMatching(/Z$/),
  });
  expect((await bob.get("/api/connected-apps")).body).toEqual({ ok: true, apps: [], nextCursor: null });
  expect((await alice.delete(`/api/connected-apps/${connected.id}`)).body).toEqual({ ok: true });
  const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  expect((await postForm(app.anonymous, "/oauth/token", fields, basic)).body.error).toBe("invalid_grant");
  expect((await alice.delete(`/api/connected-apps/${connected.id}`)).body.error).toBe(
    "connected_app_not_found",
  );
});

test("a client revokes its own tokens, and an unknown token is no error", async () => {
  const { tokens, basic } = await connectApp(alice);
  const revoke = (fields: Record<string, string>) => postForm(app.anonymous, "/oauth/revoke", fields, basic);
  expect((await revoke({ token: "unknown" })).status).toBe(200);
  expect((await revoke({})).body.error).toBe("invalid_request");
  const revoked = await revoke({ token: tokens.refresh_token, token_type_hint: "refresh_token" });
  expect([revoked.status, revoked.body]).toEqual([200, {}]);
  const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  expect((await postForm(app.anonymous, "/oauth/token", fields, basic)).body.error).toBe("invalid_grant");
  const anonymous = await postForm(app.anonymous, "/oauth/revoke", { token: tokens.access_token });
  expect(anonymous.status).toBe(401);
});

test("an unused client expires after a day, and one that a user allowed stays", async () => {
  let now = Date.parse("2030-01-01T00:00:00Z");
  const clock: Clock = { now: () => now, monotonic: () => now };
  const own = await useTestApp({}, { clock });
  const carol = await registerUser(own, "carol");
  const { client_id: unused } = await registerClient(own.anonymous);
  const { client, tokens, basic } = await connectApp(carol);
  now += 24 * 3600 * 1000;
  await registerClient(own.anonymous);
  const rows = await own.sql("select id from oauth_client");
  expect(rows.map(({ id }) => id)).not.toContain(unused);
  expect(rows.map(({ id }) => id)).toContain(client.client_id);
  const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  expect((await postForm(own.anonymous, "/oauth/token", fields, basic)).status).toBe(200);
});

test("a flood of registrations is refused by address", async () => {
  const own = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "1" });
  for (let i = 0; i < 3; i++) await registerClient(own.anonymous);
  const refused = await own.anonymous.post("/oauth/register", { redirect_uris: [REDIRECT_URI] });
  expect([refused.status, refused.body]).toEqual([
    429,
    { error: "temporarily_unavailable", error_description: expect.stringContaining("limit") },
  ]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});

test("a flood of token requests is refused by address", async () => {
  const own = await useTestApp({ RATE_LIMIT_LOGIN_PER_MINUTE: "1" });
  const ask = () =>
    postForm(own.anonymous, "/oauth/token", { grant_type: "refresh_token", refresh_token: "x" });
  const answers = [];
  for (let i = 0; i < 31; i++) answers.push(await ask());
  expect(answers.slice(0, 30).every(({ status }) => status === 400 || status === 401)).toBe(true);
  const refused = answers[30]!;
  expect([refused.status, refused.body]).toEqual([
    429,
    { error: "temporarily_unavailable", error_description: expect.stringContaining("limit") },
  ]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers["cache-control"]).toContain("no-store");
});

test("a page of any origin can discover, register and ask for tokens, but not decide for the user", async () => {
  for (const settings of [{}, { CORS_ORIGINS: "https://console.example" }] as Record<string, string>[]) {
    const own = await useTestApp(settings);
    const origin = "https://inspector.example";
    for (const url of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/oauth/register",
      "/oauth/token",
      "/oauth/revoke",
    ]) {
      const preflight = await own.anonymous.call(url, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type, mcp-protocol-version",
        },
      });
      expect([url, preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([
        url,
        204,
        "*",
      ]);
      expect(preflight.headers["access-control-allow-headers"]).toBe("content-type, mcp-protocol-version");
      const isRead = url.startsWith("/.well-known");
      const called = await own.anonymous.call(url, { method: isRead ? "GET" : "POST", headers: { origin } });
      expect([url, called.headers["access-control-allow-origin"]]).toEqual([url, "*"]);
    }
    const decision = await own.anonymous.call("/api/oauth/authorization", {
      method: "POST",
      headers: { origin },
    });
    expect(decision.headers["access-control-allow-origin"]).toBeUndefined();
  }
});
