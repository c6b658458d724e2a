import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";

let app: TestApp;
let ada: RegisteredUser;
beforeAll(async () => {
  app = await createTestApp();
  ada = await registerUser(app);
});
afterAll(() => app.close());

interface Body {
  [key: string]: any;
}

async function workflow(steps: unknown[], edges: unknown[] = []): Promise<string> {
  const { body } = await ada.post<Body>("/api/workflows", { name: "test", metadata: { steps, edges } });
  return body["workflow"].id as string;
}

async function runToEnd(steps: unknown[], edges: unknown[] = [], input: unknown = {}): Promise<Body> {
  const id = await workflow(steps, edges);
  const { body } = await ada.post<Body>(`/api/workflows/${id}/run?wait=true`, { input });
  return (await ada.get<Body>(`/api/tasks/${body["taskId"]}`)).body["task"];
}

const value = (stepId: string, template: unknown, more: object = {}) => ({
  stepId,
  type: "transform",
  template,
  ...more,
});
const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});

describe("a run", () => {
  test("hands outputs from step to step and ends with the last one's", async () => {
    const task = await runToEnd(
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
    expect(
      task["stepResults"].map((step: Body) => [step["stepId"], step["status"], step["attempts"]]),
    ).toEqual([
      ["a", "completed", 1],
      ["b", "completed", 1],
      ["c", "completed", 1],
    ]);
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
    const task = await runToEnd(steps, edges, { n: 11 });
    expect(task["result"].output).toBe("big");
    expect(
      Object.fromEntries(task["stepResults"].map((step: Body) => [step["stepId"], step["status"]])),
    ).toEqual({ big: "completed", yes: "completed", no: "skipped", end: "completed" });
    expect((await runToEnd(steps, edges, { n: 1 }))["result"].output).toBe("small");
  });

  test("goes through a list and keeps the order", async () => {
    const task = await runToEnd(
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
    expect(task["result"].output).toEqual(["<0:a>", "<1:b>", "<2:c>", "<3:d>"]);
  });

  test("fails at a step, tells why, and handles a failure by an error edge", async () => {
    const failing = { stepId: "read", type: "file", action: "read", path: "nothing.txt" };
    const task = await runToEnd([failing, value("after", "x")]);
    expect(task).toMatchObject({
      status: "failed",
      error: { code: "file_not_found", stepId: "read" },
      result: null,
    });
    const handled = await runToEnd(
      [failing, value("after", "x"), value("rescue", "{{steps.read.error.code}}")],
      [edge("read", "after"), edge("read", "rescue", { condition: "error" })],
    );
    expect(handled).toMatchObject({ status: "completed", result: { output: "file_not_found" } });
    const continued = await runToEnd([
      { ...failing, onError: "continue" },
      value("after", "{{steps.read.status}}"),
    ]);
    expect(continued).toMatchObject({ status: "completed", result: { output: "failed" } });
  });

  test("waits for a person, once", async () => {
    const id = await workflow([
      { stepId: "ok", type: "approval", message: "Publish?" },
      value("after", "{{steps.ok.output.decision}} {{steps.ok.output.comment}}"),
    ]);
    const { body } = await ada.post<Body>(`/api/workflows/${id}/run?wait=true`, {});
    expect(body).toMatchObject({ ok: true, status: "waiting_approval" });
    const decisions = await Promise.all(
      [1, 2, 3].map(() => ada.post<Body>(`/api/tasks/${body["taskId"]}/resume`, { comment: "fine" })),
    );
    expect(decisions.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    await expect
      .poll(async () => (await ada.get<Body>(`/api/tasks/${body["taskId"]}`)).body["task"])
      .toMatchObject({ status: "completed", result: { output: "approve fine" } });
  });

  test("runs a sub-workflow as a task of its own", async () => {
    const inner = await workflow([value("double", "{{input.word}}{{input.word}}")]);
    const task = await runToEnd(
      [{ stepId: "sub", type: "workflow", workflowId: inner, input: { word: "{{input.word}}" } }],
      [],
      { word: "ha" },
    );
    expect(task).toMatchObject({ status: "completed", result: { output: "haha" } });
    const { body } = await ada.get<Body>(`/api/tasks?workflowId=${inner}`);
    expect(body["tasks"]).toMatchObject([
      { trigger: "workflow", parentTaskId: task["id"], status: "completed" },
    ]);
  });

  test("delays and retries without holding anything", async () => {
    const task = await runToEnd([
      { stepId: "nap", type: "delay", seconds: 0.3 },
      { stepId: "read", type: "file", action: "read", path: "nope", maxRetries: 1 },
    ]);
    expect(task).toMatchObject({ status: "failed", error: { stepId: "read" } });
    expect(task["stepResults"][1]).toMatchObject({ stepId: "read", attempts: 2, status: "failed" });
  });
});
