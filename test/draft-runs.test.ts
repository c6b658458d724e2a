import { describe, expect, test } from "vitest";
import {
  http,
  inTurn,
  reach,
  run,
  save,
  serve,
  start,
  statuses,
  sub,
} from "../server/engine/testing/workbench.ts";
import { chain, edge, transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser } from "./support/test-app.ts";

const { app, alice } = await shareApp(["alice"]);

const graph = (template: unknown) => ({ steps: [transformStep("a", template)], edges: [] });
async function createWorkflow(metadata: object = graph("live")): Promise<string> {
  return (await alice.post("/api/workflows", { name: "Report", metadata })).body.workflow.id as string;
}

const draftUrl = (id: string) => `/api/workflows/${id}/draft`;
const saveDraft = (id: string, body: object) => alice.put(draftUrl(id), body);
const outputOf = async (id: string, query = "") =>
  (await alice.post(`/api/workflows/${id}/run?wait=true${query}`, { input: {} })).body.result?.output;

describe("a run of a draft", () => {
  test("is marked, is not among the versions, and shows the graph that it ran", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    const { taskId } = (await alice.post(`/api/workflows/${id}/run?version=draft`)).body;
    const task = await reach(alice, taskId, "completed");
    expect(task).toMatchObject({ draft: true, workflowVersion: -1, result: { output: "draft" } });
    await saveDraft(id, { metadata: graph("edited") });
    const { tasks } = (await alice.get(`/api/tasks?workflowId=${id}`)).body;
    expect(tasks).toMatchObject([{ draft: true }]);
    const { versions } = (await alice.get(`/api/workflows/${id}/versions`)).body;
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([1]);
    const snapshot = await alice.get(`/api/workflows/${id}/versions/-1`);
    expect(snapshot.body.version).toMatchObject({ version: -1, metadata: graph("draft") });
    expect((await alice.post(`/api/workflows/${id}/rollback/-1`)).status).toBe(404);
    expect((await run(alice, [transformStep("a")])).draft).toBeUndefined();
  });

  test("without a draft runs the live version", async () => {
    const id = await createWorkflow();
    expect(await outputOf(id, "&version=draft")).toBe("live");
    expect((await alice.post(`/api/workflows/${id}/run?version=9`)).status).toBe(404);
    expect((await alice.post(`/api/workflows/${id}/run?version=none`)).status).toBe(400);
  });

  test("runs the steps that are complete, whatever is missing in others", async () => {
    const id = await createWorkflow();
    const metadata = {
      steps: [
        transformStep("a", "complete"),
        { stepId: "b", type: "http" },
        { stepId: "c", type: "foreach", items: "{{steps.a.output}}", steps: [{ stepId: "d", type: "llm" }] },
        { stepId: "e", type: "nothing known" },
        transformStep("f", "{{steps.missing.output}} {{nonsense"),
      ],
      edges: [edge("a", "b"), edge("b", "c"), edge("c", "e"), edge("e", "f")],
    };
    await saveDraft(id, { metadata });
    const partial = (stepIds: string[]) =>
      alice.post(`/api/workflows/${id}/run-partial?version=draft`, { stepIds });
    const started = await partial(["a"]);
    expect(started.status).toBe(200);
    expect(await reach(alice, started.body.taskId, "completed")).toMatchObject({
      draft: true,
      result: { output: "complete" },
    });
    for (const stepId of ["b", "c", "e", "f"])
      expect(await partial(["a", stepId])).toMatchObject({
        status: 422,
        body: { error: "invalid_workflow" },
      });
    expect((await partial(["unknown"])).body.error).toBe("unknown_step");
    const many = Array.from({ length: 1000 }, (_, i) => `unknown-${i}`);
    expect((await partial(many)).body).toMatchObject({
      error: "unknown_step",
      details: { stepIds: { length: 20 } },
    });
    const problems = (await partial(Array.from({ length: 1000 }, () => ""))).body;
    expect(problems).toMatchObject({ error: "invalid_request", details: { length: 100 } });
  });

  test("with an idempotency key is another call than one of the live version", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    const call = (query: string) =>
      alice.call(`/api/workflows/${id}/run${query}`, {
        method: "POST",
        body: { input: {} },
        headers: { "idempotency-key": "once" },
      });
    const first = await call("?version=draft");
    expect((await call("?version=draft")).body.taskId).toBe(first.body.taskId);
    expect((await call("")).status).toBe(409);
  });

  test("on the draft of another user is refused", async () => {
    const id = await createWorkflow();
    await saveDraft(id, { metadata: graph("draft") });
    const mallory = await registerUser(app, "mallory");
    for (const route of ["run", "run-partial"])
      expect(
        (await mallory.post(`/api/workflows/${id}/${route}?version=draft`, { stepIds: ["a"] })).status,
      ).toBe(403);
  });
});

describe("a rerun or a replay", () => {
  test("takes the original, the current, the draft or a numbered version", async () => {
    const id = await createWorkflow(graph("one"));
    const taskId = await start(alice, id);
    await reach(alice, taskId, "completed");
    await alice.put(`/api/workflows/${id}`, { metadata: graph("two") });
    await saveDraft(id, { metadata: graph("three") });
    const replay = async (version: unknown) => {
      const { body } = await alice.post(`/api/tasks/${taskId}/replay`, { version });
      return (await reach(alice, body.taskId, "completed")).result.output;
    };
    expect(await replay("original")).toBe("one");
    expect(await replay("current")).toBe("two");
    expect(await replay("draft")).toBe("three");
    expect(await replay(1)).toBe("one");
    expect((await alice.post(`/api/tasks/${taskId}/replay`, { version: "newest" })).status).toBe(400);
  });

  test("from the failed step runs the draft, and names what it keeps", async () => {
    const other = await serve(inTurn(500, "late"));
    const before = [transformStep("a"), http("b", other.url), transformStep("c", "{{steps.b.output}}")];
    const id = await save(alice, before);
    const taskId = await start(alice, id);
    await reach(alice, taskId, "failed");
    const steps = [before[0], before[1], transformStep("c", "draft {{steps.b.output}}")];
    await saveDraft(id, { metadata: { steps, edges: [] } });
    const rerun = await alice.post(`/api/tasks/${taskId}/rerun-from-failed`, { version: "draft" });
    expect(rerun.body).toMatchObject({ rerunFromStep: "b", keptSteps: ["a"], changedSteps: [] });
    expect(await reach(alice, taskId, "completed")).toMatchObject({
      draft: true,
      result: { output: "draft late" },
    });
  });

  test("on a version that changed completed steps runs these and the steps after them again", async () => {
    const other = await serve(inTurn(500, "late"));
    const child = await save(alice, [transformStep("x", "{{input.word}}")]);
    const steps = (word: string, kept: object = {}) => [
      { ...transformStep("kept"), ...kept },
      transformStep("word", word),
      { ...sub("call", child), input: { word: "{{steps.word.output}}" } },
      http("bad", other.url),
      transformStep("all", ["{{steps.kept.output}}", "{{steps.call.output}}", "{{steps.bad.output}}"]),
    ];
    const edges = [edge("kept", "bad"), edge("word", "call"), edge("call", "bad"), edge("bad", "all")];
    const id = await save(alice, steps("old"), edges);
    const taskId = await start(alice, id);
    const failed = await reach(alice, taskId, "failed");
    expect(statuses(failed)).toMatchObject({ kept: "completed", call: "completed", bad: "failed" });
    const renamed = { name: "Renamed", position: { x: 1, y: 2 }, maxRetries: 2 };
    await alice.put(`/api/workflows/${id}`, { metadata: { steps: steps("new", renamed), edges } });
    const rerun = await alice.post(`/api/tasks/${taskId}/rerun-from-failed?version=current`);
    expect(rerun.body).toMatchObject({ keptSteps: ["kept"], changedSteps: ["word", "call"] });
    expect((await reach(alice, taskId, "completed")).result.output).toEqual(["kept", "new", "late"]);
  });

  test("on the original version keeps every completed step", async () => {
    const other = await serve(inTurn(500, "late"));
    const id = await save(alice, [transformStep("a"), http("b", other.url)]);
    const taskId = await start(alice, id);
    await reach(alice, taskId, "failed");
    await alice.put(`/api/workflows/${id}`, { metadata: chain("a", "b") });
    const rerun = await alice.post(`/api/tasks/${taskId}/rerun-from-failed`, { version: "original" });
    expect(rerun.body).toMatchObject({ keptSteps: ["a"], changedSteps: [] });
    expect((await reach(alice, taskId, "completed")).result.output).toBe("late");
  });
});
