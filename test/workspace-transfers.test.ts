import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { ada, ben, eve } = await shareApp(["ada", "ben", "eve"]);

/** A workflow that refers to a connection, two variables and another workflow, and is started by a schedule. */
async function makeWorkflow(owner: typeof ada) {
  const given = { name: "CRM", kind: "bearer", secrets: { token: "hush" }, hosts: ["crm.example"] };
  const { connection } = (await owner.post("/api/connections", given)).body;
  await owner.put("/api/variables/region", { value: "eu" });
  await owner.put("/api/variables/token", { value: "s3cret", secret: true });
  const part = (await owner.post("/api/workflows", { name: "Part" })).body.workflow;
  const steps = [
    { stepId: "call", type: "http", url: "https://crm.example/{{vars.region}}", connection: connection.id },
    { stepId: "sign", type: "transform", template: "{{secrets.token}} {{input.text}}" },
    { stepId: "part", type: "workflow", workflowId: part.id },
  ];
  const metadata = { steps, edges: [{ id: "e", source: "call", target: "sign" }] };
  const created = await owner.post("/api/workflows", {
    name: "Sync",
    metadata,
    apiSettings: { enabled: true },
    settings: { timeoutMs: 60_000, concurrency: { limit: 1, whenFull: "skip" } },
  });
  expect(created.status).toBe(201);
  const { id } = created.body.workflow;
  await owner.patch(`/api/workflows/${id}`, { description: "Second version" });
  await owner.post("/api/schedules", { workflowId: id, cron: "0 3 * * *" });
  return { id, connectionId: connection.id, partId: part.id };
}

test("a copy has the history and no credential, and the report names what the other workspace lacks", async () => {
  const target = await createTeamWorkspace(ada);
  await inWorkspace(ada, target).put("/api/variables/region", { value: "us" });
  const { id, connectionId, partId } = await makeWorkflow(ada);
  const needed = {
    connections: [{ id: connectionId, name: "CRM" }],
    variables: ["token"],
    workflows: [{ id: partId, name: "Part" }],
    agents: [],
    documents: [],
    collections: [],
    mcpServers: [],
    apps: [],
    webhooks: [],
    schedules: [{ id: expect.stringMatching(/^sch_/), name: expect.any(String) }],
    triggers: [],
    endpoint: true,
  };
  const dry = await ada.post(`/api/workflows/${id}/copy?dryRun=true`, { workspaceId: target });
  expect(dry.body).toEqual({ ok: true, id: null, workflowId: null, needed, conflicts: [] });
  expect((await inWorkspace(ada, target).get("/api/workflows")).body.workflows).toEqual([]);
  expect((await ada.get(`/api/audit-events?action=copyWorkflow&target=${id}`)).body.events).toEqual([]);

  const copied = await ada.post(`/api/workflows/${id}/copy`, { workspaceId: target });
  expect(copied.body.needed).toEqual(needed);
  const there = inWorkspace(ada, target);
  const { workflow } = (await there.get(`/api/workflows/${copied.body.workflowId}`)).body;
  expect(workflow).toMatchObject({
    ownerId: target,
    name: "Sync",
    apiSettings: { enabled: false },
    settings: { timeoutMs: 60_000, concurrency: { limit: 1, whenFull: "skip" } },
  });
  expect((await there.get(`/api/workflows/${workflow.id}/versions`)).body.versions).toHaveLength(3);
  expect((await there.get("/api/connections")).body.connections).toEqual([]);
  expect((await there.get("/api/variables")).text).not.toContain("s3cret");
  expect((await ada.get(`/api/workflows/${id}`)).status).toBe(200);
  expect((await there.get(`/api/workflows/${id}`)).body.message).toBe(
    "This workflow belongs to another account or workspace. Use one of this workspace, or switch to the other.",
  );
});

test("a copy of an unpublished workflow is unpublished, and has its draft", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const { id } = (await ada.post("/api/workflows", { name: "New", published: false })).body.workflow;
  await ada.put("/api/variables/greeting", { value: "Hello" });
  const steps = [{ stepId: "say", type: "transform", template: "{{vars.greeting}}" }];
  await ada.put(`/api/workflows/${id}/draft`, { description: "Greets", metadata: { steps, edges: [] } });
  const { workflowId, needed } = (await ada.post(`/api/workflows/${id}/copy`, { workspaceId: target })).body;
  const copy = (await there.get(`/api/workflows/${workflowId}`)).body.workflow;
  expect(copy).toMatchObject({ version: 0, published: false });
  const { draft } = (await there.get(`/api/workflows/${workflowId}/draft`)).body;
  expect(draft).toMatchObject({ name: "New", description: "Greets", metadata: { steps } });
  expect(needed.variables).toEqual(["greeting"]);
});

test("a copy has no error workflow of the former workspace; a move keeps it, so that it can follow", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const alarm = (await ada.post("/api/workflows", { name: "Alarm" })).body.workflow;
  const settings = { timeoutMs: 60_000, errorWorkflowId: alarm.id };
  const { id } = (await ada.post("/api/workflows", { name: "Sync", settings })).body.workflow;
  const copied = (await ada.post(`/api/workflows/${id}/copy`, { workspaceId: target })).body;
  expect(copied.needed.workflows).toEqual([{ id: alarm.id, name: "Alarm" }]);
  const settingsOf = async (workflowId: string) =>
    (await there.get(`/api/workflows/${workflowId}`)).body.workflow.settings;
  expect(await settingsOf(copied.workflowId)).toEqual({ timeoutMs: 60_000 });

  await ada.post(`/api/workflows/${id}/move`, { workspaceId: target });
  await ada.post(`/api/workflows/${alarm.id}/move`, { workspaceId: target });
  expect(await settingsOf(id)).toEqual(settings);
  expect((await there.patch(`/api/workflows/${id}`, { settings })).status).toBe(200);
});

test("a transfer needs the role builder in the other workspace, and builder here to move", async () => {
  const target = await createTeamWorkspace(ada, [[ben, "operator"]]);
  const source = await createTeamWorkspace(ada, [
    [ben, "builder"],
    [eve, "viewer"],
  ]);
  const { workflow } = (await inWorkspace(ada, source).post("/api/workflows", { name: "Shared" })).body;
  const post = (user: typeof ada, verb: string, workspaceId: string) =>
    inWorkspace(user, source).post(`/api/workflows/${workflow.id}/${verb}`, { workspaceId });
  expect((await post(ben, "move", target)).body).toMatchObject({
    error: "forbidden",
    details: { requiredRole: "builder" },
  });
  expect((await post(ben, "copy", eve.user.id)).body.error).toBe("forbidden");
  expect((await post(eve, "move", eve.user.id)).status).toBe(403);
  expect((await post(eve, "copy", eve.user.id)).status).toBe(200);
  expect((await post(ada, "copy", source)).body.error).toBe("invalid_request");
  expect((await eve.post(`/api/workflows/${workflow.id}/copy`, { workspaceId: eve.user.id })).status).toBe(
    403,
  );
});
