import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { bearer, createKey, publish } from "../../../test/support/endpoints.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser, useTestApp } from "../../../test/support/test-app.ts";
import { http, inTurn, type Loose, reach, run, save, serve, start, sub } from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);

describe("a run that is waited for", () => {
  test("responds like a public call: completed, failed, waiting, timed out", async () => {
    const other = await serve(inTurn(500));
    const call = async (steps: Loose[], owner = ada) =>
      owner.post(`/api/workflows/${await save(owner, steps)}/run?wait=true`, {});
    expect(await call([value("a")])).toMatchObject({
      status: 200,
      body: { ok: true, status: "completed", result: { output: "a" }, stepResults: [{ stepId: "a" }] },
    });
    expect(await call([http("a", other.url)])).toMatchObject({
      status: 500,
      body: { ok: false, error: "execution_failed", failedStep: "a", stepResults: [{ status: "failed" }] },
    });
    expect(await call([{ stepId: "ask", type: "approval", message: "?" }])).toMatchObject({
      status: 200,
      body: { status: "waiting_approval" },
    });
    // An own service: with its short limit the other calls would fail on a busy machine.
    const impatient = await registerUser(await useTestApp({ SYNC_TIMEOUT_MS: "100" }));
    const slow = await call([{ stepId: "nap", type: "delay", seconds: 0.6 }], impatient);
    expect(slow).toMatchObject({ status: 504, body: { ok: false, error: "execution_timeout" } });
    await reach(impatient, slow.body.taskId, "completed");
  });

  test("continues when the caller disconnects", async () => {
    let answer: () => void = () => undefined;
    const other = await serve((_request, response) => {
      answer = () => response.end("late");
    });
    const workflowId = await save(ada, [http("a", other.url), value("b", "{{steps.a.output}}")]);
    const url = await app.listen();
    const caller = httpRequest(`${url}/api/workflows/${workflowId}/run?wait=true`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}` },
    });
    caller.on("error", () => undefined).end();
    await expect.poll(() => other.calls.length).toBe(1);
    caller.destroy();
    answer();
    const [task] = (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks;
    expect((await reach(ada, task.id, "completed")).result.output).toBe("late");
  });
});

describe("an idempotent run", () => {
  test("is one task for fifty concurrent calls, and refuses another body", async () => {
    const workflowId = await save(ada, [value("a", "{{input.n}}")]);
    const call = (n: number, key = "k") =>
      ada.post(`/api/workflows/${workflowId}/run?wait=true`, { input: { n } }, { "idempotency-key": key });
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(1)));
    expect(new Set(answers.map(({ body }) => body.taskId)).size).toBe(1);
    expect(answers.every(({ status, body }) => status === 200 && body.result.output === 1)).toBe(true);
    expect(await call(2)).toMatchObject({ status: 409, body: { error: "idempotency_conflict" } });
    expect((await call(2, "other")).body.taskId).not.toBe(answers[0]!.body.taskId);
    expect((await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks).toHaveLength(2);
  });

  test.each([
    ["run", { input: { n: 1 } }],
    ["run-partial", { stepIds: ["a"], input: { n: 1 } }],
  ])("without waiting (%s) gets the same response after its task has ended", async (route, body) => {
    const workflowId = await save(ada, [value("a", "{{input.n}}")]);
    const call = () =>
      ada.post(`/api/workflows/${workflowId}/${route}`, body, { "idempotency-key": "again" });
    const first = await call();
    expect(first).toMatchObject({ status: 200, body: { status: "running" } });
    await reach(ada, first.body.taskId, "completed");
    expect((await call()).body).toEqual(first.body);
    expect((await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks).toHaveLength(1);
  });
});

describe("the list of tasks", () => {
  test("contains the trigger of each task", async () => {
    const owner = await registerUser(app);
    const workflow = await publish(owner, {});
    const { rawKey } = await createKey(owner);
    await app.anonymous.post(`/api/workflows/public/${workflow.id}`, {}, bearer(rawKey));
    await owner.post(`/api/workflows/${workflow.id}/run?wait=true`);
    await owner.post(`/api/workflows/${workflow.id}/run-partial`, { stepIds: ["echo"] });
    const { tasks } = (await owner.get("/api/tasks")).body;
    expect(tasks.map((task: Loose) => task.trigger)).toEqual(["partial", "manual", "api"]);
  });

  test("is filtered by status and workflow, newest first, page by page", async () => {
    const owner = await registerUser(app);
    const one = await save(owner, [value("a")]);
    const two = await save(owner, [{ stepId: "ask", type: "approval", message: "?" }]);
    const ids: string[] = [];
    for (const workflowId of [one, two, one, two, one]) {
      ids.push(await start(owner, workflowId));
      await reach(owner, ids.at(-1)!, workflowId === one ? "completed" : "waiting_approval");
    }
    const list = async (query: string) => (await owner.get(`/api/tasks?${query}`)).body;
    const idsOf = ({ tasks }: Loose): string[] => tasks.map((task: Loose) => task.id);
    expect(idsOf(await list(""))).toEqual(ids.toReversed());
    expect(idsOf(await list("status=waiting_approval"))).toEqual([ids[3], ids[1]]);
    expect(idsOf(await list(`status=completed&workflowId=${one}`))).toEqual([ids[4], ids[2], ids[0]]);
    expect(idsOf(await list(`status=failed&workflowId=${one}`))).toEqual([]);
    const first = await list(`limit=2&workflowId=${one}`);
    expect(idsOf(first)).toEqual([ids[4], ids[2]]);
    const rest = await list(`limit=2&workflowId=${one}&cursor=${first.nextCursor}`);
    expect([idsOf(rest), rest.nextCursor]).toEqual([[ids[0]], null]);
    expect((await owner.get("/api/tasks?status=unheard_of")).status).toBe(400);
    expect((await owner.get("/api/tasks?limit=0")).status).toBe(400);
  });

  test("contains no task of another user", async () => {
    const task = await run(ada, [value("a")]);
    const stranger = await registerUser(app);
    expect((await stranger.get("/api/tasks")).body.tasks).toEqual([]);
    expect((await stranger.get(`/api/tasks?workflowId=${task.workflowId}`)).body.tasks).toEqual([]);
    expect((await stranger.get(`/api/tasks/${task.id}`)).status).toBe(403);
    expect((await stranger.get("/api/tasks/task_none")).status).toBe(404);
  });
});

describe("the task of a sub-workflow", () => {
  test("is found by its step, also while it waits and for each item of a loop", async () => {
    const child = await save(ada, [{ stepId: "ask", type: "approval", message: "?" }]);
    const each = { stepId: "each", type: "foreach", items: [1, 2], workflowId: child };
    const edges = [edge("call", "end"), edge("each", "end")];
    const taskId = await start(ada, await save(ada, [sub("call", child), each, value("end")], edges));
    await reach(ada, taskId, "waiting_approval");
    const childOf = (path: string, owner = ada) =>
      owner.get(`/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/child`);
    const ids = async () =>
      Promise.all(
        ["call", "each[0]", "each[1]"].map(
          async (path) => (await childOf(path)).body.taskId as string | null,
        ),
      );
    await expect.poll(async () => new Set((await ids()).filter((id) => id !== null)).size).toBe(3);
    const { body } = await ada.get(`/api/tasks/${(await ids())[0]}`);
    expect(body.task).toMatchObject({ parentTaskId: taskId, workflowId: child });
    expect((await childOf("each")).body).toEqual({ ok: true, taskId: null });
    expect((await childOf("call", await registerUser(app))).status).toBe(403);
  });
});
