import { describe, expect, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { openBench } from "../testing/open-engine.ts";
import { HOUR_MS, settableClock } from "../testing/settable-clock.ts";
import {
  foreach,
  http,
  type Loose,
  reach,
  read,
  save,
  serve,
  start,
  stepOf,
  sub,
} from "../testing/workbench.ts";

const { ada } = await shareApp(["ada"]);

const ask: Step = { stepId: "ask", type: "approval", message: "Go on?" };
const limited = { timeoutMs: 300 };
/** For attempts that must succeed: also a busy machine answers one call in this time. */
const roomy = { timeoutMs: 2000, maxRetries: 1, backoffMultiplier: 1 };

async function childOf(task: Loose, stepId: string): Promise<Loose> {
  return read(ada, stepOf(task, stepId).childTaskId ?? (await children(task.id))[0].id);
}

async function children(parentId: string): Promise<Loose[]> {
  const { body } = await ada.get("/api/tasks?limit=200");
  return body.tasks.filter((task: Loose) => task.parentTaskId === parentId);
}

/** Leaves the first `count` calls without a response. */
async function silent(count: number): Promise<string> {
  let calls = 0;
  const { url } = await serve((_request, response) => {
    calls += 1;
    if (calls > count) response.end("answered");
  });
  return url;
}

describe("the time limit of a sub-workflow", () => {
  test("ends the step and its task while an approval is open", async () => {
    const inner = await save(ada, [ask]);
    const id = await start(ada, await save(ada, [sub("call", inner, limited)]));
    const task = await reach(ada, id, "failed");
    expect(stepOf(task, "call")).toMatchObject({ status: "failed", error: { code: "step_timeout" } });
    expect(await childOf(task, "call")).toMatchObject({ status: "cancelled" });
  });

  test("aborts the step in flight of the sub-workflow, and the error edge continues", async () => {
    const inner = await save(ada, [http("slow", await silent(9))]);
    const id = await start(
      ada,
      await save(ada, [sub("call", inner, { ...limited, onError: "continue" }), value("after", "on")]),
    );
    const task = await reach(ada, id, "completed");
    expect(stepOf(task, "call").error.code).toBe("step_timeout");
    expect(await childOf(task, "call")).toMatchObject({ status: "cancelled" });
  });

  test("counts per attempt, and a new attempt continues the task", async () => {
    const inner = await save(ada, [value("before", 1), http("slow", await silent(1))]);
    const id = await start(ada, await save(ada, [sub("call", inner, roomy)]));
    const task = await reach(ada, id, "completed");
    expect(task.result.output).toBe("answered");
    const child = await childOf(task, "call");
    expect(child.status).toBe("completed");
    expect(child.stepResults.map((step: Loose) => step.stepId)).toEqual(["before", "slow"]);
  });
});

test("a time limit keeps running across a restart", async () => {
  const bench = await openBench();
  bench.workflow("inner", { steps: [ask], edges: [] });
  const workflow = bench.workflow("outer", {
    steps: [sub("call", "inner", { timeoutMs: HOUR_MS })],
    edges: [],
  });
  const before = await bench.engine();
  const { taskId } = await before.start({ workflow, trigger: "manual", input: {} });
  expect((await before.settled(taskId, 5000)).task.status).toBe("waiting_approval");
  await before.close();
  const after = await bench.engine({ clock: settableClock(HOUR_MS) });
  await expect.poll(async () => (await after.read(taskId))?.task.status).toBe("failed");
  const waits = (await bench.store.heads(taskId)).filter(({ kind }) => kind === "wait");
  expect(waits).toHaveLength(1);
});

describe("the time limit of a foreach", () => {
  test("ends iterations that wait for approval and closes their approvals", async () => {
    const each = foreach("each", [1, 2], [ask], { ...limited, onError: "continue" });
    const id = await start(ada, await save(ada, [each, { stepId: "hold", type: "delay", seconds: 60 }]));
    await reach(ada, id, "waiting");
    const task = await read(ada, id);
    expect(stepOf(task, "each")).toMatchObject({ status: "failed", error: { code: "step_timeout" } });
    expect(await ada.post(`/api/tasks/${id}/resume`)).toMatchObject({
      status: 409,
      body: { error: "task_not_waiting" },
    });
  });

  test("aborts calls and sub-workflows in flight of its iterations", async () => {
    const url = await silent(9);
    const inner = await save(ada, [http("slow", url)]);
    const each = foreach("each", [1], [http("x", url), sub("y", inner)], limited);
    const task = await reach(ada, await start(ada, await save(ada, [each])), "failed");
    expect(stepOf(task, "each").error.code).toBe("step_timeout");
    const ended = (await children(task.id)).map(({ status }) => status);
    expect(ended.every((status) => status === "cancelled")).toBe(true);
  });

  test("counts per attempt; completed iterations stay completed", async () => {
    const asked: string[] = [];
    const other = await serve((request, response) => {
      asked.push(request.url ?? "");
      if (request.url !== "/2" || asked.filter((each) => each === "/2").length > 1) response.end("ok");
    });
    const each = foreach("each", [1, 2], [http("x", `${other.url}/{{item}}`)], roomy);
    const task = await reach(ada, await start(ada, await save(ada, [each])), "completed");
    expect(task.result.output).toEqual(["ok", "ok"]);
    expect(asked.toSorted()).toEqual(["/1", "/2", "/2"]);
  });
});

test("a rerun of a task whose sub-workflow was cancelled continues the sub-workflow", async () => {
  const inner = await save(ada, [ask, value("end", "done")]);
  const id = await start(ada, await save(ada, [sub("call", inner)]));
  await reach(ada, id, "waiting_approval");
  const [child] = await children(id);
  await ada.post(`/api/tasks/${child.id}/cancel`);
  await reach(ada, id, "failed");
  expect((await ada.post(`/api/tasks/${id}/rerun-from-failed`)).status).toBe(200);
  await reach(ada, id, "waiting_approval");
  await ada.post(`/api/tasks/${id}/resume`);
  expect(await reach(ada, id, "completed")).toMatchObject({ result: { output: "done" } });
});
