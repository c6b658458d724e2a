import { describe, expect, test } from "vitest";
import { reach, sub } from "../server/engine/testing/workbench.ts";
import { publish as enableEndpoint } from "./support/endpoints.ts";
import { transformStep } from "./support/graphs.ts";
import { startService } from "./support/service-process.ts";
import { shareApp } from "./support/shared-app.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

const { app, alice } = await shareApp(["alice"]);

const graph = (template: unknown) => ({ steps: [transformStep("a", template)], edges: [] });
const broken = { steps: [{ stepId: "a", type: "http" }], edges: [] };

async function createWorkflow(metadata: object = graph("live")): Promise<string> {
  return (await alice.post("/api/workflows", { name: "Report", metadata })).body.workflow.id as string;
}

const draftUrl = (id: string) => `/api/workflows/${id}/draft`;
const saveDraft = (id: string, body: object) => alice.put(draftUrl(id), body);
const publish = (id: string, body: object = {}) => alice.post(`/api/workflows/${id}/publish`, body);
const workflowOf = async (id: string) => (await alice.get(`/api/workflows/${id}`)).body.workflow;
const outputOf = async (id: string, query = "") =>
  (await alice.post(`/api/workflows/${id}/run?wait=true${query}`, { input: {} })).body.result?.output;

describe("a draft", () => {
  test("is stored beside the live version, which keeps running", async () => {
    const id = await createWorkflow();
    expect((await alice.get(draftUrl(id))).body).toEqual({ ok: true, draft: null, errors: [], warnings: [] });
    const saved = await saveDraft(id, { name: "New name", metadata: graph("draft") });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        draft: { workflowId: id, revision: 1, baseVersion: 1, name: "New name", metadata: graph("draft") },
        errors: [],
      },
    });
    expect(await workflowOf(id)).toMatchObject({
      name: "Report",
      version: 1,
      metadata: graph("live"),
      draft: { revision: 1, baseVersion: 1, updatedAt: saved.body.draft.updatedAt },
    });
    const { workflows } = (await alice.get("/api/workflows?graph=false")).body;
    expect(workflows.find((entry: { id: string }) => entry.id === id).draft.revision).toBe(1);
    expect(await outputOf(id)).toBe("live");
    expect(await outputOf(id, "&version=live")).toBe("live");
    expect(await outputOf(id, "&version=draft")).toBe("draft");
    expect(await outputOf(id, "&version=1")).toBe("live");
  });

  test("is saved with a warning when its response step is missing, inside a loop or disabled", async () => {
    const id = await createWorkflow();
    await alice.patch(`/api/workflows/${id}`, { apiSettings: { responseStepId: "a" } });
    const warningsOf = async (...steps: object[]) =>
      (await saveDraft(id, { metadata: { steps, edges: [] } })).body.warnings;
    const step = transformStep("a", 1);
    expect(await warningsOf(step)).toEqual([]);
    const unknown = { code: "unknown_response_step" };
    expect(await warningsOf(transformStep("b", 1))).toMatchObject([unknown]);
    const loop = { stepId: "each", type: "foreach", items: [1], steps: [step] };
    expect(await warningsOf(loop)).toMatchObject([unknown]);
    expect(await warningsOf({ ...step, disabled: true })).toMatchObject([
      { code: "response_step_never_runs", stepId: "a" },
    ]);
  });

  test("names a workflow that was never published, until it is", async () => {
    const { body } = await alice.post("/api/workflows", { name: "Untitled workflow" });
    const id = body.workflow.id as string;
    await saveDraft(id, { name: "Orders", description: "Daily", metadata: graph("first") });
    expect(await workflowOf(id)).toMatchObject({ name: "Orders", description: "Daily", published: false });
    // A save that loses changes nothing.
    expect((await saveDraft(id, { name: "Lost", revision: 7 })).status).toBe(409);
    expect(await workflowOf(id)).toMatchObject({ name: "Orders" });
    await publish(id);
    await saveDraft(id, { name: "Orders 2" });
    expect(await workflowOf(id)).toMatchObject({ name: "Orders", version: 2 });
  });

  test("becomes version 1 of a workflow that was created unpublished", async () => {
    const { body, status } = await alice.post("/api/workflows", { name: "Untitled", published: false });
    const id = body.workflow.id as string;
    const versionsOf = async () => (await alice.get(`/api/workflows/${id}/versions`)).body.versions;
    expect({ status, ...body.workflow }).toMatchObject({ status: 201, version: 0, published: false });
    // Neither a name nor a copy publishes anything.
    const metadata = { steps: [], edges: [] };
    await alice.patch(`/api/workflows/${id}`, { name: "Order", baseVersion: 0 });
    await alice.patch(`/api/workflows/${id}`, { name: "Orders", metadata, baseVersion: 0 });
    expect(await workflowOf(id)).toMatchObject({ name: "Orders", version: 0, published: false });
    const { workflow: copy } = (await alice.post(`/api/workflows/${id}/clone`)).body;
    expect(copy).toMatchObject({ name: "Orders (copy)", version: 0, published: false });
    expect(await versionsOf()).toEqual([]);

    const { draft } = (await saveDraft(id, { metadata: graph("first"), baseVersion: 0 })).body;
    expect(draft).toMatchObject({ baseVersion: 0, name: "Orders" });
    const published = (await publish(id, { note: "Start" })).body.workflow;
    expect(published).toMatchObject({ version: 1 });
    expect(published).toEqual(await workflowOf(id));
    expect(await versionsOf()).toMatchObject([{ version: 1, note: "Start" }]);
    expect(await outputOf(id, "&version=1")).toBe("first");

    // The state before the first publish is no version. Without steps nothing is live, and the number is not used twice.
    for (const version of ["0", "x"])
      expect(await alice.post(`/api/workflows/${id}/rollback/${version}`)).toMatchObject({
        status: 404,
        body: { error: "version_not_found" },
      });
    const emptied = (await alice.put(`/api/workflows/${id}`, { metadata })).body.workflow;
    expect(emptied).toMatchObject({ name: "Orders", version: 2, published: false, metadata });
    expect((await alice.get(`/api/workflows/${id}/versions/x`)).status).toBe(404);

    const withSteps = { name: "Steps", published: false, metadata: graph("live") };
    expect((await alice.post("/api/workflows", withSteps)).status).toBe(400);
  });

  test("with errors is stored, says them, and cannot be published", async () => {
    const id = await createWorkflow();
    const saved = await saveDraft(id, { metadata: broken });
    expect(saved).toMatchObject({
      status: 200,
      body: { draft: { metadata: broken }, errors: [{ code: "missing_field", stepId: "a" }] },
    });
    expect((await alice.get(draftUrl(id))).body.errors).toEqual(saved.body.errors);
    const refused = await publish(id);
    expect(refused).toMatchObject({ status: 422, body: { error: "invalid_workflow" } });
    expect(refused.body.errors).toEqual(saved.body.errors);
    expect((await alice.post(`/api/workflows/${id}/run?version=draft`)).status).toBe(422);
    expect(await workflowOf(id)).toMatchObject({ version: 1, metadata: graph("live"), draft: {} });
  });

  test("of any shape is stored, and fails no later request", async () => {
    const id = await createWorkflow();
    const metadata = { steps: [null, 7, { stepId: 3 }, { stepId: "a" }], edges: [null, { source: "a" }] };
    expect((await saveDraft(id, { metadata })).status).toBe(200);
    for (const path of [`/api/workflows/${id}`, draftUrl(id), `/api/workflows/${id}/export?version=draft`])
      expect((await alice.get(path)).status).toBe(200);
    const partial = await alice.post(`/api/workflows/${id}/run-partial?version=draft`, { stepIds: ["a"] });
    expect(partial).toMatchObject({ status: 422, body: { error: "invalid_workflow" } });
    expect((await saveDraft(id, { metadata: { steps: "none" } })).status).toBe(400);
  });

  test("saved on an older revision is 409 and changes nothing", async () => {
    const id = await createWorkflow();
    expect((await saveDraft(id, { metadata: graph("first"), revision: null })).body.draft.revision).toBe(1);
    for (const revision of [null, 7])
      expect(await saveDraft(id, { metadata: graph("late"), revision })).toMatchObject({
        status: 409,
        body: { error: "version_conflict", details: { currentRevision: 1 } },
      });
    expect((await saveDraft(id, { metadata: graph("second"), revision: 1 })).body.draft.revision).toBe(2);
    expect((await alice.get(draftUrl(id))).body.draft.metadata).toEqual(graph("second"));
  });

  test("of two saves at once on one revision, one wins", async () => {
    const id = await createWorkflow();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => saveDraft(id, { metadata: graph(n), revision: null })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    // Without a revision every save is applied, one after the other.
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => saveDraft(id, { metadata: graph(n) })));
    expect(all.map(({ body }) => body.draft.revision).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  test("is discarded, and the next one never repeats its revision", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("gone") });
    const { taskId } = (await alice.post(`/api/workflows/${id}/run?version=draft`)).body;
    await reach(alice, taskId, "completed");
    for (let n = 0; n < 2; n += 1) expect((await alice.delete(draftUrl(id))).status).toBe(200);
    expect((await workflowOf(id)).draft).toBeUndefined();
    const next = await saveDraft(id, { metadata: graph("next"), revision: null });
    expect(next.body.draft.revision).toBeGreaterThan(1);
    expect(await outputOf(id, "&version=draft")).toBe("next");
    const again = await alice.post(`/api/tasks/${taskId}/replay`, { version: "original" });
    expect((await reach(alice, again.body.taskId, "completed")).result.output).toBe("gone");
  });

  test("is copied with its workflow, exported on request, and ends with its workflow", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    const copy = (await alice.post(`/api/workflows/${id}/clone`)).body.workflow;
    expect(copy).toMatchObject({ name: "Report (copy)", metadata: graph("live"), draft: { baseVersion: 1 } });
    expect((await alice.get(draftUrl(copy.id))).body.draft).toMatchObject({
      name: "Report (copy)",
      metadata: graph("draft"),
    });
    const exported = async (query: string) => (await alice.get(`/api/workflows/${id}/export${query}`)).body;
    await outputOf(id, "&version=draft");
    expect(await exported("")).toMatchObject({ metadata: graph("live"), versions: [{ version: 1 }] });
    expect(await exported("?version=draft")).toMatchObject({
      metadata: graph("draft"),
      versions: [{ version: 1 }],
    });
    await alice.delete(`/api/workflows/${id}`);
    expect((await alice.get(draftUrl(id))).status).toBe(404);
    expect((await saveDraft(id, { metadata: graph("late") })).status).toBe(404);
  });
});

describe("publishing", () => {
  test("makes the draft live with its note and author, and leaves no draft", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { name: "Named", description: "Daily", metadata: graph("draft") });
    const published = await publish(id, { note: "Say draft" });
    expect(published).toMatchObject({
      status: 200,
      body: {
        workflow: { version: 2, name: "Named", description: "Daily", metadata: graph("draft") },
        warnings: [],
      },
    });
    expect(published.body.workflow.draft).toBeUndefined();
    expect(await workflowOf(id)).toEqual(published.body.workflow);
    expect((await alice.get(draftUrl(id))).body.draft).toBeNull();
    expect(await outputOf(id)).toBe("draft");
    const { versions } = (await alice.get(`/api/workflows/${id}/versions?runs=true`)).body;
    expect(versions).toMatchObject([
      { version: 2, note: "Say draft", createdBy: alice.user.id, runs: 1 },
      { version: 1, note: "Created", runs: 0 },
    ]);
    // A repeated request, after a lost response, changes nothing.
    expect((await publish(id, { note: "Again" })).body.workflow.version).toBe(2);
  });

  test("changes public endpoints and sub-workflows; saving a draft does not", async () => {
    const { id: workflowId } = await enableEndpoint(alice, { authentication: false }, graph("live"));
    const parent = await createWorkflow({ steps: [sub("call", workflowId)], edges: [] });
    const call = async () =>
      (await app.anonymous.post(`/api/workflows/public/${workflowId}`, { input: {} })).body.result?.output;
    await saveDraft(workflowId, { metadata: graph("draft") });
    expect([await call(), await outputOf(parent)]).toEqual(["live", "live"]);
    await publish(workflowId);
    expect([await call(), await outputOf(parent)]).toEqual(["draft", "draft"]);
  });

  test("is refused when the live version changed after the draft was begun", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    await alice.patch(`/api/workflows/${id}`, { metadata: graph("patched") });
    expect(await outputOf(id)).toBe("patched");
    expect(await publish(id)).toMatchObject({
      status: 409,
      body: { error: "version_conflict", details: { currentVersion: 2 } },
    });
    await saveDraft(id, { metadata: graph("merged"), baseVersion: 2 });
    expect((await publish(id)).body.workflow).toMatchObject({ version: 3, metadata: graph("merged") });
  });

  test("of a named revision refuses another one, and equal content makes no version", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    expect(await publish(id, { revision: 9 })).toMatchObject({
      status: 409,
      body: { error: "version_conflict" },
    });
    await saveDraft(id, { metadata: graph("live") });
    expect((await publish(id, { revision: 2 })).body.workflow).toMatchObject({ version: 1 });
    expect((await workflowOf(id)).draft).toBeUndefined();
  });

  test("at the same time as a save loses neither", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createWorkflow();
      await saveDraft(id, { metadata: graph("first") });
      const [published, saved] = await Promise.all([
        publish(id),
        saveDraft(id, { metadata: graph("second") }),
      ]);
      expect([published.status, saved.status]).toEqual([200, 200]);
      const workflow = await workflowOf(id);
      const shown = workflow.draft === undefined ? workflow : (await alice.get(draftUrl(id))).body.draft;
      expect(shown.metadata).toEqual(graph("second"));
    }
  });
});

test("a kill -9 between saving a draft and publishing it loses neither", async () => {
  const dataDir = await useTemporaryFolder();
  const first = startService({ DATA_DIR: dataDir });
  let base = await first.ready();
  const account = { email: "ada@example.com", password: "long enough" };
  let token = "";
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line no-explicit-any
    return (await response.json()) as any;
  };
  ({ token } = await send("POST", "/api/auth/register", account));
  const { id } = (await send("POST", "/api/workflows", { name: "W", metadata: graph("live") })).workflow;
  const { taskId } = await send("POST", `/api/workflows/${id}/run?version=draft`, {});
  await send("PUT", draftUrl(id), { metadata: graph("draft") });
  const draftRun = await send("POST", `/api/workflows/${id}/run?version=draft`, {});
  await first.stop("SIGKILL");

  const second = startService({ DATA_DIR: dataDir });
  base = await second.ready();
  expect((await send("GET", draftUrl(id))).draft).toMatchObject({ revision: 1, metadata: graph("draft") });
  expect((await send("GET", `/api/workflows/${id}`)).workflow.version).toBe(1);
  for (const [task, output] of [
    [taskId, "live"],
    [draftRun.taskId, "draft"],
  ])
    await expect.poll(async () => (await send("GET", `/api/tasks/${task}`)).task.result?.output).toBe(output);
  const published = await send("POST", `/api/workflows/${id}/publish`, {});
  expect(published.workflow).toMatchObject({ version: 2, metadata: graph("draft") });
});
