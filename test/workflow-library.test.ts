import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, ada, bob } = await shareApp(["ada", "bob"]);
const graph = { steps: [{ stepId: "hello", type: "transform", template: "Hi" }], edges: [] };

async function create(fields: object = {}, user = ada): Promise<string> {
  const { body } = await user.post("/api/workflows", { name: "Report", metadata: graph, ...fields });
  return body.workflow.id;
}

const pause = (id: string, active = false) => ada.patch(`/api/workflows/${id}`, { active });

test("a paused workflow refuses public calls with 409 and runs by hand; activated, it accepts them again", async () => {
  const id = await create({ apiSettings: { enabled: true, authentication: false } });
  expect((await ada.get(`/api/workflows/${id}`)).body.workflow.active).toBe(true);
  expect((await pause(id)).body.workflow).toMatchObject({ active: false, version: 1 });
  const refused = await app.anonymous.post(`/api/workflows/public/${id}`, { input: {} });
  expect(refused).toMatchObject({ status: 409, body: { ok: false, error: "workflow_paused" } });
  expect((await ada.post(`/api/workflows/${id}/run?wait=true`, {})).status).toBe(200);
  await pause(id, true);
  expect((await app.anonymous.post(`/api/workflows/public/${id}`, { input: {} })).status).toBe(200);
});

test("a caller without the key of a paused endpoint learns nothing about the pause", async () => {
  const id = await create({ apiSettings: { enabled: true, authentication: true } });
  await pause(id);
  expect((await app.anonymous.post(`/api/workflows/public/${id}`, {})).body.error).toBe("missing_api_key");
});

test("a paused workflow refuses its form", async () => {
  const id = await create({
    apiSettings: { enabled: false, authentication: false, endpointName: "library-form" },
    form: { enabled: true },
  });
  await pause(id);
  for (const response of [
    await app.anonymous.get("/api/forms/library-form"),
    await app.anonymous.post("/api/forms/library-form", { input: {} }),
  ])
    expect(response).toMatchObject({ status: 409, body: { error: "workflow_paused" } });
});

test("a delivery to a paused workflow is recorded as rejected and can be delivered again", async () => {
  const id = await create();
  const { body } = await ada.post("/api/webhooks", { name: "Shop", source: "library-shop", workflowId: id });
  const { id: webhookId } = body.webhook;
  const send = () =>
    app.anonymous.post("/webhook/library-shop", { order: 7 }, { "x-webhook-secret": body.webhook.secret });
  await pause(id);
  expect(await send()).toMatchObject({ status: 409, body: { error: "workflow_paused" } });
  const [delivery] = (await ada.get(`/api/webhooks/${webhookId}/deliveries`)).body.deliveries;
  expect(delivery).toMatchObject({ status: "rejected", reason: "workflow_paused", body: { order: 7 } });
  const redeliver = () => ada.post(`/api/webhooks/${webhookId}/deliveries/${delivery.id}/redeliver`);
  expect(await redeliver()).toMatchObject({ status: 409, body: { error: "workflow_paused" } });
  await pause(id, true);
  expect((await redeliver()).body.delivery).toMatchObject({ status: "accepted", redeliveryOf: delivery.id });
});

test("a schedule of a paused workflow skips its runs, records the reason and keeps its times", async () => {
  const own = await useTestApp({ SCHEDULE_MIN_INTERVAL_SECONDS: "0" });
  const user = await registerUser(own);
  const workflowId = await create({ active: false }, user);
  const { body } = await user.post("/api/schedules", { workflowId, cron: "* * * * * *" });
  const read = async () => (await user.get(`/api/schedules/${body.schedule.id}`)).body.schedule;
  await expect
    .poll(async () => (await read()).lastSkip, { timeout: 10_000 })
    .toMatchObject({ reason: "workflow_paused" });
  expect(await read()).toMatchObject({ active: true, lastTaskId: null, nextRunAt: expect.any(String) });
  expect((await user.get("/api/tasks")).body.tasks).toEqual([]);
  await user.patch(`/api/workflows/${workflowId}`, { active: true });
  await expect.poll(async () => (await read()).lastTaskId, { timeout: 10_000 }).toMatch(/^task_/);
});

test("folder and tags are trimmed, filter the list, make no version, and copies and exports carry them", async () => {
  const id = await create({ folder: " Finance ", tags: ["daily", " daily", "ai"] });
  const { workflow } = (await ada.get(`/api/workflows/${id}`)).body;
  expect(workflow).toMatchObject({ folder: "Finance", tags: ["daily", "ai"], version: 1 });
  const idsOf = async (query: string) =>
    (await ada.get(`/api/workflows?graph=false&${query}`)).body.workflows.map(
      (each: { id: string }) => each.id,
    );
  for (const query of ["folder=Finance", "tag=ai", "folder=Finance&tag=daily&active=true"])
    expect(await idsOf(query)).toEqual([id]);
  for (const query of ["folder=Finances", "tag=a", "folder=Finance&active=false"])
    expect(await idsOf(query)).toEqual([]);
  expect(await idsOf("folder=")).not.toContain(id);
  expect((await ada.get("/api/workflows?tag=ai")).body.workflows).toHaveLength(1);

  const clone = (await ada.post(`/api/workflows/${id}/clone`)).body.workflow;
  expect(clone).toMatchObject({ folder: "Finance", tags: ["daily", "ai"], active: true });
  const file = (await ada.get(`/api/workflows/${id}/export`)).body;
  expect(file).toMatchObject({ folder: "Finance", tags: ["daily", "ai"] });
  const template = (await bob.post("/api/templates", file)).body.template;
  const imported = (await bob.post(`/api/templates/import/${template.id}`)).body.workflow;
  expect(imported).toMatchObject({ folder: "Finance", tags: ["daily", "ai"] });

  const changed = await ada.patch(`/api/workflows/${id}`, { tags: [], folder: "" });
  expect(changed.body.workflow).toMatchObject({ folder: "", tags: [], version: 1 });
});

test("a new workflow without steps is not published until a version has steps", async () => {
  const id = (await ada.post("/api/workflows", { name: "Untitled" })).body.workflow.id;
  const read = async () => (await ada.get(`/api/workflows/${id}`)).body.workflow;
  expect(await read()).toMatchObject({ version: 1, published: false });
  await ada.patch(`/api/workflows/${id}`, { metadata: graph });
  expect((await read()).published).toBeUndefined();
});

test("a folder is renamed in one request, for its owner only", async () => {
  const mine = [await create({ folder: "Old" }), await create({ folder: "Old" })];
  const other = await create({ folder: "Old" }, bob);
  const renamed = await ada.post("/api/workflows/folders/rename", { from: "Old", to: "New" });
  expect(renamed).toMatchObject({ status: 200, body: { ok: true, workflows: 2 } });
  for (const id of mine) expect((await ada.get(`/api/workflows/${id}`)).body.workflow.folder).toBe("New");
  expect((await bob.get(`/api/workflows/${other}`)).body.workflow.folder).toBe("Old");
  expect((await ada.post("/api/workflows/folders/rename", { from: "", to: "New" })).status).toBe(400);
});

const foldersOf = async (user = ada) => (await user.get("/api/workflows/folders")).body.folders;
const folderOf = async (id: string) => (await ada.get(`/api/workflows/${id}`)).body.workflow.folder;

test("folders are listed by path with their workflows, and empty ones stay until they are deleted", async () => {
  await create({ folder: "Tree/ Leaf " });
  await create({ folder: "Tree" });
  expect((await ada.post("/api/workflows/folders", { folder: "Tree/Empty" })).status).toBe(201);
  expect((await ada.post("/api/workflows/folders", { folder: "Tree/Empty" })).status).toBe(201);
  const tree = (await foldersOf()).filter(({ folder }: { folder: string }) => folder.startsWith("Tree"));
  expect(tree).toEqual([
    { folder: "Tree", workflows: 1 },
    { folder: "Tree/Empty", workflows: 0 },
    { folder: "Tree/Leaf", workflows: 1 },
  ]);
  expect(await foldersOf(bob)).not.toContainEqual(expect.objectContaining({ folder: "Tree/Empty" }));
  await ada.call("/api/workflows/folders?folder=Tree/Empty", { method: "DELETE" });
  expect(await foldersOf()).not.toContainEqual(expect.objectContaining({ folder: "Tree/Empty" }));
});

test("a folder moves with its subfolders, and deleting one moves its content up", async () => {
  const [top, inner] = [await create({ folder: "Ops" }), await create({ folder: "Ops/Night" })];
  const beside = await create({ folder: "Opsy" });
  await ada.post("/api/workflows/folders", { folder: "Ops/Night/Night" });
  const moved = await ada.post("/api/workflows/folders/rename", { from: "Ops", to: "All/Ops" });
  expect(moved.body.workflows).toBe(2);
  expect([await folderOf(top), await folderOf(inner), await folderOf(beside)]).toEqual([
    "All/Ops",
    "All/Ops/Night",
    "Opsy",
  ]);
  const removed = await ada.call("/api/workflows/folders?folder=All/Ops/Night", { method: "DELETE" });
  expect(removed.body.workflows).toBe(1);
  expect(await folderOf(inner)).toBe("All/Ops");
  // The subfolder of the same name takes the place of the deleted folder.
  expect(await foldersOf()).toContainEqual({ folder: "All/Ops/Night", workflows: 0 });
  const into = await ada.post("/api/workflows/folders/rename", { from: "All", to: "All/Ops/All" });
  expect(into).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  const long = await ada.post("/api/workflows/folders/rename", { from: "All", to: "x".repeat(95) });
  expect(long).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});

test.each([
  { folder: "x".repeat(101) },
  { tags: [""] },
  { tags: ["x".repeat(41)] },
  { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
])("limits of folder and tags: %j is 400", async (fields) => {
  const id = await create();
  expect((await ada.patch(`/api/workflows/${id}`, fields)).status).toBe(400);
});

test("another process notices a pause with its next call", async () => {
  const { anonymous, sql, ...own } = await useTestApp();
  const user = await registerUser(own);
  const id = await create({ apiSettings: { enabled: true, authentication: false } }, user);
  expect((await anonymous.post(`/api/workflows/public/${id}`, {})).status).toBe(200);
  // As another process would: straight in the database.
  await sql(`update workflow set active = 0 where id = '${id}'`);
  expect((await anonymous.post(`/api/workflows/public/${id}`, {})).status).toBe(409);
});
