import { expect, test } from "vitest";
import { publish } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, ada, ben, eve } = await shareApp(["ada", "ben", "eve"]);

const rolesIn = async (id: string) => {
  const { members } = (await ada.get(`/api/workspaces/${id}/members`)).body;
  return Object.fromEntries(members.map(({ email, role }: any) => [email, role]));
};

test("an invitation works once, shows what it is for, and can be withdrawn", async () => {
  const id = await createTeamWorkspace(ada);
  const invite = async () => (await ada.post(`/api/workspaces/${id}/invitations`, { role: "builder" })).body;
  const { token, url } = await invite();
  expect(url).toMatch(new RegExp(`/invitations/${token}$`));
  expect((await app.anonymous.get(`/api/invitations/${token}`)).body.invitation).toMatchObject({
    workspaceName: "Team",
    inviterName: "ada",
    role: "builder",
  });
  const accepted = await ben.post("/api/invitations/accept", { token });
  expect(accepted.body.workspace).toMatchObject({ id, name: "Team", kind: "team", role: "builder" });
  for (const again of [
    await eve.post("/api/invitations/accept", { token }),
    await app.anonymous.get(`/api/invitations/${token}`),
  ])
    expect([again.status, again.body.error]).toEqual([404, "invitation_not_found"]);

  const open = await invite();
  const { invitations } = (await ada.get(`/api/workspaces/${id}/invitations`)).body;
  expect(invitations).toEqual([open.invitation]);
  expect(JSON.stringify(invitations)).not.toContain(open.token);
  await ada.delete(`/api/workspaces/${id}/invitations/${open.invitation.id}`);
  expect((await eve.post("/api/invitations/accept", { token: open.token })).status).toBe(404);
});

test("of eight people who accept one invitation at once, one joins", async () => {
  const id = await createTeamWorkspace(ada);
  const { token } = (await ada.post(`/api/workspaces/${id}/invitations`, { role: "viewer" })).body;
  const people = await Promise.all(Array.from({ length: 8 }, () => registerUser(app, "guest")));
  const answers = await Promise.all(
    people.map((person) => person.post("/api/invitations/accept", { token })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(Object.keys(await rolesIn(id))).toHaveLength(2);
});

test("an invitation for an email address is refused to other accounts and stays open", async () => {
  const id = await createTeamWorkspace(ada);
  const { token } = (
    await ada.post(`/api/workspaces/${id}/invitations`, { role: "viewer", email: ben.email.toUpperCase() })
  ).body;
  expect((await eve.post("/api/invitations/accept", { token })).body).toMatchObject({ error: "forbidden" });
  expect((await ben.post("/api/invitations/accept", { token })).status).toBe(200);
});

test("an invitation ends when the person who made it is removed, disabled or could no longer give its role", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "owner"]]);
  const members = `/api/workspaces/${id}/members`;
  const invite = async (role: string) =>
    (await ben.post(`/api/workspaces/${id}/invitations`, { role })).body.token as string;
  const [owner, admin] = [await invite("owner"), await invite("admin")];
  const statusOf = async (token: string) => (await app.anonymous.get(`/api/invitations/${token}`)).status;
  const accept = (person: typeof eve, token: string) => person.post("/api/invitations/accept", { token });

  await ada.patch(`${members}/${ben.user.id}`, { role: "admin" });
  expect([await statusOf(owner), await statusOf(admin)]).toEqual([404, 200]);
  expect((await accept(eve, owner)).status).toBe(404);
  await ada.patch(`${members}/${ben.user.id}`, { role: "builder" });
  expect(await statusOf(admin)).toBe(404);
  expect((await ada.get(`/api/workspaces/${id}/invitations`)).body.invitations).toEqual([]);

  await ada.patch(`${members}/${ben.user.id}`, { role: "admin" });
  await app.sql(`update account set disabled_at = 1 where id = '${ben.user.id}'`);
  expect(await statusOf(admin)).toBe(404);
  await app.sql(`update account set disabled_at = null where id = '${ben.user.id}'`);
  expect(await statusOf(admin)).toBe(200);

  await ada.delete(`${members}/${ben.user.id}`);
  expect((await accept(ben, admin)).body.error).toBe("invitation_not_found");
  expect(Object.keys(await rolesIn(id))).toEqual([ada.email]);
});

test("a member who accepts again keeps their role and the invitation", async () => {
  const id = await createTeamWorkspace(ada);
  const { token } = (await ada.post(`/api/workspaces/${id}/invitations`, { role: "viewer" })).body;
  expect((await ada.post("/api/invitations/accept", { token })).body.workspace.role).toBe("owner");
  expect((await ben.post("/api/invitations/accept", { token })).body.workspace.role).toBe("viewer");
});

test("admins manage members up to admin; only owners manage owners", async () => {
  const id = await createTeamWorkspace(ada, [
    [ben, "admin"],
    [eve, "viewer"],
  ]);
  const role = (person: typeof ada, of: typeof ada, wanted: string) =>
    person.patch(`/api/workspaces/${id}/members/${of.user.id}`, { role: wanted });
  expect((await role(ben, eve, "admin")).body.member).toMatchObject({ email: eve.email, role: "admin" });
  expect((await role(ben, eve, "owner")).status).toBe(403);
  expect((await role(ben, ada, "viewer")).status).toBe(403);
  expect((await ben.delete(`/api/workspaces/${id}/members/${ada.user.id}`)).status).toBe(403);
  expect((await ben.post(`/api/workspaces/${id}/invitations`, { role: "owner" })).status).toBe(403);
  expect((await ben.delete(`/api/workspaces/${id}`)).status).toBe(403);
  expect((await ben.patch(`/api/workspaces/${id}`, { name: "Renamed" })).body.workspace.name).toBe("Renamed");
  expect((await role(ada, eve, "owner")).body.member.role).toBe("owner");
  expect((await role(ben, ben, "viewer")).status).toBe(200);
  expect((await role(ben, ben, "admin")).status).toBe(403);
  const stranger = await registerUser(app, "stranger");
  expect((await role(ada, stranger, "viewer")).body.error).toBe("member_not_found");
});

test("the last owner can neither leave nor be removed nor lose the role; after a transfer they can", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "viewer"]]);
  const me = `/api/workspaces/${id}/members/${ada.user.id}`;
  for (const refused of [
    await ada.post(`/api/workspaces/${id}/leave`),
    await ada.delete(me),
    await ada.patch(me, { role: "admin" }),
  ])
    expect([refused.status, refused.body.error]).toEqual([409, "last_owner"]);
  await ada.patch(`/api/workspaces/${id}/members/${ben.user.id}`, { role: "owner" });
  const left = await Promise.all([
    ada.post(`/api/workspaces/${id}/leave`),
    ben.post(`/api/workspaces/${id}/leave`),
  ]);
  expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("a personal workspace has one member: nobody is invited, nobody leaves, and it is not deleted alone", async () => {
  const id = ada.user.id;
  for (const refused of [
    await ada.post(`/api/workspaces/${id}/invitations`, { role: "viewer" }),
    await ada.post(`/api/workspaces/${id}/leave`),
    await ada.patch(`/api/workspaces/${id}`, { name: "Mine" }),
    await ada.delete(`/api/workspaces/${id}`),
  ])
    expect([refused.status, refused.body.error]).toEqual([409, "personal_workspace"]);
});

test("a removed member loses access at once, with the keys they created and nothing else", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "admin"]]);
  const theirs = inWorkspace(ben, id);
  const { rawKey } = (await theirs.post("/api/keys", {})).body;
  const kept = (await inWorkspace(ada, id).post("/api/keys", {})).body.rawKey;
  const { id: workflowId } = await publish(inWorkspace(ada, id));
  const call = (key: string) =>
    app.anonymous.post(`/api/workflows/public/${workflowId}`, {}, { authorization: `Bearer ${key}` });
  expect((await call(rawKey)).status).toBe(200);
  expect((await theirs.get("/api/workflows")).body.workflows).toHaveLength(1);
  await ada.delete(`/api/workspaces/${id}/members/${ben.user.id}`);
  expect((await theirs.get("/api/workflows")).status).toBe(403);
  expect((await call(rawKey)).status).toBe(401);
  expect((await call(kept)).status).toBe(200);
});

test("a deleted team workspace is closed at once, and nothing of it stays", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "admin"]]);
  const team = inWorkspace(ada, id);
  const { rawKey } = (await team.post("/api/keys", { scopes: ["endpoints", "mcp"] })).body;
  const { id: workflowId } = await publish(team, { authentication: false });
  await team.put("/api/variables/region", { value: "eu" });
  expect((await ada.delete(`/api/workspaces/${id}`)).status).toBe(200);
  expect((await inWorkspace(ben, id).get("/api/workflows")).status).toBe(403);
  const mcp = await app.anonymous.post("/mcp", {}, { authorization: `Bearer ${rawKey}` });
  expect(mcp.status).toBe(401);
  await expect
    .poll(() => app.sql(`select id from workspace where id = '${id}'`), { timeout: 20_000 })
    .toEqual([]);
  expect(await app.sql(`select id from workflow where owner_id = '${id}'`)).toEqual([]);
  expect(await app.sql(`select user_id from member where workspace_id = '${id}'`)).toEqual([]);
  expect((await app.anonymous.post(`/api/workflows/public/${workflowId}`)).status).toBe(404);
  expect((await ada.get("/api/auth/me")).body.workspaces.map((workspace: any) => workspace.id)).not.toContain(
    id,
  );
});

test("the only owner of a workspace with others cannot delete the account; after a transfer the workspace stays", async () => {
  const leaver = await registerUser(app, "leaver");
  const shared = await createTeamWorkspace(leaver, [[ben, "builder"]]);
  const alone = await createTeamWorkspace(leaver);
  await inWorkspace(leaver, shared).post("/api/workflows", { name: "Stays", metadata: chain("a") });
  const remove = () => leaver.call("/api/auth/me", { method: "DELETE", body: { password: leaver.password } });
  const refused = await remove();
  expect([refused.status, refused.body.error, refused.body.details]).toEqual([
    409,
    "last_owner",
    { workspaces: [{ id: shared, name: "Team" }] },
  ]);
  expect((await leaver.get("/api/auth/me")).status).toBe(200);
  await leaver.patch(`/api/workspaces/${shared}/members/${ben.user.id}`, { role: "owner" });
  expect((await remove()).status).toBe(200);
  await expect
    .poll(() => app.sql(`select id from workspace where id in ('${alone}', '${leaver.user.id}')`), {
      timeout: 20_000,
    })
    .toEqual([]);
  expect((await inWorkspace(ben, shared).get("/api/workflows")).body.workflows).toHaveLength(1);
  expect((await ben.get(`/api/workspaces/${shared}/members`)).body.members).toHaveLength(1);
});
