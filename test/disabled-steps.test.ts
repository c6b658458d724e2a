import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

const say = (stepId: string, template: unknown, more: object = {}) => ({
  stepId,
  type: "transform",
  template,
  ...more,
});
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

/** Creates and runs a workflow; returns its task. */
async function run(steps: object[], edges: object[], input: unknown = {}): Promise<any> {
  const created = await alice.post("/api/workflows", { name: "Disabled", metadata: { steps, edges } });
  expect(created.status).toBe(201);
  const { body } = await alice.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, { input });
  return (await alice.get(`/api/tasks/${body.taskId}`)).body.task;
}

const outcomes = (task: any) =>
  Object.fromEntries(task.stepResults.map((result: any) => [result.stepId, result.reason ?? result.status]));

test("a disabled step is skipped with its reason, and the run continues after it with an empty output", async () => {
  const task = await run(
    [say("a", 1), say("b", 2, { disabled: true }), say("c", ["{{steps.a.output}}", "{{steps.b.output}}"])],
    [edge("a", "b"), edge("b", "c")],
  );
  expect(task.status).toBe("completed");
  expect(outcomes(task)).toEqual({ a: "completed", b: "disabled", c: "completed" });
  expect(task.stepResults.find((result: any) => result.stepId === "c").output).toEqual([1, null]);
});

test("disabled steps at the beginning and at the end are passed and recorded", async () => {
  const task = await run(
    [say("a", 1, { disabled: true }), say("b", 2), say("c", 3, { disabled: true })],
    [edge("a", "b"), edge("b", "c")],
  );
  expect(task.status).toBe("completed");
  expect(outcomes(task)).toEqual({ a: "disabled", b: "completed", c: "disabled" });
});

test("a run whose steps are all disabled completes", async () => {
  const task = await run(
    [say("a", 1, { disabled: true }), say("b", 2, { disabled: true })],
    [edge("a", "b")],
  );
  expect(task.status).toBe("completed");
  expect(outcomes(task)).toEqual({ a: "disabled", b: "disabled" });
});

test("a step inside a loop is disabled for every item", async () => {
  const loop = {
    stepId: "each",
    type: "foreach",
    items: "{{input.items}}",
    steps: [say("x", "{{item}}", { disabled: true }), say("y", "{{item}}!")],
  };
  const task = await run([loop], [], { items: ["p", "q"] });
  expect(task.result.output).toEqual(["p!", "q!"]);
});

test("a disabled step may be incomplete, but not of an unknown type", async () => {
  const save = (stepOf: object) =>
    alice.post("/api/workflows", { name: "Incomplete", metadata: { steps: [stepOf], edges: [] } });
  expect((await save({ stepId: "a", type: "http", disabled: true })).status).toBe(201);
  expect(
    (await save({ stepId: "a", type: "foreach", disabled: true, steps: [{ stepId: "x", type: "http" }] }))
      .status,
  ).toBe(201);
  expect((await save({ stepId: "a", type: "http" })).status).toBe(422);
  expect((await save({ stepId: "a", type: "nonsense", disabled: true })).status).toBe(422);
  expect((await save({ stepId: "a", type: "http", disabled: "yes" })).status).toBe(422);
});

test("notes are versioned with the graph and part of exports", async () => {
  const notes = [{ id: "note-1", text: "Ask Lena", position: { x: 1, y: 2 } }];
  const { body } = await alice.post("/api/workflows", {
    name: "Noted",
    metadata: { steps: [say("a", 1)], edges: [], notes },
  });
  const { id } = body.workflow;
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow.metadata.notes).toEqual(notes);
  const file = (await alice.get(`/api/workflows/${id}/export`)).body;
  const template = await alice.post("/api/templates", file);
  const copy = await alice.post(`/api/templates/import/${template.body.template.id}`);
  expect(copy.body.workflow.metadata.notes).toEqual(notes);
  const wrong = { steps: [], edges: [], notes: [{ id: "n", text: 7 }] };
  expect((await alice.post("/api/workflows", { name: "Wrong", metadata: wrong })).status).toBe(400);
});
