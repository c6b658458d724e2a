import { expect, test } from "vitest";
import { TEMPLATE_FORMAT } from "../contract/templates.ts";
import { chain, edge, transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { alice, bob } = await shareApp(["alice", "bob"]);

test("at least eight starters are listed, and each is valid and importable; only connections and variables are missing", async () => {
  const { body } = await alice.get("/api/templates?limit=200");
  const starters = body.templates.filter((template: { builtIn: boolean }) => template.builtIn);
  expect(starters.length).toBeGreaterThanOrEqual(8);
  for (const { id, name, description, category, steps, edges } of starters) {
    expect([name, description, category].every((text) => typeof text === "string" && text !== "")).toBe(true);
    const validation = await alice.get(`/api/templates/${id}/validate`);
    expect([id, validation.body]).toEqual([id, { ok: true, valid: true, errors: [], warnings: [] }]);
    const imported = await alice.post(`/api/templates/import/${id}`);
    expect([id, imported.status]).toEqual([id, 201]);
    expect(imported.body.workflow).toMatchObject({
      name,
      description,
      version: 1,
      metadata: { steps, edges },
    });
    const warnings = imported.body.warnings as { code: string }[];
    // What an account has to create first.
    const needed = new Set(["unknown_connection", "unknown_variable"]);
    expect(warnings.filter(({ code }) => !needed.has(code))).toEqual([]);
  }
});

test("a starter can be read but neither renamed nor deleted", async () => {
  const [starter] = (await alice.get("/api/templates")).body.templates;
  expect((await alice.get(`/api/templates/${starter.id}`)).body).toEqual({ ok: true, template: starter });
  for (const refused of [
    await alice.delete(`/api/templates/${starter.id}`),
    await alice.patch(`/api/templates/${starter.id}`, { name: "Mine" }),
  ])
    expect([refused.status, refused.body.error]).toEqual([403, "forbidden"]);
});

test("an import names the workflow as asked, and after the template otherwise", async () => {
  const { template } = (await alice.post("/api/templates", { name: "Report", ...chain("a") })).body;
  const named = async (body?: object) =>
    (await alice.post(`/api/templates/import/${template.id}`, body)).body.workflow.name;
  expect([await named(), await named({ name: "Report 2" })]).toEqual(["Report", "Report 2"]);
});

test("an own template is renamed and described anew", async () => {
  const { template } = (await alice.post("/api/templates", { name: "One", ...chain("a") })).body;
  const named = await alice.patch(`/api/templates/${template.id}`, { name: "Two" });
  expect(named.body.template).toEqual({ ...template, name: "Two" });
  await alice.patch(`/api/templates/${template.id}`, { description: "Second" });
  const stored = (await alice.get(`/api/templates/${template.id}`)).body.template;
  expect(stored).toEqual({ ...template, name: "Two", description: "Second" });
});

test("an export is an attachment with the whole workflow and its history", async () => {
  const { id } = (await alice.post("/api/workflows", { name: "Größe / “x”", metadata: chain("a", "b") })).body
    .workflow;
  await alice.patch(`/api/workflows/${id}`, { description: "Daily", metadata: chain("a", "b", "c") });
  const { status, headers, body } = await alice.get(`/api/workflows/${id}/export`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toMatch(/^application\/json/);
  expect(headers["content-disposition"]).toMatch(
    /^attachment; filename="[\x20-\x7e]+\.json"; filename\*=UTF-8''Gr%C3%B6/,
  );
  expect(body).toEqual({
    format: TEMPLATE_FORMAT,
    id,
    apiSettings: { endpointName: null, authentication: true, sync: true },
    name: "Größe / “x”",
    description: "Daily",
    metadata: chain("a", "b", "c"),
    ...chain("a", "b", "c"),
    versions: [
      expect.objectContaining({ version: 1, metadata: chain("a", "b"), note: "Created" }),
      expect.objectContaining({ version: 2, metadata: chain("a", "b", "c"), description: "Daily" }),
    ],
  });
});

test("export, register, import: the new workflow has the content and the history and continues the version numbers", async () => {
  const { id } = (await alice.post("/api/workflows", { name: "One", metadata: chain("a", "b") })).body
    .workflow;
  await alice.patch(`/api/workflows/${id}`, { name: "Two", note: "renamed" });
  await alice.patch(`/api/workflows/${id}`, { metadata: chain("x", "y") });
  const file = (await alice.get(`/api/workflows/${id}/export`)).body;

  const registered = await bob.post("/api/templates", file);
  expect(registered.status).toBe(201);
  expect(registered.body.template).toMatchObject({
    id: expect.stringMatching(/^tpl_/),
    name: "Two",
    builtIn: false,
    ...chain("x", "y"),
  });

  const imported = await bob.post(`/api/templates/import/${registered.body.template.id}`);
  expect(imported.status).toBe(201);
  const { workflow } = imported.body;
  expect(workflow).toMatchObject({
    name: "Two",
    ownerId: bob.user.id,
    version: 4,
    metadata: chain("x", "y"),
  });
  expect(workflow.id).not.toBe(id);

  const { versions } = (await bob.get(`/api/workflows/${workflow.id}/versions`)).body;
  expect(versions.map((entry: { version: number; name: string }) => [entry.version, entry.name])).toEqual([
    [4, "Two"],
    [3, "Two"],
    [2, "Two"],
    [1, "One"],
  ]);
  expect(versions[2]).toMatchObject({ note: "renamed", createdAt: file.versions[1].createdAt });
  const rolledBack = await bob.post(`/api/workflows/${workflow.id}/rollback/1`);
  expect(rolledBack.body.workflow).toMatchObject({ version: 5, name: "One", metadata: chain("a", "b") });

  const exportedAgain = (await bob.get(`/api/workflows/${workflow.id}/export`)).body;
  expect(exportedAgain.versions).toHaveLength(5);
  expect((await bob.post("/api/templates", exportedAgain)).status).toBe(201);
});

test("endpoint, run settings and form are exported and imported: both closed, an error workflow only where it exists", async () => {
  const errorWorkflowId = (await alice.post("/api/workflows", { name: "Alarm" })).body.workflow.id;
  const settings = {
    timeoutMs: 60_000,
    concurrency: { limit: 2, key: "{{input.customer}}", whenFull: "skip" },
    onConnectionProblem: "wait",
  };
  const form = { title: "Order", successMessage: "Thank you" };
  const apiSettings = {
    endpointName: "template-orders",
    authentication: false,
    sync: false,
    responseStepId: "total",
    customResponse: true,
  };
  const { workflow } = (
    await alice.post("/api/workflows", {
      name: "Orders",
      apiSettings: { ...apiSettings, enabled: true },
      settings: { ...settings, errorWorkflowId },
      form: { ...form, enabled: true },
    })
  ).body;
  const file = (await alice.get(`/api/workflows/${workflow.id}/export`)).body;
  expect(file).toMatchObject({ settings: { ...settings, errorWorkflowId }, form });
  expect(file.form).not.toHaveProperty("enabled");
  expect(file.apiSettings).toEqual(apiSettings);

  const importAs = async (user: typeof alice, given: object) => {
    const { template } = (await user.post("/api/templates", given)).body;
    return user.post(`/api/templates/import/${template.id}`);
  };
  const closed = { ...form, enabled: false };
  const here = (await importAs(alice, file)).body.workflow;
  expect(here).toMatchObject({ settings: { ...settings, errorWorkflowId }, form: closed });
  expect(here.apiSettings).toEqual({ ...apiSettings, enabled: false });
  const open = {
    ...file,
    apiSettings: { ...apiSettings, enabled: true },
    form: { ...form, enabled: true },
  };
  const there = (await importAs(bob, open)).body.workflow;
  expect([there.apiSettings.enabled, there.settings, there.form]).toEqual([false, settings, closed]);
});

test("a template with a concurrency key that no run can use is 400", async () => {
  const settings = { concurrency: { key: "{{steps.a.output}}" } };
  expect(await alice.post("/api/templates", { name: "Key", ...chain("a"), settings })).toMatchObject({
    status: 400,
    body: { error: "invalid_request", details: [{ path: "settings.concurrency.key" }] },
  });
});

test("an export holds no secret of a connection, and its import says which connection is needed", async () => {
  const { body: stored } = await alice.post("/api/connections", {
    name: "Billing account",
    kind: "bearer",
    hosts: ["api.example.com"],
    secrets: { token: "hush-hush-token" },
  });
  const call = {
    stepId: "call",
    type: "http",
    url: "https://api.example.com/invoices",
    connection: stored.connection.id,
  };
  const metadata = { steps: [call], edges: [] };
  const { body } = await alice.post("/api/workflows", { name: "Invoices", metadata });
  const exported = (await alice.get(`/api/workflows/${body.workflow.id}/export`)).body;
  expect(JSON.stringify(exported)).not.toMatch(/hush-hush|Billing account/);
  const { id } = (await bob.post("/api/templates", exported)).body.template;
  const imported = await bob.post(`/api/templates/import/${id}`);
  expect(imported.status, JSON.stringify(imported.body)).toBe(201);
  expect(imported.body.warnings).toMatchObject([
    { code: "unknown_connection", stepId: "call", message: expect.stringContaining("api.example.com") },
  ]);
});

test("steps and edges can be registered with or without a metadata wrapper", async () => {
  for (const body of [
    { name: "By hand", ...chain("a", "b") },
    { name: "By hand", metadata: chain("a", "b") },
  ]) {
    const { status, body: response } = await alice.post("/api/templates", body);
    expect(status).toBe(201);
    expect(response.template).toMatchObject({ description: "", ...chain("a", "b") });
  }
});

test("a history can be registered without times", async () => {
  const versions = [
    { version: 2, name: "Second", metadata: chain("a", "b") },
    { version: 1, name: "First", metadata: chain("a") },
  ];
  const { template } = (await alice.post("/api/templates", { name: "By hand", ...chain("x"), versions }))
    .body;
  const { workflow } = (await alice.post(`/api/templates/import/${template.id}`)).body;
  const history = (await alice.get(`/api/workflows/${workflow.id}/versions`)).body.versions;
  expect(history.map(({ name }: { name: string }) => name)).toEqual(["By hand", "Second", "First"]);
  expect(history[2].createdAt).toMatch(/Z$/);
});

test("an invalid template can be registered and validated, but not imported", async () => {
  const broken = { steps: [transformStep("a"), { stepId: "b", type: "teleport" }], edges: [edge("a", "zz")] };
  const { id } = (await alice.post("/api/templates", { name: "Broken", ...broken })).body.template;
  const validation = await alice.get(`/api/templates/${id}/validate`);
  expect(validation.status).toBe(200);
  expect(validation.body).toMatchObject({ ok: true, valid: false });
  expect(validation.body.errors).toEqual(
    expect.arrayContaining([
      { code: "unknown_step_type", message: expect.any(String), stepId: "b" },
      { code: "unknown_edge_target", message: expect.any(String), edgeId: "a-zz" },
    ]),
  );
  const before = (await alice.get("/api/workflows?limit=200")).body.workflows.length;
  const imported = await alice.post(`/api/templates/import/${id}`);
  expect([imported.status, imported.body.error]).toEqual([422, "invalid_workflow"]);
  expect(imported.body.errors).toEqual(validation.body.errors);
  expect((await alice.get("/api/workflows?limit=200")).body.workflows).toHaveLength(before);
});

test.each([
  ["code with a syntax error", [{ stepId: "a", type: "code", code: "return (" }]],
  ["an unknown app", [{ stepId: "a", type: "app", app: "nowhere", action: "x", connection: "con_1" }]],
  [
    "the id of an iteration",
    [{ stepId: "each", type: "foreach", items: [1], steps: [transformStep("x")] }, transformStep("each[0]")],
  ],
])("a template with %s is not valid, as its import says", async (_what, steps) => {
  const { id } = (await alice.post("/api/templates", { name: "Broken", steps })).body.template;
  const { body } = await alice.get(`/api/templates/${id}/validate`);
  const imported = await alice.post(`/api/templates/import/${id}`);
  expect([imported.status, imported.body.error]).toEqual([422, "invalid_workflow"]);
  expect(body).toEqual({
    ok: true,
    valid: false,
    errors: imported.body.errors,
    warnings: imported.body.warnings,
  });
});

test.each([
  ["no name", { ...chain("a", "b") }],
  ["no steps", { name: "x" }],
  ["another program's format", { name: "x", format: "other/2", ...chain("a", "b") }],
  ["steps that are no list", { name: "x", steps: { a: 1 } }],
  [
    "a version without a number",
    { name: "x", ...chain("a"), versions: [{ name: "x", metadata: chain("a") }] },
  ],
])("a template with %s is 400", async (_what, body) => {
  const response = await alice.post("/api/templates", body);
  expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
});

test("only the owner can delete a template", async () => {
  const { id } = (await alice.post("/api/templates", { name: "Mine", ...chain("a", "b") })).body.template;
  expect((await bob.delete(`/api/templates/${id}`)).status).toBe(403);
  expect((await bob.get("/api/templates?limit=200")).text).not.toContain(id);
  expect((await alice.delete(`/api/templates/${id}`)).body).toEqual({ ok: true });
  expect((await alice.get(`/api/templates/${id}`)).body).toMatchObject({ error: "template_not_found" });
});

test("an invalid version imported with a template is stored, but can be neither run nor rolled back to", async () => {
  const broken = { steps: [null, { stepId: "a", type: "unheard-of" }], edges: [7] };
  const versions = [{ version: 1, name: "Old", createdAt: "2026-01-01T00:00:00Z", metadata: broken }];
  const { template } = (await alice.post("/api/templates", { name: "History", ...chain("a", "b"), versions }))
    .body;
  const { workflow } = (await alice.post(`/api/templates/import/${template.id}`)).body;
  const path = `/api/workflows/${workflow.id}`;
  expect((await alice.get(`${path}/versions/1`)).body.version.metadata).toEqual(broken);
  const { taskId } = (await alice.post(`${path}/run?wait=true`, {})).body;
  for (const refused of [
    await alice.post(`/api/tasks/${taskId}/replay`, { version: 1 }),
    await alice.post(`${path}/rollback/1`),
  ]) {
    expect([refused.status, refused.body.error]).toEqual([422, "invalid_workflow"]);
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ code: "unknown_step_type" }));
  }
  expect((await alice.get(`/api/tasks?workflowId=${workflow.id}`)).body.tasks).toHaveLength(1);
});
