import { expect, test } from "vitest";
import { allow, registerClient } from "./support/oauth.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const REDIRECT = "http://localhost/connections/callback";

/** The OAuth server of another instance, over sockets: registration, consent, PKCE, rotating refresh tokens, `iss`. */
async function startProvider() {
  const provider = await useTestApp();
  const url = (await provider.listen()).replace(/\/$/, "");
  const host = new URL(url).host;
  const carol = await registerUser(provider, "carol");
  const client = await registerClient(provider.anonymous, {
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "client_secret_basic",
  });
  return { provider, url, host, carol, client };
}
type Provider = Awaited<ReturnType<typeof startProvider>>;

async function store({ url, host, client }: Provider, settings: object = {}, user: RegisteredUser = alice) {
  const { status, body } = await user.post("/api/connections", {
    name: "Instance",
    kind: "oauth2",
    hosts: [host],
    settings: {
      authorizationUrl: `${url}/oauth/authorize`,
      tokenUrl: `${url}/oauth/token`,
      scopes: ["mcp"],
      clientId: client.client_id,
      ...settings,
    },
    secrets: { clientSecret: client.client_secret },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection;
}

/** The user's way through the browser; returns what the page receives. */
async function consent({ carol, host }: Provider, id: string, user: RegisteredUser = alice) {
  const { body } = await user.post(`/api/connections/${id}/authorize`, {});
  const url = new URL(body.authorizationUrl);
  return Object.fromEntries(await allow(carol, Object.fromEntries(url.searchParams), { host }));
}

const finish = (answer: object, user: RegisteredUser = alice) => user.post("/api/connections/finish", answer);
const failed = { status: 400, body: { error: "connection_authorization_failed" } };
const read = async (id: string) => (await alice.get(`/api/connections/${id}`)).body.connection;

async function callProvider({ url }: Provider, connection: string) {
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
  const step = {
    stepId: "call",
    type: "http",
    method: "POST",
    url: `${url}/mcp`,
    connection,
    headers,
    body,
    maxRetries: 0,
  };
  const created = await alice.post("/api/workflows", { name: "x", metadata: { steps: [step], edges: [] } });
  const { body: run } = await alice.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {});
  return (await alice.get(`/api/tasks/${run.taskId}`)).body.task;
}

test("a connection is authorized with PKCE against a real server, used, refreshed and refused", async () => {
  const provider = await startProvider();
  const connection = await store(provider);
  expect(connection).toMatchObject({ status: "authorization_needed", kind: "oauth2" });
  const { body } = await alice.post(`/api/connections/${connection.id}/authorize`, {});
  expect(body.redirectUrl).toBe(REDIRECT);
  const asked = Object.fromEntries(new URL(body.authorizationUrl).searchParams);
  expect(asked).toMatchObject({
    response_type: "code",
    redirect_uri: REDIRECT,
    scope: "mcp",
    code_challenge_method: "S256",
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect((await callProvider(provider, connection.id)).error).toMatchObject({
    code: "connection_authorization_required",
  });

  const done = await finish(await consent(provider, connection.id));
  expect(done.body.connection).toMatchObject({ id: connection.id, status: "connected", problem: null });
  expect(await callProvider(provider, connection.id)).toMatchObject({ status: "completed" });
  const shown = JSON.stringify([
    done.body,
    await read(connection.id),
    await app.sql("select * from connection"),
  ]);
  expect(shown).not.toContain(provider.client.client_secret);

  // The server forgets the access token: a 401, one refresh, and the request again.
  await provider.provider.sql("update oauth_token set expires_at = 1 where kind = 'access'");
  expect(await callProvider(provider, connection.id)).toMatchObject({ status: "completed" });
  await provider.provider.sql("delete from oauth_token");
  expect((await callProvider(provider, connection.id)).error.code).toBe("connection_authorization_required");
  expect(await read(connection.id)).toMatchObject({
    status: "authorization_needed",
    problem: { message: expect.stringContaining("invalid_grant") },
  });
});

test("a forged, repeated, foreign or mixed-up callback connects nothing", async () => {
  const provider = await startProvider();
  const { id } = await store(provider);
  expect(await finish({ state: "forged", code: "x" })).toMatchObject(failed);
  const answer = await consent(provider, id);
  // The state of another user: neither may finish it for the other.
  expect(await finish(answer, bob)).toMatchObject(failed);
  expect(await finish(answer)).toMatchObject({ status: 200 });
  expect(await finish(answer)).toMatchObject(failed);
  const mixedUp = { ...(await consent(provider, id)), iss: "https://evil.example" };
  expect((await finish(mixedUp)).body.message).toContain("another issuer");
  const wrongCode = { ...(await consent(provider, id)), code: "guessed" };
  expect((await finish(wrongCode)).body.message).toContain("invalid_grant");
  const { state } = await consent(provider, id);
  expect((await finish({ state, error: "access_denied<script>" })).body.message).toBe(
    "The authorization server answered access_denied script .",
  );
  // An authorization that was started belongs to the settings of that time.
  const old = await consent(provider, id);
  await alice.patch(`/api/connections/${id}`, { name: "Renamed" });
  expect(await finish(old)).toMatchObject(failed);
  // A second start ends the first.
  const first = await consent(provider, id);
  await consent(provider, id);
  expect(await finish(first)).toMatchObject(failed);
});

test("a change of the token URL, the hosts or the client needs the secret again and drops the tokens", async () => {
  const provider = await startProvider();
  const { id } = await store(provider);
  await finish(await consent(provider, id));
  const patch = (change: object) => alice.patch(`/api/connections/${id}`, change);
  for (const settings of [{ tokenUrl: "https://evil.example/token" }, { clientId: "other" }])
    expect(await patch({ settings })).toMatchObject({
      status: 400,
      body: { details: [{ path: "secrets" }] },
    });
  expect(await patch({ hosts: ["evil.example"] })).toMatchObject({ status: 400 });
  expect(await read(id)).toMatchObject({ status: "connected" });
  const secrets = { clientSecret: provider.client.client_secret };
  const moved = await patch({ hosts: ["b.example"], secrets });
  expect(moved.body.connection).toMatchObject({ status: "authorization_needed" });
  expect(await app.sql(`select tokens from connection where id = '${id}'`)).toEqual([{ tokens: null }]);
});

test("behind a proxy the redirect address is that of PUBLIC_URL; other settings of the request change nothing", async () => {
  const own = await useTestApp({ PUBLIC_URL: "https://example.com/baton", TRUST_PROXY: "true" });
  const dora = await registerUser(own, "dora");
  const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
  expect((await dora.get("/api/oauth-clients", headers)).body).toMatchObject({
    redirectUrl: "https://example.com/baton/connections/callback",
    administrator: true,
  });
  expect((await alice.get("/api/oauth-clients")).body).toMatchObject({ redirectUrl: REDIRECT });
});

test("only the administrator enters clients of the instance", async () => {
  const client = { clientId: "id", clientSecret: "hush-hush" };
  expect((await bob.get("/api/oauth-clients")).body.administrator).toBe(false);
  expect(await bob.put("/api/oauth-clients/slack", client)).toMatchObject({ status: 403 });
  expect(await bob.delete("/api/oauth-clients/slack")).toMatchObject({ status: 403 });
  expect(await alice.put("/api/oauth-clients/no-such-app", client)).toMatchObject({ status: 404 });
});

test("the client of the instance connects the app for every user, and its secret is shown to nobody", async () => {
  const client = { clientId: "instance-client", clientSecret: "hush-hush-instance\n" };
  expect((await alice.put("/api/oauth-clients/slack", client)).status).toBe(200);
  const slack = async (user: RegisteredUser) =>
    (await user.get("/api/oauth-clients")).body.clients.find((each: { app: string }) => each.app === "slack");
  expect(await slack(alice)).toMatchObject({ configured: true, clientId: "instance-client", title: "Slack" });
  expect(await slack(bob)).toMatchObject({ configured: true, clientId: null });
  const { body } = await bob.post("/api/connections", { name: "Slack", kind: "oauth2", app: "slack" });
  expect(body.connection).toMatchObject({
    app: "slack",
    hosts: ["slack.com"],
    status: "authorization_needed",
  });
  const started = await bob.post(`/api/connections/${body.connection.id}/authorize`, {});
  const url = new URL(started.body.authorizationUrl);
  expect(url.origin).toBe("https://slack.com");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: "instance-client",
    redirect_uri: REDIRECT,
  });
  const rows = await app.sql("select * from app_oauth_client");
  expect(JSON.stringify([rows, body, started.body, await slack(alice)])).not.toContain("hush-hush");
  await alice.delete("/api/oauth-clients/slack");
  expect((await bob.post(`/api/connections/${body.connection.id}/authorize`, {})).body.message).toContain(
    "administrator",
  );
});
