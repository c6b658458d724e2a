import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clientOf } from "./support/client.ts";
import { bearer, createKey, echoGraph, publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";
import { addTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);

async function makeTeam() {
  const id = await addTeamWorkspace(app, [
    [alice, "owner"],
    [bob, "admin"],
  ]);
  return { id, alice: inWorkspace(alice, id), bob: inWorkspace(bob, id) };
}

async function createAccount(owner: typeof alice, role: string): Promise<string> {
  const { status, body } = await owner.post("/api/service-accounts", { name: "Deployments", role });
  expect(status).toBe(201);
  return body.serviceAccount.id;
}

test("a service account is created, listed with the members, renamed and deleted", async () => {
  const team = await makeTeam();
  const id = await createAccount(team.alice, "builder");
  const shown = { id, name: "Deployments", role: "builder", createdAt: expect.stringMatching(/Z$/) };
  expect(id).toMatch(/^sa_/);
  expect((await team.bob.get("/api/service-accounts")).body).toEqual({
    ok: true,
    serviceAccounts: [shown],
    nextCursor: null,
  });
  const members = (await alice.get(`/api/workspaces/${team.id}/members`)).body;
  expect(members.members).toHaveLength(2);
  expect(members.serviceAccounts).toEqual([shown]);
  const renamed = await team.alice.patch(`/api/service-accounts/${id}`, { name: "Releases" });
  expect(renamed.body.serviceAccount).toEqual({ ...shown, name: "Releases" });
  const promoted = await team.alice.patch(`/api/service-accounts/${id}`, { role: "admin" });
  expect(promoted.body.serviceAccount).toEqual({ ...shown, name: "Releases", role: "admin" });
  for (const body of [{ name: "X", role: "owner" }, { name: "", role: "viewer" }, { role: "viewer" }])
    expect((await team.alice.post("/api/service-accounts", body)).status).toBe(400);
  expect((await team.alice.delete(`/api/service-accounts/${id}`)).body).toEqual({ ok: true });
  expect((await team.alice.delete(`/api/service-accounts/${id}`)).body.error).toBe(
    "service_account_not_found",
  );
  expect((await team.bob.get("/api/service-accounts")).body.serviceAccounts).toEqual([]);
});

test("[S16] only the service account that created a connection, and admins, manage it", async () => {
  const team = await makeTeam();
  const open = async () => {
    const serviceAccountId = await createAccount(team.alice, "builder");
    const scopes = ["connections:read", "connections:write"];
    const { rawKey } = await createKey(team.alice, { scopes, serviceAccountId });
    return { serviceAccountId, key: clientOf(app.http, rawKey) };
  };
  const [creator, other] = [await open(), await open()];
  const { connection } = (
    await creator.key.post("/api/connections", {
      name: "Billing",
      kind: "bearer",
      hosts: ["api.example.com"],
      secrets: { token: "hush" },
    })
  ).body;
  expect(connection).toMatchObject({ createdBy: creator.serviceAccountId, canManage: true });
  const rename = (key: ReturnType<typeof clientOf>) =>
    key.patch(`/api/connections/${connection.id}`, { name: "Mine" });
  expect((await rename(other.key)).status).toBe(403);
  expect((await rename(creator.key)).status).toBe(200);
});

test("[S16] its keys act with its role at that moment, and open nothing once it is deleted", async () => {
  const team = await makeTeam();
  const id = await createAccount(team.alice, "builder");
  const { rawKey } = await createKey(team.alice, {
    scopes: ["workflows:write", "endpoints"],
    serviceAccountId: id,
  });
  const [listed] = (await team.alice.get(`/api/keys?serviceAccountId=${id}`)).body.keys;
  expect(listed).toMatchObject({
    createdBy: { id: alice.user.id, name: "alice" },
    serviceAccount: { id, name: "Deployments" },
  });
  expect((await team.alice.get("/api/keys?serviceAccountId=sa_other")).body.keys).toEqual([]);
  const key = clientOf(app.http, rawKey);
  const workflow = await publish(key);
  expect(workflow.ownerId).toBe(team.id);
  const { versions } = (await key.get(`/api/workflows/${workflow.id}/versions`)).body;
  expect(versions).toMatchObject([{ createdBy: id }]);
  const call = () => app.anonymous.post(`/api/workflows/public/${workflow.id}`, {}, bearer(rawKey));
  expect((await call()).status).toBe(200);

  await team.alice.patch(`/api/service-accounts/${id}`, { role: "viewer" });
  expect((await key.get("/api/workflows")).status).toBe(200);
  expect((await key.post("/api/workflows", { name: "X", metadata: echoGraph })).body.error).toBe("forbidden");
  expect((await call()).body.error).toBe("forbidden");

  await team.alice.patch(`/api/service-accounts/${id}`, { role: "builder" });
  await team.alice.delete(`/api/service-accounts/${id}`);
  expect((await key.get("/api/workflows")).body.error).toBe("invalid_token");
  expect((await call()).body.error).toBe("invalid_api_key");
  expect((await team.alice.get("/api/keys")).body.keys[0]).toMatchObject({
    revokedAt: expect.stringMatching(/Z$/),
    serviceAccount: { id, name: null },
  });
});

test("its keys stay when the person who created them is removed, and their own keys end", async () => {
  const team = await makeTeam();
  const id = await createAccount(team.bob, "admin");
  const scopes = ["workspace:write"];
  const { rawKey } = await createKey(team.bob, { scopes, serviceAccountId: id });
  const { rawKey: own } = await createKey(team.bob, { scopes });
  expect((await alice.delete(`/api/workspaces/${team.id}/members/${bob.user.id}`)).status).toBe(200);
  expect((await clientOf(app.http, own).get("/api/keys")).status).toBe(401);
  const key = clientOf(app.http, rawKey);
  expect((await key.get("/api/keys")).status).toBe(200);
  // A key that it creates acts as the same service account.
  const made = await key.post("/api/keys", { scopes: ["workspace:read"] });
  expect(made.body.apiKey).toMatchObject({ createdBy: null, serviceAccount: { id } });
  expect((await clientOf(app.http, made.body.rawKey).get("/api/keys")).status).toBe(200);
});

test("its keys read and rename the workspace", async () => {
  const team = await makeTeam();
  const scopes = ["workspace:write"];
  const { rawKey } = await createKey(team.alice, {
    scopes,
    serviceAccountId: await createAccount(team.alice, "admin"),
  });
  const key = clientOf(app.http, rawKey);
  const url = `/api/workspaces/${team.id}`;
  expect((await key.get(url)).body.workspace).toMatchObject({ id: team.id, role: "admin" });
  expect((await key.patch(url, { name: "Renamed" })).body.workspace.name).toBe("Renamed");
});

test("a key of another workspace's service account cannot be created", async () => {
  const team = await makeTeam();
  const id = await createAccount(team.alice, "viewer");
  const given = { scopes: ["workflows:read"], serviceAccountId: id };
  expect((await alice.post("/api/keys", given)).body.error).toBe("forbidden");
  const unknown = { ...given, serviceAccountId: "sa_00000000000000000000000000000" };
  expect((await alice.post("/api/keys", unknown)).body.error).toBe("service_account_not_found");
});

test("CI deploys a workflow with a key and no password, as the docs show", async () => {
  const id = await createAccount(alice, "builder");
  const { rawKey } = await createKey(alice, {
    scopes: ["workflows:write", "runs:write"],
    serviceAccountId: id,
  });
  const ci = clientOf(app.http, rawKey);
  const { workflow } = (await ci.post("/api/workflows", { name: "Greet", metadata: { steps: [] } })).body;
  const step = { stepId: "greet", type: "transform", template: "Hello {{input.name}}" };
  const files: Record<string, object> = { "workflow.json": { metadata: { steps: [step], edges: [] } } };

  const page = await readFile(new URL("../docs/build/clients.md", import.meta.url), "utf8");
  const script = page.split("### Deploy workflows from CI")[1]!.split("```")[1]!;
  const commands = [
    ...script.matchAll(/^api "(?<path>\S+)"(?: -X (?<method>\w+))? --data(?:-binary)? (?<data>.+)$/gm),
  ];
  expect(commands).toHaveLength(3);
  const answers: unknown[] = [];
  for (const { groups } of commands) {
    const { path, method = "POST", data } = groups as { path: string; method?: string; data: string };
    const body = data.startsWith("@") ? files[data.slice(1)] : JSON.parse(data.slice(1, -1));
    const answer = await ci.call(path.replace("$WORKFLOW_ID", workflow.id), { method, body });
    expect([path, answer.status]).toEqual([path, 200]);
    answers.push(answer.body);
  }
  expect(answers[2]).toMatchObject({ ok: true, result: { output: "Hello CI" } });
  expect((await alice.get(`/api/workflows/${workflow.id}`)).body.workflow.metadata.steps).toMatchObject([
    step,
  ]);
});
