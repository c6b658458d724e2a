import { afterAll, expect, test } from "vitest";
import { clientOf } from "./support/client.ts";
import { startOidcProvider } from "./support/oidc-provider.ts";
import { createTestApp, registerUser, type TestApp, useTestApp } from "./support/test-app.ts";
import { inWorkspace } from "./support/workspaces.ts";

const provider = await startOidcProvider("https://baton.example.com/login/callback");
afterAll(() => provider.close());

const settings = {
  PUBLIC_URL: "https://baton.example.com",
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: "baton",
  OIDC_CLIENT_SECRET: "hush-hush-provider",
  OIDC_SCOPES: "openid email profile groups",
  OIDC_BUTTON_LABEL: "Example SSO",
};
const app = await createTestApp(settings);
afterAll(() => app.close());

/** Begins a login: the address at the provider and the cookie of the browser. */
async function begin(service: TestApp, invitation?: string) {
  const start = invitation === undefined ? undefined : { invitation };
  const { status, body, headers } = await service.anonymous.post("/api/auth/oidc/start", start);
  expect(status).toBe(200);
  const setCookie = String(headers["set-cookie"]);
  return { url: body.authorizationUrl as string, setCookie, cookie: setCookie.split(";")[0]! };
}

const finish = (service: TestApp, query: string, cookie?: string) =>
  service.anonymous.post("/api/auth/oidc/callback", { query }, cookie === undefined ? {} : { cookie });

async function logIn(service: TestApp, subject: string, invitation?: string) {
  const { url, cookie } = await begin(service, invitation);
  return finish(service, await provider.logIn(url, subject), cookie);
}

let users = 0;
/** A user of the provider that nobody else has. */
function newUser(more: object = {}) {
  users += 1;
  const subject = `subject-${users}`;
  const email = `user-${users}@example.com`;
  provider.accounts[subject] = { email, email_verified: true, name: `User ${users}`, ...more };
  return { subject, email };
}
const accountsWith = async (service: TestApp, email: string) =>
  Number((await service.sql(`select count(*) as n from account where email = '${email}'`))[0]?.["n"]);

test("the first login creates the account, the next one finds it, also under another address", async () => {
  const { subject, email } = newUser();
  const first = await logIn(app, subject);
  expect([first.status, first.body.user]).toEqual([
    200,
    expect.objectContaining({ email, name: provider.accounts[subject]!.name }),
  ]);
  const me = await clientOf(app.http, first.body.token).get("/api/auth/me");
  expect(me.body.user).toMatchObject({ providerOnly: true, emailConfirmedAt: expect.any(String) });
  provider.accounts[subject]!.email = "renamed@example.com";
  const second = await logIn(app, subject);
  expect(second.body.user.id).toBe(first.body.user.id);
  expect(await accountsWith(app, "renamed@example.com")).toBe(0);
});

test("the login screen names the provider, and the cookie is for this browser only", async () => {
  expect((await app.anonymous.get("/api/auth/methods")).body).toMatchObject({
    provider: { label: "Example SSO" },
    password: true,
  });
  const { setCookie, url } = await begin(app);
  expect(setCookie).toMatch(
    /^baton_oidc=v1\.[\w.-]+; Max-Age=600; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(setCookie).not.toContain(new URL(url).searchParams.get("state"));
});

test("[S22] a response from another browser, for another login or used before creates nothing", async () => {
  const { subject, email } = newUser();
  const [victim, attacker] = [await begin(app), await begin(app)];
  const query = await provider.logIn(attacker.url, subject);
  const attempts: [string, string | undefined][] = [
    [query, undefined],
    [query, victim.cookie],
    [query, "baton_oidc=v1.forged"],
    [query.replace(/state=[^&]+/, "state=forged"), attacker.cookie],
    [query.replace(/code=[^&]+/, "code=forged"), attacker.cookie],
    [query.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example"), attacker.cookie],
  ];
  for (const [given, cookie] of attempts) {
    const { status, body } = await finish(app, given, cookie);
    expect([status, body.error]).toEqual([401, "provider_login_failed"]);
  }
  expect(await accountsWith(app, email)).toBe(0);
  expect((await finish(app, query, attacker.cookie)).status).toBe(200);
  const replayed = await finish(app, query, attacker.cookie);
  expect([replayed.status, replayed.body.error]).toEqual([401, "provider_login_failed"]);
});

test("[S22] a login that took more than ten minutes is refused", async () => {
  let offset = 0;
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
  const slow = await useTestApp(settings, { clock });
  const { subject } = newUser();
  const { url, cookie } = await begin(slow);
  const query = await provider.logIn(url, subject);
  offset = 10 * 60_000;
  expect((await finish(slow, query, cookie)).body.error).toBe("provider_login_failed");
});

test("[S22] an existing account is linked only if both sides have proved the address", async () => {
  const local = await registerUser(app, "local");
  const { subject } = newUser({ email: local.email.toUpperCase(), email_verified: false });
  const refused = async () => {
    const { status, body } = await logIn(app, subject);
    expect([status, body.error]).toEqual([409, "email_taken"]);
  };
  await refused();
  provider.accounts[subject]!.email_verified = true;
  // Registration is open: somebody else may have registered the address.
  await refused();
  await app.sql(`update account set email_confirmed_at = 1 where email = '${local.email}'`);
  provider.accounts[subject]!.email_verified = false;
  await refused();
  provider.accounts[subject]!.email_verified = true;
  const { status, body } = await logIn(app, subject);
  expect([status, body.user?.id]).toEqual([200, local.user.id]);
  // The password still works.
  const { email, password } = local;
  expect((await app.anonymous.post("/api/auth/login", { email, password })).status).toBe(200);
});

test("[S22] an account that never confirmed its address is not linked while registration is closed either", async () => {
  // Somebody registered the address of the victim before it was closed.
  const open = await useTestApp();
  const { email, user } = await registerUser(open, "victim");
  await open.stop();
  const closed = { ...settings, ALLOW_REGISTRATION: "false" };
  const service = await useTestApp(closed, { dataDir: open.dataDir });
  const victim = newUser({ email });
  expect((await logIn(service, victim.subject)).body.error).toBe("email_taken");
  await service.sql(`update account set email_confirmed_at = 1 where email = '${email}'`);
  expect((await logIn(service, victim.subject)).body.user.id).toBe(user.id);
});

test("OIDC_ONLY turns passwords off, and OIDC_CREATE_ACCOUNTS=false creates no account", async () => {
  const only = await useTestApp({ ...settings, OIDC_ONLY: "true", OIDC_CREATE_ACCOUNTS: "false" });
  const credentials = { email: "ada@example.com", password: "long enough" };
  for (const [path, body] of [
    ["login", credentials],
    ["register", credentials],
    ["password/forgot", { email: credentials.email }],
    ["password/reset", { token: "x", newPassword: "long enough" }],
  ] as const) {
    const response = await only.anonymous.post(`/api/auth/${path}`, body);
    expect([path, response.status, response.body.error]).toEqual([path, 403, "password_login_disabled"]);
  }
  expect((await only.anonymous.get("/api/auth/methods")).body).toMatchObject({
    password: false,
    registration: "closed",
  });
  const { subject, email } = newUser();
  expect((await logIn(only, subject)).body.error).toBe("registration_closed");
  expect(await accountsWith(only, email)).toBe(0);
});

/** Only people with an account can log in, and only with the provider. */
async function closedService() {
  const open = await useTestApp();
  const ada = await registerUser(open, "ada");
  await open.stop();
  const service = await useTestApp(
    { ...settings, OIDC_ONLY: "true", OIDC_CREATE_ACCOUNTS: "false" },
    { dataDir: open.dataDir },
  );
  const admin = clientOf(service.http, ada.token);
  const invite = async (email?: string): Promise<string> =>
    (await admin.post("/api/admin/invitations", { email })).body.url.split("#invitation=")[1];
  return { service, admin, invite };
}

test("with OIDC_ONLY, the link of an invitation creates one account through the provider", async () => {
  const { service, admin, invite } = await closedService();
  const [first, second] = [newUser({ email_verified: false }), newUser()];
  const token = await invite();
  const created = await logIn(service, first.subject, token);
  expect([created.status, created.body.user?.email]).toEqual([200, first.email]);
  expect((await admin.get("/api/admin/invitations")).body.invitations).toEqual([]);
  const again = await logIn(service, second.subject, token);
  expect([again.status, again.body.error]).toEqual([403, "registration_closed"]);
  expect((await logIn(service, first.subject)).status).toBe(200);
});

test("[S22] an invitation for an address is used by the login whose provider verified it, with or without the link", async () => {
  const { service, invite } = await closedService();
  const [invited, linked, other] = [newUser({ email_verified: false }), newUser(), newUser()];
  const token = await invite(invited.email);
  for (const attempt of [
    await logIn(service, invited.subject),
    await logIn(service, invited.subject, token),
    await logIn(service, other.subject, token),
  ])
    expect([attempt.status, attempt.body.error]).toEqual([403, "registration_closed"]);
  expect(await accountsWith(service, other.email)).toBe(0);
  provider.accounts[invited.subject]!.email_verified = true;
  expect((await logIn(service, invited.subject)).status).toBe(200);
  expect((await logIn(service, linked.subject, await invite(linked.email))).status).toBe(200);
});

test("[S22] the first login joins the workspaces that invited its verified address", async () => {
  const { service, admin, invite } = await closedService();
  const { workspace } = (await admin.post("/api/workspaces", { name: "Sales" })).body;
  const invitations = `/api/workspaces/${workspace.id}/invitations`;
  const [verified, unverified] = [newUser(), newUser({ email_verified: false })];
  for (const { email } of [verified, unverified])
    expect((await admin.post(invitations, { role: "operator", email })).status).toBe(201);
  const roles = async (subject: string) => {
    const { token } = (await logIn(service, subject, await invite())).body;
    const { workspaces } = (await clientOf(service.http, token).get("/api/auth/me")).body;
    return workspaces.map(({ name, role }: { name: string; role: string }) => `${name} ${role}`);
  };
  expect(await roles(verified.subject)).toEqual(["Personal owner", "Sales operator"]);
  expect(await roles(unverified.subject)).toEqual(["Personal owner"]);
  expect((await admin.get(invitations)).body.invitations).toHaveLength(1);
  // An invitation that has ended keeps nobody from logging in.
  const late = newUser();
  await admin.post(invitations, { role: "operator", email: late.email });
  const roleOfInviter = (from: string, to: string) =>
    service.sql(
      `update member set role = '${to}' where workspace_id = '${workspace.id}' and role = '${from}'`,
    );
  await roleOfInviter("owner", "viewer");
  expect(await roles(late.subject)).toEqual(["Personal owner"]);
  await roleOfInviter("viewer", "owner");
  const { events } = (await admin.get("/api/audit-events", { "x-workspace": workspace.id })).body;
  expect(events.map(({ action }: { action: string }) => action)).toContain("oidc.acceptInvitation");
});

test("[S22] on a new instance that others can reach, only a mapped administrator may be first", async () => {
  const mapping = JSON.stringify([{ group: "it", administrator: true }]);
  const fresh = await useTestApp({
    ...settings,
    HOST: "0.0.0.0",
    ALLOW_REGISTRATION: "",
    OIDC_ROLE_MAPPING: mapping,
  });
  const [stranger, admin] = [newUser({ groups: ["sales"] }), newUser({ groups: ["it"] })];
  expect((await logIn(fresh, stranger.subject)).body.error).toBe("setup_code_required");
  const isAdministrator = async (subject: string) => {
    const { body } = await logIn(fresh, subject);
    return (await clientOf(fresh.http, body.token).get("/api/auth/me")).body.user.isAdministrator;
  };
  expect(await isAdministrator(admin.subject)).toBe(true);
  expect(await isAdministrator(stranger.subject)).toBe(false);
  // Every login applies the groups again; the last administrator stays one.
  provider.accounts[stranger.subject]!.groups = ["it"];
  expect(await isAdministrator(stranger.subject)).toBe(true);
  provider.accounts[admin.subject]!.groups = [];
  expect(await isAdministrator(admin.subject)).toBe(false);
  provider.accounts[stranger.subject]!.groups = [];
  expect(await isAdministrator(stranger.subject)).toBe(true);
});

test("groups give roles in workspaces at every login, and owners are never changed", async () => {
  const mapping = [
    { group: "readers", workspace: "ws_mapped", role: "viewer" },
    { group: "makers", workspace: "ws_mapped", role: "builder" },
    { group: "readers", workspace: "ws_unknown", role: "viewer" },
  ];
  const mapped = await useTestApp({ ...settings, OIDC_ROLE_MAPPING: JSON.stringify(mapping) });
  const owner = await registerUser(mapped, "owner");
  await mapped.sql(
    "insert into workspace (id, name, kind, created_at) values ('ws_mapped', 'Team', 'team', 0)",
  );
  await mapped.sql(
    `insert into member (workspace_id, user_id, role, created_at) values ('ws_mapped', '${owner.user.id}', 'owner', 0)`,
  );
  const { subject } = newUser({ groups: ["readers", "makers"] });
  const roles = async (who: string) => {
    const { body } = await logIn(mapped, who);
    const { workspaces } = (await clientOf(mapped.http, body.token).get("/api/auth/me")).body;
    return workspaces.map(({ kind, role }: { kind: string; role: string }) => `${kind} ${role}`);
  };
  expect(await roles(subject)).toEqual(["personal owner", "team builder"]);
  provider.accounts[subject]!.groups = ["readers"];
  expect(await roles(subject)).toEqual(["personal owner", "team viewer"]);
  provider.accounts[subject]!.groups = [];
  expect(await roles(subject)).toEqual(["personal owner"]);

  await mapped.sql(`update account set email_confirmed_at = 1 where id = '${owner.user.id}'`);
  const same = newUser({ email: owner.email, groups: ["readers"] });
  expect(await roles(same.subject)).toEqual(["personal owner", "team owner"]);
  provider.accounts[same.subject]!.groups = [];
  expect(await roles(same.subject)).toEqual(["personal owner", "team owner"]);
});

test("what a login of the provider changes is in the audit logs, once, with the provider as the actor", async () => {
  const mapping = [
    { group: "readers", workspace: "ws_logged", role: "viewer" },
    { group: "makers", workspace: "ws_logged", role: "builder" },
    { group: "it", administrator: true },
  ];
  const mapped = await useTestApp({ ...settings, OIDC_ROLE_MAPPING: JSON.stringify(mapping) });
  const owner = await registerUser(mapped, "owner");
  await mapped.sql(
    "insert into workspace (id, name, kind, created_at) values ('ws_logged', 'Team', 'team', 0)",
  );
  await mapped.sql(
    `insert into member (workspace_id, user_id, role, created_at) values ('ws_logged', '${owner.user.id}', 'owner', 0)`,
  );
  const { subject, email } = newUser({ groups: ["readers"] });
  let id = "";
  for (const groups of [["readers"], ["readers"], ["makers", "it"], ["it"], []]) {
    provider.accounts[subject]!.groups = groups;
    ({ id } = (await logIn(mapped, subject)).body.user);
  }
  const actor = { kind: "provider", id: provider.issuer, name: "Example SSO", keyId: null };
  const target = { kind: "member", id, name: email };
  const inTeam = (await inWorkspace(owner, "ws_logged").get("/api/audit-events")).body.events;
  expect(inTeam).toMatchObject([
    { action: "oidc.removeMember", actor, target, before: { role: "builder" }, after: null },
    { action: "oidc.setRole", actor, target, before: { role: "viewer" }, after: { role: "builder" } },
    { action: "oidc.setRole", actor, target, before: null, after: { role: "viewer" } },
  ]);
  const { events } = (await owner.get("/api/admin/audit-events")).body;
  const byProvider = events.filter((event: { actor: { kind: string } }) => event.actor.kind === "provider");
  expect(byProvider).toMatchObject([
    { action: "oidc.setAdministrator", actor, before: { isAdministrator: true } },
    { action: "oidc.setAdministrator", actor, after: { isAdministrator: true } },
    {
      action: "oidc.createAccount",
      actor,
      target: { kind: "account", id, name: provider.accounts[subject]!.name },
      before: null,
      after: { email },
      address: "127.0.0.1",
    },
  ]);

  // The owner is the last administrator now, and the mapping names no group of theirs.
  await mapped.sql(`update account set email_confirmed_at = 1 where id = '${owner.user.id}'`);
  const same = newUser({ email: owner.email });
  expect((await logIn(mapped, same.subject)).status).toBe(200);
  const [, kept, linked] = (await owner.get("/api/admin/audit-events")).body.events;
  expect(kept).toMatchObject({
    action: "oidc.setAdministrator",
    outcome: "failed",
    error: "last_administrator",
  });
  expect(linked).toMatchObject({ action: "oidc.linkAccount", actor, target: { id: owner.user.id } });
});

test("logging out names the logout page of the provider, for its logins only", async () => {
  const { subject } = newUser();
  const { token } = (await logIn(app, subject)).body;
  const out = await clientOf(app.http, token).post("/api/auth/logout");
  const url = new URL(out.body.providerLogoutUrl);
  expect(url.origin).toBe(provider.issuer);
  expect(url.searchParams.get("post_logout_redirect_uri")).toBe("https://baton.example.com");
  expect((await clientOf(app.http, token).get("/api/auth/me")).body.error).toBe("invalid_token");
  const local = await registerUser(app, "local");
  expect((await local.post("/api/auth/logout")).body).toEqual({ ok: true });
});

test("an account without a password is deleted after a recent login, and its identity with it", async () => {
  let offset = 0;
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
  const service = await useTestApp(settings, { clock });
  const { subject } = newUser();
  const remove = (token: string) =>
    clientOf(service.http, token).call("/api/auth/me", { method: "DELETE", body: {} });
  const { token } = (await logIn(service, subject)).body;
  offset = 11 * 60_000;
  expect((await remove(token)).body.error).toBe("invalid_credentials");
  const again = (await logIn(service, subject)).body;
  expect((await remove(again.token)).body).toEqual({ ok: true });
  const fresh = await logIn(service, subject);
  expect([fresh.status, fresh.body.user.id === again.user.id]).toEqual([200, false]);
});

test("without a provider the routes say so, and an unreachable one is 503", async () => {
  const none = await useTestApp();
  expect((await none.anonymous.post("/api/auth/oidc/start")).status).toBe(404);
  const gone = await useTestApp({ ...settings, OIDC_ISSUER: "http://127.0.0.1:9" });
  const { status, body } = await gone.anonymous.post("/api/auth/oidc/start");
  expect([status, body.error]).toEqual([503, "unavailable"]);
});
