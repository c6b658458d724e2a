import { expect, test } from "vitest";
import { chain, edge, transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const { app, alice } = await shareApp(["alice"]);

async function stored(body: Record<string, unknown> = {}) {
  const response = await alice.post("/api/workflows", { name: "Report", metadata: chain("a", "b"), ...body });
  expect(response.status).toBe(201);
  return response.body.workflow;
}

test("a created workflow is returned as sent, with defaults", async () => {
  const metadata = chain("a", "b");
  const created = await alice.post("/api/workflows", { name: "Report", description: "Daily", metadata });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    ok: true,
    warnings: [],
    workflow: {
      id: expect.stringMatching(/^wf_/),
      ownerId: alice.user.id,
      name: "Report",
      description: "Daily",
      version: 1,
      metadata,
      apiSettings: { enabled: false, endpointName: null, authentication: true, sync: true },
      active: true,
      folder: "",
      tags: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    },
  });
  const read = await alice.get(`/api/workflows/${created.body.workflow.id}`);
  expect(read.body).toEqual({ ok: true, workflow: created.body.workflow });
});

test("a workflow can be created with only a name", async () => {
  const { body } = await alice.post("/api/workflows", { name: "Empty" });
  expect(body.workflow.metadata).toEqual({ steps: [], edges: [] });
});

test("a graph may be at the top level, as in a template or an exported file", async () => {
  const { steps, edges } = chain("a", "b");
  const { body } = await alice.post("/api/workflows", { name: "Flat", steps, edges });
  expect(body.workflow.metadata).toEqual({ steps, edges });
  const changed = await alice.patch(`/api/workflows/${body.workflow.id}`, { steps: steps.slice(0, 1) });
  expect(changed.body.workflow).toMatchObject({
    version: 2,
    metadata: { steps: steps.slice(0, 1), edges: [] },
  });
  const file = (await alice.get(`/api/workflows/${body.workflow.id}/export`)).body;
  expect((await alice.post("/api/workflows", file)).body.workflow.metadata).toEqual(file.metadata);
});

test("unknown fields of steps and edges are preserved by every operation", async () => {
  const metadata = {
    steps: [
      {
        ...transformStep("a"),
        name: "Ä",
        position: { x: 1.5, y: -2 },
        nested: { list: [1, null, { deep: true }] },
      },
      transformStep("b"),
    ],
    edges: [edge("a", "b", { label: "then", style: { stroke: "red" } })],
  };
  const { id } = await stored({ metadata });
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow.metadata).toEqual(metadata);
  expect((await alice.get(`/api/workflows/${id}/versions/1`)).body.version.metadata).toEqual(metadata);
  expect((await alice.get(`/api/workflows/${id}/export`)).body.metadata).toEqual(metadata);
  expect((await alice.post(`/api/workflows/${id}/clone`)).body.workflow.metadata).toEqual(metadata);
});

test.each(["PUT", "PATCH"])("%s updates the given fields and keeps the others", async (method) => {
  const workflow = await stored({ description: "old" });
  const renamed = await alice.call(`/api/workflows/${workflow.id}`, { method, body: { name: "New" } });
  expect(renamed.status).toBe(200);
  expect(renamed.body.workflow).toMatchObject({
    name: "New",
    description: "old",
    metadata: workflow.metadata,
    version: 2,
  });
});

test("a save without changes adds no version, and endpoint settings are not versioned", async () => {
  const { id, name, metadata } = await stored();
  expect((await alice.put(`/api/workflows/${id}`, { name, metadata })).body.workflow.version).toBe(1);
  const enabled = await alice.patch(`/api/workflows/${id}`, { apiSettings: { enabled: true } });
  expect(enabled.body.workflow).toMatchObject({
    version: 1,
    apiSettings: { enabled: true, endpointName: null, authentication: true, sync: true },
  });
});

test("a change of the graph without steps loses none of its parts", async () => {
  const metadata = { ...chain("a", "b"), notes: [{ id: "n", text: "Note", position: { x: 0, y: 0 } }] };
  const { id } = await stored({ metadata });
  const url = `/api/workflows/${id}`;
  for (const body of [{ metadata: {} }, { metadata: { notes: metadata.notes } }, { edges: metadata.edges }])
    expect((await alice.patch(url, body)).body.workflow).toMatchObject({ version: 1, metadata });
  expect((await alice.put(`${url}/draft`, { metadata: {} })).body.draft.metadata).toEqual(metadata);
  const inputSchema = { type: "object", properties: { n: { type: "number" } } };
  const changed = (await alice.patch(url, { metadata: { inputSchema } })).body.workflow;
  expect(changed).toMatchObject({ version: 2, metadata: { ...metadata, inputSchema } });
  // The graph may be at the top level, also beside a metadata without steps.
  const beside = { metadata: { notes: metadata.notes }, steps: metadata.steps.slice(0, 1) };
  expect((await alice.patch(url, beside)).body.workflow.metadata).toEqual({
    steps: beside.steps,
    edges: [],
    notes: metadata.notes,
  });
  const created = await alice.post("/api/workflows", { name: "Beside", ...beside });
  expect(created.body.workflow.metadata.steps).toEqual(beside.steps);
  const registered = await alice.post("/api/templates", { name: "Beside", ...beside });
  expect(registered.body.template.steps).toEqual(beside.steps);
  // With steps it is the whole graph.
  const whole = { metadata: { steps: metadata.steps } };
  expect((await alice.put(url, whole)).body.workflow.metadata).toEqual({ steps: metadata.steps, edges: [] });
});

test("an invalid graph is 422 with all errors, and nothing is saved", async () => {
  const before = (await alice.get("/api/workflows")).body.workflows.length;
  const metadata = {
    steps: [transformStep("a"), transformStep("a"), { stepId: "b", type: "teleport" }],
    edges: [edge("a", "nowhere")],
  };
  const response = await alice.post("/api/workflows", { name: "Broken", metadata });
  expect(response.status).toBe(422);
  expect(response.body).toMatchObject({ ok: false, error: "invalid_workflow", message: expect.any(String) });
  expect(response.body.errors.map(({ code }: { code: string }) => code).toSorted()).toEqual([
    "duplicate_step_id",
    "unknown_edge_target",
    "unknown_step_type",
  ]);
  expect(response.body.warnings).toEqual(expect.any(Array));
  expect((await alice.get("/api/workflows")).body.workflows).toHaveLength(before);
});

test("an update with an invalid graph changes neither the stored graph nor its history", async () => {
  const { id, metadata } = await stored();
  const refused = await alice.put(`/api/workflows/${id}`, {
    name: "Broken",
    metadata: {
      steps: [transformStep("a"), transformStep("b")],
      edges: [edge("a", "b"), { ...edge("b", "a") }],
    },
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors[0].code).toBe("cycle");
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow).toMatchObject({
    name: "Report",
    version: 1,
    metadata,
  });
  expect((await alice.get(`/api/workflows/${id}/versions`)).body.versions).toHaveLength(1);
});

test("a new step may not be named like an iteration; a stored one is reported and can still be edited, restored and cloned", async () => {
  const loop = { stepId: "each", type: "foreach", items: [1], steps: [transformStep("x")] };
  const graphOf = (...ids: string[]) => ({ steps: [loop, ...ids.map((id) => transformStep(id))], edges: [] });
  const refused = await alice.post("/api/workflows", { name: "New", metadata: graphOf("each[0]") });
  expect([refused.status, refused.body.errors]).toMatchObject([
    422,
    [{ code: "duplicate_step_id", stepId: "each[0]" }],
  ]);
  const { id } = await stored({ metadata: graphOf("plain") });
  const json = JSON.stringify(graphOf("each[0]")).replaceAll("'", "''");
  await app.sql(`update workflow set graph = '${json}' where id = '${id}'`);
  await app.sql(`update workflow_version set graph = '${json}' where workflow_id = '${id}'`);
  const warning = expect.objectContaining({ code: "ambiguous_step_id", stepId: "each[0]" });
  const save = (...ids: string[]) => alice.patch(`/api/workflows/${id}`, { metadata: graphOf(...ids) });
  expect(await save("each[0]", "more")).toMatchObject({
    status: 200,
    body: { warnings: expect.arrayContaining([warning]) },
  });
  expect((await save("each[0]", "each[1]")).status).toBe(422);
  expect((await save("renamed")).status).toBe(200);
  expect((await save("each[0]")).status).toBe(422);
  expect((await alice.post(`/api/workflows/${id}/rollback/1`)).status).toBe(200);
  expect((await alice.post(`/api/workflows/${id}/clone`)).status).toBe(201);
});

test("warnings are returned with the record and do not prevent the save", async () => {
  const response = await alice.post("/api/workflows", {
    name: "List",
    metadata: { steps: [transformStep("a"), transformStep("b")], edges: [] },
  });
  expect(response.status).toBe(201);
  expect(response.body.warnings).toEqual([{ code: "no_edges", message: expect.any(String) }]);
});

test("a list without graphs contains all other fields, in pages", async () => {
  const app = await useTestApp();
  const user = await registerUser(app, "chooser");
  for (const name of ["First", "Second", "Third"])
    await user.post("/api/workflows", {
      name,
      metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
    });
  await user.delete(`/api/workflows/${(await user.get("/api/workflows?limit=1")).body.workflows[0].id}`);
  await (await registerUser(app, "other")).post("/api/workflows", { name: "Another user's" });
  const whole = (await user.get("/api/workflows")).body.workflows;
  const first = (await user.get("/api/workflows?graph=false&limit=1")).body;
  const second = (await user.get(`/api/workflows?graph=false&limit=1&cursor=${first.nextCursor}`)).body;
  expect([...first.workflows, ...second.workflows]).toEqual(
    whole.map(({ metadata: _graph, ...head }: any) => head),
  );
  expect(second.nextCursor).toBeNull();
  expect((await user.get("/api/workflows?graph=perhaps")).status).toBe(400);
});

test("a clone is a separate workflow with a disabled endpoint", async () => {
  const original = await stored({
    apiSettings: { enabled: true, endpointName: "to-be-cloned", authentication: false, sync: false },
  });
  const response = await alice.post(`/api/workflows/${original.id}/clone`);
  expect(response.status).toBe(201);
  expect(response.body.workflow).toMatchObject({
    name: "Report (copy)",
    version: 1,
    metadata: original.metadata,
    apiSettings: { enabled: false, endpointName: null },
  });
  expect(response.body.workflow.id).not.toBe(original.id);
});

test("a workflow with the longest name can be cloned, and the clone can be saved", async () => {
  const { id } = await stored({ name: "n".repeat(200) });
  const { status, body } = await alice.post(`/api/workflows/${id}/clone`);
  expect(status).toBe(201);
  expect(body.workflow.name).toMatch(/ \(copy\)$/);
  expect((await alice.put(`/api/workflows/${body.workflow.id}`, { name: body.workflow.name })).status).toBe(
    200,
  );
});

test("a deleted workflow is 404 on every route", async () => {
  const { id } = await stored();
  expect((await alice.delete(`/api/workflows/${id}`)).body).toEqual({ ok: true });
  for (const response of [
    await alice.get(`/api/workflows/${id}`),
    await alice.delete(`/api/workflows/${id}`),
    await alice.patch(`/api/workflows/${id}`, { name: "x" }),
    await alice.get(`/api/workflows/${id}/versions`),
    await alice.get(`/api/workflows/${id}/export`),
    await alice.post(`/api/workflows/${id}/clone`),
    await alice.post(`/api/workflows/${id}/rollback/1`),
  ]) {
    expect([response.status, response.body.error]).toEqual([404, "workflow_not_found"]);
  }
  const { workflows } = (await alice.get("/api/workflows")).body;
  expect(workflows.map((workflow: { id: string }) => workflow.id)).not.toContain(id);
});

test("workflows and their history survive a restart", async () => {
  const first = await useTestApp();
  const ada = await registerUser(first);
  const { body } = await ada.post("/api/workflows", { name: "Kept", metadata: chain("a", "b") });
  await ada.patch(`/api/workflows/${body.workflow.id}`, { name: "Kept on" });
  await first.stop();
  const second = await useTestApp({}, { dataDir: first.dataDir });
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = `/api/workflows/${body.workflow.id}`;
  expect((await second.anonymous.get(url, headers)).body.workflow).toMatchObject({
    name: "Kept on",
    version: 2,
  });
  expect((await second.anonymous.get(`${url}/versions`, headers)).body.versions).toHaveLength(2);
});
