import { expect, test } from "vitest";
import { http, reach, read, save, start, sub } from "../server/engine/testing/workbench.ts";
import { transformStep as value } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser } from "./support/test-app.ts";

const { app, ada } = await shareApp(["ada"]);
const NOWHERE = "http://127.0.0.1:9";
const broken = http("call", NOWHERE);
const report = value("report", "{{input.error.code}} in {{input.failedStep}} of {{input.workflow.name}}");

async function runsOf(workflowId: string, owner: Pick<typeof ada, "get"> = ada) {
  const { body } = await owner.get(`/api/tasks?workflowId=${workflowId}`);
  return body.tasks as { id: string; status: string; trigger: string }[];
}

test("a failed run starts the error workflow of its workflow once, with the run as its input", async () => {
  const errorWorkflowId = await save(ada, [report]);
  const id = await save(ada, [broken], [], { settings: { errorWorkflowId } });
  const taskId = await start(ada, id, { order: 7 });
  await reach(ada, taskId, "failed");
  await expect.poll(() => runsOf(errorWorkflowId)).toMatchObject([{ status: "completed", trigger: "error" }]);
  const [run] = await runsOf(errorWorkflowId);
  const task = await read(ada, run!.id);
  expect(task.input).toMatchObject({
    taskId,
    workflow: { id, name: "test", version: 1 },
    error: { code: "connection_failed", message: expect.any(String) },
    failedStep: "call",
    trigger: "manual",
    input: { order: 7 },
    url: expect.stringContaining(`/runs/${taskId}`),
    failedAt: expect.any(String),
  });
  expect(task.result.output).toBe("connection_failed in call of test");
});

test("the error workflow of the account runs for workflows without one, and never for error workflows", async () => {
  const bob = await registerUser(app, "bob");
  const fails = await save(bob, [broken]);
  const errorWorkflowId = await save(bob, [broken]);
  expect((await bob.put("/api/account/error-workflow", { errorWorkflowId })).body).toEqual({
    ok: true,
    errorWorkflowId,
  });
  expect((await bob.get("/api/account/error-workflow")).body).toEqual({ ok: true, errorWorkflowId });
  await reach(bob, await start(bob, fails), "failed");
  await expect
    .poll(() => runsOf(errorWorkflowId, bob))
    .toMatchObject([{ status: "failed", trigger: "error" }]);
  // Its own failure starts nothing: a run of another workflow afterwards is the next and only one.
  await reach(bob, await start(bob, errorWorkflowId), "failed");
  await reach(bob, await start(bob, fails), "failed");
  await expect
    .poll(
      async () => (await runsOf(errorWorkflowId, bob)).filter(({ trigger }) => trigger === "error").length,
    )
    .toBe(2);
  expect(await runsOf(errorWorkflowId, bob)).toHaveLength(3);
  await bob.put("/api/account/error-workflow", { errorWorkflowId: null });
  expect((await bob.get("/api/account/error-workflow")).body).toEqual({ ok: true, errorWorkflowId: null });
});

test("the failure of a sub-workflow is that of its parent: one error run", async () => {
  const errorWorkflowId = await save(ada, [report]);
  const child = await save(ada, [broken], [], { settings: { errorWorkflowId } });
  const parent = await save(ada, [sub("sub", child)], [], { settings: { errorWorkflowId } });
  await reach(ada, await start(ada, parent), "failed");
  await expect.poll(() => runsOf(errorWorkflowId)).toMatchObject([{ status: "completed" }]);
});

test("a time limit is a failure, too, and the account of another user sets no foreign workflow", async () => {
  const errorWorkflowId = await save(ada, [report]);
  const nap = { stepId: "nap", type: "delay", seconds: 60 };
  const id = await save(ada, [nap], [], { settings: { errorWorkflowId, timeoutMs: 50 } });
  await start(ada, id);
  await expect
    .poll(() => runsOf(errorWorkflowId), { timeout: 5000 })
    .toMatchObject([{ status: "completed" }]);
  const eve = await registerUser(app, "eve");
  expect((await eve.put("/api/account/error-workflow", { errorWorkflowId })).status).toBe(403);
});

test("a workflow whose error workflow was deleted uses that of the account, and can be cloned", async () => {
  const cleo = await registerUser(app, "cleo");
  const [deleted, fallback] = [await save(cleo, [report]), await save(cleo, [report])];
  await cleo.put("/api/account/error-workflow", { errorWorkflowId: fallback });
  const id = await save(cleo, [broken], [], { settings: { errorWorkflowId: deleted, timeoutMs: 60_000 } });
  await cleo.delete(`/api/workflows/${deleted}`);
  await reach(cleo, await start(cleo, id), "failed");
  await expect.poll(() => runsOf(fallback, cleo)).toMatchObject([{ status: "completed", trigger: "error" }]);
  const clone = await cleo.post(`/api/workflows/${id}/clone`);
  expect(clone.body.workflow.settings).toMatchObject({ timeoutMs: 60_000 });
});
