import { describe, expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser } from "../../../test/support/test-app.ts";
import { reach, run, save, statuses } from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);
const workflowId = await save(
  ada,
  [
    value("a", "{{input.n}}"),
    value("b", "b{{steps.a.output}}"),
    value("c", "c{{steps.b.output}}"),
    value("side"),
  ],
  [edge("a", "b"), edge("b", "c")],
);

const partial = (body: unknown) => ada.post(`/api/workflows/${workflowId}/run-partial`, body);

describe("a partial run", () => {
  test.each(["stepIds", "steps"])("runs only the steps named by %s, in graph order", async (field) => {
    const { body } = await partial({ [field]: ["b", "a"], input: { n: 1 } });
    expect(body).toMatchObject({ ok: true, workflowId, stepIds: ["b", "a"] });
    const task = await reach(ada, body.taskId, "completed");
    expect(task).toMatchObject({ trigger: "partial", result: { output: "b1" } });
    expect(task.stepResults.map((step: { stepId: string }) => step.stepId)).toEqual(["a", "b"]);
  });

  test("from a step runs it and all later steps", async () => {
    const { body } = await partial({ startStepId: "b", outputs: { a: 7 } });
    expect(body.stepIds.toSorted()).toEqual(["b", "c"]);
    expect((await reach(ada, body.taskId, "completed")).result.output).toBe("cb7");
  });

  test("takes outputs of other steps from the request, else from a task", async () => {
    const workflow = await run(ada, [value("a")]);
    expect(workflow.status).toBe("completed");
    const whole = await ada.post(`/api/workflows/${workflowId}/run?wait=true`, { input: { n: 5 } });
    const fromTask = await partial({ stepIds: ["c"], fromTaskId: whole.body.taskId });
    expect((await reach(ada, fromTask.body.taskId, "completed")).result.output).toBe("cb5");
    const given = await partial({ stepIds: ["c"], fromTaskId: whole.body.taskId, outputs: { b: "mine" } });
    expect((await reach(ada, given.body.taskId, "completed")).result.output).toBe("cmine");
    // One partial run after the other: the second reads outputs given to the first.
    const onward = await partial({ stepIds: ["c"], fromTaskId: given.body.taskId });
    expect((await reach(ada, onward.body.taskId, "completed")).result.output).toBe("cmine");
  });

  test("fails a step that needs a missing output", async () => {
    const { body } = await partial({ stepIds: ["c"] });
    const task = await reach(ada, body.taskId, "failed");
    expect(task.error).toMatchObject({ code: "missing_output", stepId: "c" });
    expect(statuses(task)).toEqual({ c: "failed" });
  });

  test("is replayed with the same steps and given outputs", async () => {
    const original = await partial({ stepIds: ["b", "c"], outputs: { a: 3 } });
    await reach(ada, original.body.taskId, "completed");
    for (const body of [{}, { fromStepId: "c" }, { version: "current" }]) {
      const replay = await ada.post(`/api/tasks/${original.body.taskId}/replay`, body);
      const task = await reach(ada, replay.body.taskId, "completed");
      expect(statuses(task)).toEqual({ b: "completed", c: "completed" });
      expect(task).toMatchObject({ trigger: "partial", result: { output: "cb3" } });
    }
    const elsewhere = await ada.post(`/api/tasks/${original.body.taskId}/replay`, { fromStepId: "a" });
    expect(elsewhere).toMatchObject({ status: 400, body: { error: "unknown_step" } });
  });

  test("is not replayed on a version that has none of its steps", async () => {
    const edited = await save(ada, [value("old")]);
    const { body } = await ada.post(`/api/workflows/${edited}/run-partial`, { stepIds: ["old"] });
    await reach(ada, body.taskId, "completed");
    await ada.put(`/api/workflows/${edited}`, { metadata: { steps: [value("new")], edges: [] } });
    const replay = await ada.post(`/api/tasks/${body.taskId}/replay`, { version: "current" });
    expect(replay).toMatchObject({ status: 400, body: { error: "unknown_step" } });
  });

  test("is refused without steps, with unknown steps and with a task of another user", async () => {
    expect(await partial({ stepIds: ["a", "z"] })).toMatchObject({
      status: 400,
      body: { error: "unknown_step" },
    });
    expect(await partial({ startStepId: "z" })).toMatchObject({
      status: 400,
      body: { error: "unknown_step" },
    });
    for (const body of [{}, { stepIds: [] }, { steps: [] }, { stepIds: "a" }, null])
      expect((await partial(body)).status).toBe(400);
    const stranger = await registerUser(app);
    const theirs = await run(stranger, [value("a")]);
    expect((await partial({ stepIds: ["c"], fromTaskId: theirs.id })).status).toBe(403);
    expect((await stranger.post(`/api/workflows/${workflowId}/run-partial`, { stepIds: ["a"] })).status).toBe(
      403,
    );
  });
});
