import type { Step } from "../../../contract/graph.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser } from "../../../test/support/test-app.ts";
import {
  foreach,
  http,
  inTurn,
  type Loose,
  reach,
  read,
  run,
  save,
  serve,
  start,
  statuses,
  stepOf,
  sub,
} from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);

const rerun = (taskId: string, query = "") => ada.post(`/api/tasks/${taskId}/rerun-from-failed${query}`);

describe("a rerun from the failed step", () => {
  test("keeps results byte for byte and runs only steps that had not succeeded", async () => {
    const other = await serve(inTurn({ n: 1 }, 500, { n: 3 }));
    const failed = await run(ada, [
      http("a", `${other.url}/a`),
      http("b", `${other.url}/b`),
      value("c", "{{steps.b.output.n}}"),
    ]);
    expect(failed).toMatchObject({ status: "failed", error: { stepId: "b" } });
    const answer = await rerun(failed.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ok: true, taskId: failed.id, rerunFromStep: "b", status: "running" });
    const done = await reach(ada, failed.id, "completed");
    expect(JSON.stringify(stepOf(done, "a"))).toBe(JSON.stringify(stepOf(failed, "a")));
    expect(done).toMatchObject({ error: null, result: { output: 3 } });
    expect(other.calls).toEqual(["/a", "/b", "/b"]);
  });

  test("may fail and be repeated any number of times", async () => {
    const other = await serve(inTurn(500, 500, 500, "at last"));
    const task = await run(ada, [http("a", other.url), value("b", "{{steps.a.output}}")]);
    for (const expected of ["failed", "failed", "completed"]) {
      await rerun(task.id);
      await expect.poll(async () => statuses(await read(ada, task.id))["a"]).toBe(expected);
      await reach(ada, task.id, expected);
    }
    expect(other.calls).toHaveLength(4);
    expect(stepOf(await read(ada, task.id), "a")).toMatchObject({ attempts: 1, output: "at last" });
  });

  test("inside a loop repeats the failed iterations", async () => {
    const other = await serve((request, response, calls) => {
      const bad = request.url === "/1" && calls.filter((call) => call === "/1").length === 1;
      response
        .writeHead(bad ? 500 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(request.url));
    });
    const steps = [http("get", `${other.url}/{{item}}`), value("show", "<{{steps.get.output}}>")];
    const failed = await run(ada, [
      foreach("each", [0, 1, 2], steps, { concurrency: 1 }),
      value("end", "{{steps.each.output}}"),
    ]);
    expect(failed).toMatchObject({ status: "failed", error: { stepId: "each" } });
    expect((await rerun(failed.id)).body.rerunFromStep).toBe("each");
    const done = await reach(ada, failed.id, "completed");
    expect(done.result.output).toEqual(["</0>", "</1>", "</2>"]);
    expect(other.calls).toEqual(["/0", "/1", "/1", "/2"]);
  });

  test("inside a branch keeps the other branch and the skipped steps", async () => {
    const other = await serve(inTurn(500, "fine"));
    const steps = [
      { stepId: "c", type: "condition", left: 1, operator: "eq", right: 1 },
      http("yes", other.url),
      value("no"),
      value("beside"),
      value("end", "{{steps.yes.output}}{{steps.beside.output}}"),
    ];
    const edges = [
      edge("c", "yes", { condition: "true" }),
      edge("c", "no", { condition: "false" }),
      edge("yes", "end"),
      edge("no", "end"),
      edge("beside", "end"),
    ];
    const failed = await run(ada, steps, edges);
    expect(failed.status).toBe("failed");
    await rerun(failed.id);
    const done = await reach(ada, failed.id, "completed");
    expect(done.result.output).toBe("finebeside");
    expect(statuses(done)["no"]).toBe("skipped");
    expect(stepOf(done, "beside")).toEqual(stepOf(failed, "beside"));
  });

  test("inside a sub-workflow continues the task of the sub-workflow", async () => {
    const other = await serve(inTurn("first", 500, "second"));
    const inner = await save(ada, [http("one", `${other.url}/1`), http("two", `${other.url}/2`)]);
    const failed = await run(ada, [sub("call", inner), value("end", "{{steps.call.output}}")]);
    expect(failed).toMatchObject({ status: "failed", error: { stepId: "call" } });
    await rerun(failed.id);
    const done = await reach(ada, failed.id, "completed");
    expect(done.result.output).toBe("second");
    expect(other.calls).toEqual(["/1", "/2", "/2"]);
    const { body } = await ada.get(`/api/tasks?workflowId=${inner}`);
    expect(body.tasks).toHaveLength(1);
  });

  test("of iterations that run a workflow continues the failed ones", async () => {
    const other = await serve((request, response, calls) => {
      const bad = request.url === "/b" && calls.filter((call) => call === "/b").length === 1;
      response
        .writeHead(bad ? 500 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(request.url));
    });
    const inner = await save(ada, [http("get", `${other.url}/{{input.item}}`)]);
    const failed = await run(ada, [
      { stepId: "each", type: "foreach", items: ["a", "b"], workflowId: inner },
    ]);
    expect(failed.status).toBe("failed");
    await rerun(failed.id);
    expect((await reach(ada, failed.id, "completed")).result.output).toEqual(["/a", "/b"]);
    expect(other.calls.toSorted()).toEqual(["/a", "/b", "/b"]);
  });

  test("runs the version of the task, or the current one on request", async () => {
    const other = await serve(inTurn(500, 500, "late"));
    const workflowId = await save(ada, [http("a", other.url), value("b", "old {{steps.a.output}}")]);
    const taskId = await start(ada, workflowId);
    await reach(ada, taskId, "failed");
    const steps = [
      http("a", other.url),
      value("b", "new {{steps.a.output}}"),
      value("c", "and {{steps.b.output}}"),
    ];
    await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps, edges: [] } });
    await rerun(taskId);
    await expect.poll(() => other.calls.length).toBe(2);
    expect((await reach(ada, taskId, "failed")).workflowVersion).toBe(1);
    await rerun(taskId, "?version=current");
    const done = await reach(ada, taskId, "completed");
    expect(done).toMatchObject({
      workflowVersion: 2,
      result: { output: "and new late", outputs: { c: "and new late" } },
    });
  });

  test("on the current version may take another branch, and a kept last step ends the task", async () => {
    const other = await serve(inTurn(500, "ok"));
    const condition = { stepId: "c", type: "condition", left: 1, operator: "eq", right: 2 };
    const before = [condition, value("yes"), http("bad", other.url), value("last")];
    const workflowId = await save(ada, before, [
      edge("c", "yes", { condition: "true" }),
      edge("bad", "last"),
    ]);
    const taskId = await start(ada, workflowId);
    await reach(ada, taskId, "failed");
    const edges = [edge("c", "yes", { condition: "false" }), edge("bad", "last")];
    await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps: before, edges } });
    await rerun(taskId, "?version=current");
    const done = await reach(ada, taskId, "completed");
    expect(done.result.outputs).toEqual({ yes: "yes", last: "last" });
  });

  test("on the current version runs every iteration of an edited loop again, with its new list", async () => {
    const other = await serve((request, response, calls) => {
      const bad = request.url === "/1" && calls.filter((call) => call === "/1").length === 1;
      response
        .writeHead(bad ? 500 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(request.url));
    });
    const edit = async (workflowId: string, steps: Step[]) => {
      await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps, edges: [] } });
    };
    const get = http("get", `${other.url}/{{item}}`);
    const loop = (items: unknown, steps: Step[]) => [foreach("each", items, steps, { concurrency: 1 })];
    const workflowId = await save(ada, loop([0, 1], [get, value("show", "old {{steps.get.output}}")]));
    const taskId = await start(ada, workflowId);
    await reach(ada, taskId, "failed");
    // The condition skips `show`, whose output of the first round is in the journal.
    const condition = { stepId: "c", type: "condition", left: 1, operator: "eq", right: 2 };
    const steps = [condition, get, value("show"), value("new", "new {{steps.get.output}}")];
    const edges = [edge("c", "show", { condition: "true" }), edge("c", "get", { condition: "false" })];
    const body = { steps, edges: [...edges, edge("get", "new")] };
    await edit(workflowId, [foreach("each", [0, 1, 2], [], { concurrency: 1, ...body })]);
    await rerun(taskId, "?version=current");
    const done = await reach(ada, taskId, "completed");
    expect(done.result.output).toEqual(["new /0", "new /1", "new /2"]);
    expect(other.calls).toEqual(["/0", "/1", "/0", "/1", "/2"]);
  });

  test("on the current version keeps the iterations of a loop that has only been moved or renamed", async () => {
    const other = await serve((request, response, calls) => {
      const bad = request.url === "/1" && calls.filter((call) => call === "/1").length === 1;
      response.writeHead(bad ? 500 : 200).end(request.url);
    });
    const get = http("get", `${other.url}/{{item}}`);
    const workflowId = await save(ada, [foreach("each", [0, 1], [get], { concurrency: 1 })]);
    const taskId = await start(ada, workflowId);
    await reach(ada, taskId, "failed");
    const moved = { ...get, name: "Fetch", position: { x: 1, y: 2 } };
    const steps = [foreach("each", [0, 1], [moved], { concurrency: 2, name: "Each", maxRetries: 1 })];
    await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps, edges: [] } });
    await rerun(taskId, "?version=current");
    expect((await reach(ada, taskId, "completed")).result.output).toEqual(["/0", "/1"]);
    expect(other.calls).toEqual(["/0", "/1", "/1"]);
  });

  test("on the current version starts new tasks for a loop over another workflow", async () => {
    const other = await serve(inTurn("first", 500, "again"));
    const before = await save(ada, [http("get", other.url)]);
    const after = await save(ada, [value("new", "new {{input.item}}")]);
    const loop = (workflowId: string) => [
      { stepId: "each", type: "foreach", items: ["a", "b"], concurrency: 1, workflowId },
    ];
    const workflowId = await save(ada, loop(before));
    const taskId = await start(ada, workflowId);
    await reach(ada, taskId, "failed");
    await ada.put(`/api/workflows/${workflowId}`, { metadata: { steps: loop(after), edges: [] } });
    await rerun(taskId, "?version=current");
    expect((await reach(ada, taskId, "completed")).result.output).toEqual(["new a", "new b"]);
    expect(other.calls).toHaveLength(2);
  });

  test("of a retried loop retries only the failed iterations", async () => {
    const other = await serve((request, response, calls) => {
      const bad = request.url === "/1" && calls.filter((call) => call === "/1").length === 1;
      response
        .writeHead(bad ? 500 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(request.url));
    });
    const loop = foreach("each", [0, 1], [http("get", `${other.url}/{{item}}`)], { maxRetries: 1 });
    const done = await run(ada, [loop]);
    expect(done).toMatchObject({ status: "completed", result: { output: ["/0", "/1"] } });
    expect(stepOf(done, "each").attempts).toBe(2);
    expect(other.calls).toEqual(["/0", "/1", "/1"]);
  });

  test("of a partial run repeats the failed steps of that run", async () => {
    const other = await serve(inTurn(500, "ok"));
    const workflowId = await save(
      ada,
      [http("a", other.url), value("rescue"), value("b")],
      [edge("a", "rescue", { condition: "error" }), edge("a", "b")],
    );
    const { body } = await ada.post(`/api/workflows/${workflowId}/run-partial`, { stepIds: ["a", "b"] });
    await reach(ada, body.taskId, "failed");
    await rerun(body.taskId);
    expect((await reach(ada, body.taskId, "completed")).result.outputs).toEqual({ b: "b" });
  });

  test("is refused for a task that has not failed, and happens once", async () => {
    const done = await run(ada, [value("a")]);
    expect(await rerun(done.id)).toMatchObject({ status: 409, body: { error: "task_not_failed" } });
    const other = await serve(inTurn(500, "ok"));
    const failed = await run(ada, [http("a", other.url)]);
    const answers = await Promise.all([rerun(failed.id), rerun(failed.id), rerun(failed.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    await reach(ada, failed.id, "completed");
    expect(other.calls).toHaveLength(2);
    const stranger = await registerUser(app);
    expect((await stranger.post(`/api/tasks/${failed.id}/rerun-from-failed`)).status).toBe(403);
  });
});

describe("a replay", () => {
  let original: Loose;
  beforeAll(async () => {
    original = await run(
      ada,
      [value("a", "{{now}}"), value("b", "{{input.n}}"), value("c", "{{steps.b.output}}")],
      [edge("a", "b"), edge("b", "c")],
      { n: 1 },
    );
  });

  test("is a new task linked to the old one", async () => {
    const answer = await ada.post(`/api/tasks/${original.id}/replay`);
    expect(answer.status).toBe(201);
    expect(answer.body.task).toMatchObject({ parentTaskId: original.id, input: { n: 1 } });
    expect(answer.body.taskId).not.toBe(original.id);
    expect((await reach(ada, answer.body.taskId, "completed")).result.output).toBe(1);
  });

  test("from a step keeps earlier results and takes the edited input", async () => {
    const { body } = await ada.post(`/api/tasks/${original.id}/replay`, { fromStepId: "b", input: { n: 2 } });
    const done = await reach(ada, body.taskId, "completed");
    expect(done.result.output).toBe(2);
    expect(stepOf(done, "a")).toEqual(stepOf(original, "a"));
    expect(statuses(done)).toEqual({ a: "completed", b: "completed", c: "completed" });
  });

  test("runs another version, and refuses an unknown step or version", async () => {
    const steps = [value("a"), value("b", "two"), value("c", "{{steps.b.output}}")];
    await ada.put(`/api/workflows/${original.workflowId}`, {
      metadata: { steps, edges: [edge("a", "b"), edge("b", "c")] },
    });
    const current = await ada.post(`/api/tasks/${original.id}/replay`, { version: "current" });
    expect((await reach(ada, current.body.taskId, "completed")).result.output).toBe("two");
    const first = await ada.post(`/api/tasks/${current.body.taskId}/replay`, { version: 1 });
    expect((await reach(ada, first.body.taskId, "completed")).result.output).toBe(1 as never);
    expect(await ada.post(`/api/tasks/${original.id}/replay`, { fromStepId: "z" })).toMatchObject({
      status: 400,
      body: { error: "unknown_step" },
    });
    expect((await ada.post(`/api/tasks/${original.id}/replay`, { version: 99 })).status).toBe(404);
  });

  test("from a step after a failure runs the failed step, too, and keeps the result of a loop", async () => {
    const other = await serve(inTurn(500, "ok"));
    const steps = [
      foreach("each", [1, 2], [value("x", "{{item}}")]),
      http("bad", other.url),
      value("end", "{{steps.each.output}}{{steps.bad.output}}"),
    ];
    const failed = await run(ada, steps, [edge("each", "bad"), edge("bad", "end")]);
    const { body } = await ada.post(`/api/tasks/${failed.id}/replay`, { fromStepId: "end" });
    const done = await reach(ada, body.taskId, "completed");
    expect(done.result.output).toBe("[1,2]ok");
    expect(stepOf(done, "each")).toEqual(stepOf(failed, "each"));
  });
});
