import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { useProcessGroup } from "./processes/several.ts";
import { clientOf } from "./support/client.ts";
import { publish } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { connectApp } from "./support/oauth.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const url = ({ user }: RegisteredUser) => `/api/admin/users/${user.id}`;
const logIn = (app: TestApp, { email, password }: RegisteredUser) =>
  app.anonymous.post("/api/auth/login", { email, password });

async function setUp(settings: Record<string, string> = {}) {
  const app = await useTestApp(settings);
  const ada = await registerUser(app, "ada");
  return { app, ada, ben: await registerUser(app, "ben"), cy: await registerUser(app, "cy") };
}

test("administrators list accounts, search them and page through them", async () => {
  const { app, ada, ben, cy } = await setUp();
  await createTeamWorkspace(ben, [[cy, "viewer"]]);
  await app.sql(`insert into second_factor (user_id, secret, enabled_at) values ('${cy.user.id}', 'x', 1)`);
  const { users, nextCursor } = (await ada.get("/api/admin/users")).body;
  expect(nextCursor).toBeNull();
  expect(users).toMatchObject([
    { email: cy.email, isAdministrator: false, twoFactor: true, workspaces: 2, disabledAt: null },
    { email: ben.email, name: "ben", twoFactor: false, workspaces: 2, providerOnly: false },
    { email: ada.email, isAdministrator: true, workspaces: 1, lastLoginAt: expect.stringMatching(/Z$/) },
  ]);
  expect(JSON.stringify(users)).not.toMatch(/password|hash/i);

  const page = (await ada.get("/api/admin/users?limit=2")).body;
  const rest = (await ada.get(`/api/admin/users?limit=2&cursor=${page.nextCursor}`)).body;
  expect([...page.users, ...rest.users]).toEqual(users);
  const found = async (query: string) =>
    (await ada.get(`/api/admin/users?${query}`)).body.users.map(({ name }: any) => name);
  expect(await found("search=BEN")).toEqual(["ben"]);
  expect(await found("search=ben-%25")).toEqual([]);
  expect(await found("search=_da")).toEqual([]);
  await ada.patch(url(ben), { disabled: true });
  expect([await found("status=disabled"), await found("status=active")]).toEqual([["ben"], ["cy", "ada"]]);
});

test("[S22] nobody but administrators reaches accounts and invitations, and nothing leaks", async () => {
  const { ada, ben, cy } = await setUp();
  const { rawKey } = (await ada.post("/api/keys", { scopes: ["workspace:write"] })).body;
  const { invitation } = (await ada.post("/api/admin/invitations", {})).body;
  const calls = (caller: Pick<RegisteredUser, "call">) =>
    (
      [
        ["GET", "/api/admin/users"],
        ["GET", url(cy)],
        ["PATCH", url(cy), { disabled: true }],
        ["DELETE", `${url(cy)}?deleteRecords=true`],
        ["GET", "/api/admin/invitations"],
        ["POST", "/api/admin/invitations", {}],
        ["DELETE", `/api/admin/invitations/${invitation.id}`],
      ] as const
    ).map(([method, path, body]) => caller.call(path, { method, body }));
  const headers = { authorization: `Bearer ${rawKey}` };
  const withKey: Pick<RegisteredUser, "call"> = {
    call: (path, options) => cy.call(path, { ...options, headers }),
  };
  for (const { status, body, text } of await Promise.all([...calls(ben), ...calls(withKey)])) {
    expect([status, body.error]).toEqual([403, "forbidden"]);
    expect(text).not.toContain("@example.com");
  }
  expect((await cy.get("/api/auth/me")).status).toBe(200);
  expect((await ada.get("/api/admin/users/user_unknown")).body.error).toBe("user_not_found");
});

test("[S22] a disabled account cannot log in, and its logins, keys and apps stop until it is enabled", async () => {
  const { app, ada, ben } = await setUp();
  await publish(ben, { endpointName: "orders" });
  const scopes = ["endpoints", "workflows:read"];
  const { rawKey } = (await ben.post("/api/keys", { scopes })).body;
  const { serviceAccount } = (await ben.post("/api/service-accounts", { name: "Bot", role: "admin" })).body;
  const bot = (await ben.post("/api/keys", { scopes, serviceAccountId: serviceAccount.id })).body.rawKey;
  const { tokens } = await connectApp(ben);
  const team = await createTeamWorkspace(ada, [[ben, "admin"]]);
  const teamKey = (await inWorkspace(ben, team).post("/api/keys", { scopes })).body.rawKey;
  const list = async (key: string) => (await clientOf(app.http, key).get("/api/workflows")).status;
  const call = async (key: string) =>
    (await clientOf(app.http, key).post("/api/workflows/public/orders", { input: {} })).status;
  const mcp = async () =>
    (
      await clientOf(app.http, tokens.access_token).post("/mcp", {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/list",
        params: {},
      })
    ).status;
  const states = async () => [
    await list(rawKey),
    await list(bot),
    await list(teamKey),
    await call(rawKey),
    await call(bot),
    await mcp(),
  ];
  expect(await states()).toEqual([200, 200, 200, 200, 200, 200]);

  const disabled = (await ada.patch(url(ben), { disabled: true })).body.user;
  expect(disabled.disabledAt).toMatch(/Z$/);
  expect(await states()).toEqual([401, 401, 401, 401, 401, 401]);
  expect((await ben.get("/api/auth/me")).body.error).toBe("invalid_token");
  const refused = await logIn(app, ben);
  expect([refused.status, refused.body.error]).toEqual([403, "account_disabled"]);
  const wrong = await logIn(app, { ...ben, password: "a wrong one" });
  expect(wrong.body.error).toBe("invalid_credentials");

  expect((await ada.patch(url(ben), { disabled: false })).body.user.disabledAt).toBeNull();
  expect(await states()).toEqual([200, 200, 200, 200, 200, 200]);
  // Logins have ended for good.
  expect((await ben.get("/api/auth/me")).body.error).toBe("invalid_token");
  expect((await logIn(app, ben)).status).toBe(200);
});

test("nothing starts in the personal workspace of a disabled account; runs that have begun go on", async () => {
  const { app, ada, ben } = await setUp();
  const open = await publish(ben, { endpointName: "open", authentication: false });
  const steps = [
    { stepId: "ask", type: "approval", message: "Go on?", timeoutMs: 1500, onTimeout: "approve" },
    { stepId: "child", type: "workflow", workflowId: open.id, input: {} },
  ];
  const edges = [{ id: "e", source: "ask", target: "child" }];
  const { workflow } = (await ben.post("/api/workflows", { name: "Asks", metadata: { steps, edges } })).body;
  const hook = { name: "Hook", source: "hook", workflowId: open.id };
  const { webhook } = (await ben.post("/api/webhooks", hook)).body;
  const { team } = (await ben.post("/api/agent-teams", { name: "Desk", externalAgents: [{ name: "scout" }] }))
    .body;
  const { sessionId } = (await ben.post(`/api/agent-teams/${team.id}/run`, { objective: "Look" })).body;
  const { taskId } = (await ben.post(`/api/workflows/${workflow.id}/run`, {})).body;

  await ada.patch(url(ben), { disabled: true });
  const calls = async () => {
    const responses = [
      await app.anonymous.post("/api/workflows/public/open", { input: {} }),
      await app.anonymous.post("/webhook/hook", {}, { "x-webhook-secret": webhook.secret }),
      await app.anonymous.post(
        `/webhook/a2a/${team.id}`,
        { sessionId, from: { id: "scout", type: "external" }, content: { result: "Hello" } },
        { "x-a2a-secret": team.a2aSecret },
      ),
    ];
    return responses.map(({ status, body }) => `${status} ${body.error}`);
  };
  expect(await calls()).toEqual(Array(3).fill("403 account_disabled"));
  // With what it starts.
  await expect
    .poll(async () => (await app.sql(`select status from task where id = '${taskId}'`))[0]?.["status"])
    .toBe("completed");

  await ada.patch(url(ben), { disabled: false });
  expect(await calls()).toEqual(Array(3).fill("200 undefined"));
});

test("[S22] disabling ends sockets and streams in every process", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("all"), await several.join("all")];
  const [ada, ben] = [await registerUser(one, "ada"), await registerUser(one, "ben")];
  const address = await two.listen();
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const metadata = { steps, edges: [] };
  const { workflow } = (await ben.post("/api/workflows", { name: "Asks", metadata })).body;
  const { taskId } = (await ben.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const { rawKey } = (await ben.post("/api/keys", { scopes: ["runs:read"] })).body;
  const open = await publish(ben, { authentication: false });
  const socket = io(address, { auth: { token: ben.token }, transports: ["websocket"], reconnection: false });
  onTestFinished(() => void socket.close());
  await new Promise((resolve) => socket.on("connect", () => resolve(undefined)));
  const disconnected = new Promise((resolve) => socket.on("disconnect", resolve));
  async function follow(credential: string): Promise<{ ended: Promise<void> }> {
    const headers = { authorization: `Bearer ${credential}` };
    const response = await fetch(`${address}/api/tasks/${taskId}/events`, { headers });
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    await reader.read();
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    return { ended: readAll().catch(() => undefined) };
  }
  const streams = [await follow(ben.token), await follow(rawKey)];
  await ada.patch(url(ben), { disabled: true });
  await Promise.all([disconnected, ...streams.map(({ ended }) => ended)]);
  expect((await clientOf(two.http, ben.token).get("/api/auth/me")).status).toBe(401);
  // The other process is notified asynchronously.
  const errorOfCall = async () =>
    (await two.anonymous.post(`/api/workflows/public/${open.id}`, { input: {} })).body.error;
  await expect.poll(errorOfCall, { timeout: 20_000 }).toBe("account_disabled");
});

test("[S22] two first registrations at once make one administrator", async () => {
  const several = await useProcessGroup();
  const apps = [await several.join("api"), await several.join("api")];
  const users = await Promise.all(
    Array.from({ length: 8 }, (_, index) => registerUser(apps[index % 2]!, "first")),
  );
  const accounts = await Promise.all(users.map((user) => user.get("/api/auth/me")));
  expect(accounts.filter(({ body }) => body.user.isAdministrator)).toHaveLength(1);
});

test("the last administrator who can log in stays one, also when two remove each other at once", async () => {
  const { app, ada, ben } = await setUp();
  for (const change of [{ disabled: true }, { isAdministrator: false }]) {
    const refused = await ada.patch(url(ada), change);
    expect([refused.status, refused.body.error]).toEqual([409, "last_administrator"]);
  }
  const deleted = await ada.delete(`${url(ada)}?deleteRecords=true`);
  expect(deleted.body.error).toBe("last_administrator");
  expect((await ada.patch(url(ben), { isAdministrator: true })).body.user.isAdministrator).toBe(true);
  const both = await Promise.all([
    ada.patch(url(ben), { isAdministrator: false }),
    ben.patch(url(ada), { disabled: true }),
  ]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const [row] = await app.sql(
    "select count(*) as n from account where is_administrator = 1 and disabled_at is null",
  );
  expect(Number(row?.["n"])).toBe(1);
});

test("a dry run reports what the deletion of an account does, and changes nothing", async () => {
  const { ada, ben, cy } = await setUp();
  await ben.post("/api/workflows", { name: "Report", metadata: chain("a") });
  await ben.post("/api/keys", {});
  const [held, kept] = [
    await createTeamWorkspace(ben, [[cy, "viewer"]]),
    await createTeamWorkspace(cy, [[ben, "builder"]]),
  ];
  const alone = await createTeamWorkspace(ben);
  const report = async (query: string) => (await ada.delete(`${url(ben)}?dryRun=true${query}`)).body;
  const { dryRun, deletion } = await report("");
  expect(dryRun).toBe(true);
  expect(deletion).toMatchObject({
    records: { workflows: 1, runs: 0, schedules: 0 },
    apiKeys: 1,
    connectedApps: 0,
  });
  const outcomes = ({ workspaces }: any) =>
    Object.fromEntries(workspaces.map(({ id, outcome }: any) => [id, outcome]));
  expect(outcomes(deletion)).toEqual({
    [ben.user.id]: "deleted",
    [held]: "needs_owner",
    [kept]: "kept",
    [alone]: "deleted",
  });
  expect(outcomes((await report(`&transferTo=${cy.user.id}`)).deletion)).toEqual({
    [ben.user.id]: "transferred",
    [held]: "transferred",
    [kept]: "kept",
    [alone]: "transferred",
  });
  expect((await ben.get("/api/workflows")).body.workflows).toHaveLength(1);
  const recorded = async () =>
    (await ada.get("/api/admin/audit-events?action=deleteUser")).body.events.length;
  expect(await recorded()).toBe(0);

  const neither = await ada.delete(url(ben));
  expect([neither.status, neither.body.error]).toEqual([400, "invalid_request"]);
  const refused = await ada.delete(`${url(ben)}?deleteRecords=true`);
  expect(await recorded()).toBe(2);
  expect([refused.status, refused.body.error]).toEqual([409, "last_owner"]);
  expect(refused.body.details.workspaces).toEqual([{ id: held, name: "Team" }]);
  for (const to of ["user_unknown", ben.user.id])
    expect((await ada.delete(`${url(ben)}?transferTo=${to}`)).body.error).toBe("invalid_request");
});

test("a deleted account leaves its records to a user, under the same ids and addresses", async () => {
  const { app, ada, ben, cy } = await setUp();
  const workflow = await publish(ben, { endpointName: "orders", authentication: false });
  const { rawKey } = (await ben.post("/api/keys", { scopes: ["workflows:read"] })).body;
  const held = await createTeamWorkspace(ben, [[cy, "viewer"]]);
  const alone = await createTeamWorkspace(ben);
  const done = await ada.delete(`${url(ben)}?transferTo=${cy.user.id}`);
  expect([done.status, done.body.dryRun]).toEqual([200, false]);

  expect((await ben.get("/api/auth/me")).status).toBe(401);
  expect((await clientOf(app.http, rawKey).get("/api/workflows")).status).toBe(401);
  expect((await ada.get(url(ben))).body.error).toBe("user_not_found");
  const { workspaces } = (await cy.get("/api/auth/me")).body;
  expect(workspaces).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: ben.user.id, kind: "team", role: "owner", name: "ben (transferred)" }),
      expect.objectContaining({ id: held, role: "owner" }),
      expect.objectContaining({ id: alone, role: "owner" }),
    ]),
  );
  const moved = inWorkspace(cy, ben.user.id);
  expect((await moved.get(`/api/workflows/${workflow.id}`)).body.workflow.id).toBe(workflow.id);
  expect((await app.anonymous.post("/api/workflows/public/orders", { input: { n: 1 } })).status).toBe(200);
  // It is a team workspace like any other: with invitations and members.
  const { url: link } = (await moved.post(`/api/workspaces/${ben.user.id}/invitations`, { role: "viewer" }))
    .body;
  expect(link).toContain("/invitations/");
  // The address is free.
  const again = await app.anonymous.post("/api/auth/register", {
    email: ben.email,
    password: "another password",
  });
  expect(again.status).toBe(201);
  for (const table of ["login_session", "member", "oauth_grant"])
    expect(await app.sql(`select 1 from ${table} where user_id = '${ben.user.id}'`)).toEqual([]);
});

test("a deleted account leaves its records to the members of a workspace, with their roles", async () => {
  const { ada, ben, cy } = await setUp();
  await ben.post("/api/workflows", { name: "Report", metadata: chain("a") });
  const team = await createTeamWorkspace(ada, [[cy, "viewer"]]);
  expect((await ada.delete(`${url(ben)}?transferTo=${team}`)).status).toBe(200);
  const member = inWorkspace(cy, ben.user.id);
  expect((await member.get("/api/workflows")).body.workflows).toHaveLength(1);
  expect((await member.post("/api/workflows", { name: "X", metadata: chain("a") })).status).toBe(403);
  expect(
    (await inWorkspace(ada, ben.user.id).post("/api/workflows", { name: "X", metadata: chain("a") })).status,
  ).toBe(201);
});

test("an account is deleted with its records", async () => {
  const { app, ada, ben } = await setUp();
  await ben.post("/api/workflows", { name: "Report", metadata: chain("a") });
  expect((await ada.delete(`${url(ben)}?deleteRecords=true`)).status).toBe(200);
  expect((await ben.get("/api/auth/me")).status).toBe(401);
  await expect
    .poll(() => app.sql(`select 1 from account where id = '${ben.user.id}'`), { timeout: 30_000 })
    .toEqual([]);
  expect(await app.sql(`select 1 from workflow where owner_id = '${ben.user.id}'`)).toEqual([]);
});
