import { expect, test } from "vitest";
import { reach, save, start } from "../../server/engine/testing/workbench.ts";
import { transformStep as value } from "../support/graphs.ts";
import { shareApp } from "../support/shared-app.ts";
import { addTeamWorkspace, inWorkspace } from "../support/workspaces.ts";

const { app, ann, bob } = await shareApp(["ann", "bob"]);
const team = await addTeamWorkspace(app, [
  [ann, "admin"],
  [bob, "operator"],
]);
const admin = inWorkspace(ann, team);
const operator = inWorkspace(bob, team);

const approval = { stepId: "ask", type: "approval", message: "Pay?", approvers: [ann.user.email] };
const pay = value("pay", "Paid {{input.amount}}");
const makeWorkflow = (): Promise<string> => save(admin, [approval, pay]);

/** The same request is refused to an operator and accepted from an admin. */
async function expectOnlyBuilders(url: string, body: object): Promise<void> {
  const refused = await operator.post(url, body);
  expect([url, refused.status, refused.body.details]).toEqual([
    url,
    403,
    { role: "operator", requiredRole: "builder" },
  ]);
  expect([url, (await admin.post(url, body)).body.ok]).toEqual([url, true]);
}

test("an operator runs no selected steps: a selection may leave out an approval", async () => {
  const id = await makeWorkflow();
  await expectOnlyBuilders(`/api/workflows/${id}/run-partial`, { stepIds: ["pay"], input: { amount: 1 } });
});

test("an operator runs the published version, and neither a draft nor an older version", async () => {
  const id = await save(admin, [pay]);
  const steps = [approval, pay];
  const edges = [{ id: "e1", source: "ask", target: "pay" }];
  const old = await start(operator, id, { amount: 1 });
  await reach(admin, old, "completed");
  await admin.put(`/api/workflows/${id}`, { metadata: { steps, edges } });
  await admin.put(`/api/workflows/${id}/draft`, { metadata: { steps: [pay], edges: [] } });
  for (const version of ["draft", "1"]) {
    await expectOnlyBuilders(`/api/workflows/${id}/run?version=${version}`, { input: { amount: 1 } });
    await expectOnlyBuilders(`/api/tasks/${old}/replay`, { version });
  }
  await expectOnlyBuilders(`/api/tasks/${old}/replay`, { input: { amount: 1_000_000 } });
  expect((await operator.post(`/api/tasks/${old}/replay`, {})).status).toBe(201);
  expect((await operator.post(`/api/workflows/${id}/run?version=live`, {})).status).toBe(200);
  expect((await operator.post(`/api/tasks/${old}/replay`, { version: "current" })).status).toBe(201);
});

test("an operator reruns a failed run on its own or the published version only", async () => {
  const id = await save(admin, [{ stepId: "fail", type: "code", code: "throw new Error('no')" }]);
  const taskId = await start(operator, id);
  await reach(admin, taskId, "failed");
  await admin.put(`/api/workflows/${id}/draft`, { metadata: { steps: [pay], edges: [] } });
  await expectOnlyBuilders(`/api/tasks/${taskId}/rerun-from-failed?version=draft`, {});
});

test("an operator repeats what was approved with the same input; other input needs another approval", async () => {
  const taskId = await start(operator, await makeWorkflow(), { amount: 1 });
  await reach(admin, taskId, "waiting_approval");
  await admin.post(`/api/tasks/${taskId}/resume`, { decision: "approve" });
  await reach(admin, taskId, "completed");
  const url = `/api/tasks/${taskId}/replay`;
  await expectOnlyBuilders(url, { fromStepId: "pay", input: { amount: 1_000_000 } });
  expect((await operator.post(url, { fromStepId: "pay" })).status).toBe(201);
  const again = await operator.post(url, { input: { amount: 1_000_000 } });
  expect(again.status).toBe(201);
  await reach(admin, again.body.taskId, "waiting_approval");
});

test("an operator gives the test of a step no other input", async () => {
  const body = { stepIds: ["pay"], input: { amount: 1 } };
  const tested = await admin.post(`/api/workflows/${await makeWorkflow()}/run-partial`, body);
  await reach(admin, tested.body.taskId, "completed");
  const again = await operator.post(`/api/tasks/${tested.body.taskId}/replay`, {});
  expect(again.status).toBe(201);
  await reach(admin, again.body.taskId, "completed");
  for (const id of [tested.body.taskId, again.body.taskId])
    await expectOnlyBuilders(`/api/tasks/${id}/replay`, { input: { amount: 1_000_000 } });
});
