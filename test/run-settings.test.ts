import { expect, test } from "vitest";
import { reach, save, start } from "../server/engine/testing/workbench.ts";
import { transformStep as value } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, ada, bob } = await shareApp(["ada", "bob"]);

const nap = { stepId: "nap", type: "delay", seconds: 3600 };

test("settings of runs are stored with the workflow, merged, cleared with null and copied", async () => {
  const errorWorkflowId = await save(ada, [value("report", "x")]);
  const id = await save(ada, [nap], [], { settings: { timeoutMs: 5000, errorWorkflowId } });
  const settingsOf = async (workflowId: string) =>
    (await ada.get(`/api/workflows/${workflowId}`)).body.workflow.settings;
  expect(await settingsOf(id)).toEqual({ timeoutMs: 5000, errorWorkflowId });
  const concurrency = { limit: 2, key: "{{input.customer}}", whenFull: "skip" };
  await ada.patch(`/api/workflows/${id}`, { settings: { timeoutMs: null, concurrency } });
  expect(await settingsOf(id)).toEqual({ errorWorkflowId, concurrency });
  const { workflow } = (await ada.post(`/api/workflows/${id}/clone`)).body;
  expect(workflow.settings).toEqual({ errorWorkflowId, concurrency });
  await ada.patch(`/api/workflows/${id}`, { settings: { errorWorkflowId: null, concurrency: null } });
  expect(await settingsOf(id)).toBeUndefined();
  expect((await ada.get(`/api/workflows/${id}`)).body.workflow.version).toBe(1);
});

test.each([
  [{ timeoutMs: 0 }, 400, "invalid_request"],
  [{ concurrency: { limit: 0 } }, 400, "invalid_request"],
  [{ concurrency: { key: "{{steps.a.output}}" } }, 400, "invalid_request"],
  [{ errorWorkflowId: "wf_unknown" }, 404, "workflow_not_found"],
])("settings %j are refused", async (settings, status, error) => {
  const answer = await ada.post("/api/workflows", { name: "x", settings });
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test("the error workflow is one of the same account, and another one than the workflow itself", async () => {
  const id = await save(ada, [nap]);
  const foreign = await save(bob, [nap]);
  const refused = await ada.patch(`/api/workflows/${id}`, { settings: { errorWorkflowId: foreign } });
  expect(refused.status).toBe(403);
  expect(refused.body.message).toBe(
    "settings.errorWorkflowId is not a workflow of this workspace. Name another one, or send null for none.",
  );
  expect((await ada.patch(`/api/workflows/${id}`, { settings: { errorWorkflowId: id } })).status).toBe(400);
});

test("a waiting run fails at the time limit of its workflow", async () => {
  const id = await save(ada, [nap], [], { settings: { timeoutMs: 100 } });
  expect((await reach(ada, await start(ada, id), "failed")).error).toMatchObject({ code: "run_timeout" });
});

test("a run that is skipped is 409 for a call and recorded for a webhook", async () => {
  const settings = { concurrency: { whenFull: "skip" } };
  const apiSettings = { enabled: true, authentication: false, sync: false };
  const id = await save(ada, [nap], [], { settings, apiSettings });
  await reach(ada, await start(ada, id), "waiting");
  const refused = { status: 409, body: { error: "run_skipped" } };
  expect(await ada.post(`/api/workflows/${id}/run`, {})).toMatchObject(refused);
  expect(await app.anonymous.post(`/api/workflows/public/${id}`, {})).toMatchObject(refused);
  const { webhook } = (await ada.post("/api/webhooks", { name: "w", source: "skip", workflowId: id })).body;
  const headers = { "x-webhook-secret": webhook.secret as string };
  expect(await app.anonymous.post("/webhook/skip", {}, headers)).toMatchObject(refused);
  const { deliveries } = (await ada.get(`/api/webhooks/${webhook.id}/deliveries`)).body;
  expect(deliveries).toMatchObject([{ status: "rejected", reason: "run_skipped" }]);
});
