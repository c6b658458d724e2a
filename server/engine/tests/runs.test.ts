import { describe, expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, type Loose, run, save, statuses } from "../testing/workbench.ts";

const { ada } = await shareApp(["ada"]);

describe("a run", () => {
  test("passes outputs from step to step and ends with the last output", async () => {
    const task = await run(
      ada,
      [
        value("a", "{{input.name}}"),
        value("b", { greeting: "hi {{steps.a.output}}" }),
        value("c", "{{steps.b.output}}"),
      ],
      [],
      { name: "Ada" },
    );
    expect(task).toMatchObject({
      status: "completed",
      trigger: "manual",
      result: { output: { greeting: "hi Ada" }, outputs: { c: { greeting: "hi Ada" } } },
    });
    expect(task.stepResults.map((step: Loose) => [step.stepId, step.status, step.attempts])).toEqual([
      ["a", "completed", 1],
      ["b", "completed", 1],
      ["c", "completed", 1],
    ]);
  });

  test("shows steps whose ids look like iterations, also when the result is read from the database", async () => {
    const ids = ["x[a]", "y[0]", "y[0]/z"];
    const task = await run(ada, [...ids.map((id) => value(id)), foreach("each", [1, 2], [value("in")])]);
    expect(Object.keys(statuses(task))).toEqual([...ids, "each"]);
  });

  test("takes the branch of a condition and skips the other", async () => {
    const steps = [
      { stepId: "big", type: "condition", left: "{{input.n}}", operator: "gt", right: 10 },
      value("yes", "big"),
      value("no", "small"),
      value("end", "{{steps.yes.output}}{{steps.no.output}}"),
    ];
    const edges = [
      edge("big", "yes", { condition: "true" }),
      edge("big", "no", { condition: "false" }),
      edge("yes", "end"),
      edge("no", "end"),
    ];
    const task = await run(ada, steps, edges, { n: 11 });
    expect(task.result.output).toBe("big");
    expect(statuses(task)).toEqual({ big: "completed", yes: "completed", no: "skipped", end: "completed" });
    expect((await run(ada, steps, edges, { n: 1 })).result.output).toBe("small");
  });

  test("iterates over a list and keeps its order", async () => {
    const task = await run(
      ada,
      [
        {
          stepId: "each",
          type: "foreach",
          items: "{{input.items}}",
          concurrency: 3,
          steps: [value("x", "{{index}}:{{item}}"), value("y", "<{{steps.x.output}}>")],
        },
      ],
      [],
      { items: ["a", "b", "c", "d"] },
    );
    expect(task.result.output).toEqual(["<0:a>", "<1:b>", "<2:c>", "<3:d>"]);
  });

  test("fails at a step with its error, and handles a failure by an error edge", async () => {
    const failing = { stepId: "read", type: "file", action: "read", path: "nothing.txt" };
    const task = await run(ada, [failing, value("after", "x")]);
    expect(task).toMatchObject({
      status: "failed",
      error: { code: "file_not_found", stepId: "read" },
      result: null,
    });
    const handled = await run(
      ada,
      [failing, value("after", "x"), value("rescue", "{{steps.read.error.code}}")],
      [edge("read", "after"), edge("read", "rescue", { condition: "error" })],
    );
    expect(handled).toMatchObject({ status: "completed", result: { output: "file_not_found" } });
    const continued = await run(ada, [
      { ...failing, onError: "continue" },
      value("after", "{{steps.read.status}}"),
    ]);
    expect(continued).toMatchObject({ status: "completed", result: { output: "failed" } });
  });

  test("waits for an approval, once", async () => {
    const id = await save(ada, [
      { stepId: "ok", type: "approval", message: "Publish?" },
      value("after", "{{steps.ok.output.decision}} {{steps.ok.output.comment}}"),
    ]);
    const { body } = await ada.post(`/api/workflows/${id}/run?wait=true`, {});
    expect(body).toMatchObject({ ok: true, status: "waiting_approval" });
    const decisions = await Promise.all(
      [1, 2, 3].map(() => ada.post(`/api/tasks/${body.taskId}/resume`, { comment: "fine" })),
    );
    expect(decisions.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    await expect
      .poll(async () => (await ada.get(`/api/tasks/${body.taskId}`)).body.task)
      .toMatchObject({ status: "completed", result: { output: "approve fine" } });
  });

  test("runs a sub-workflow as a separate task", async () => {
    const inner = await save(ada, [value("double", "{{input.word}}{{input.word}}")]);
    const task = await run(
      ada,
      [{ stepId: "sub", type: "workflow", workflowId: inner, input: { word: "{{input.word}}" } }],
      [],
      { word: "ha" },
    );
    expect(task).toMatchObject({ status: "completed", result: { output: "haha" } });
    const { body } = await ada.get(`/api/tasks?workflowId=${inner}`);
    expect(body.tasks).toMatchObject([{ trigger: "workflow", parentTaskId: task.id, status: "completed" }]);
  });

  test("delays and retries without holding a slot", async () => {
    const task = await run(ada, [
      { stepId: "nap", type: "delay", seconds: 0.3 },
      { stepId: "read", type: "file", action: "read", path: "nope", maxRetries: 1 },
    ]);
    expect(task).toMatchObject({ status: "failed", error: { stepId: "read" } });
    expect(task.stepResults[1]).toMatchObject({ stepId: "read", attempts: 2, status: "failed" });
  });
});
