import { describe, expect, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { AppError } from "../../lib/errors.ts";
import { openBench } from "../testing/open-engine.ts";
import { http, inTurn, type Loose, reach, save, serve, start, sub } from "../testing/workbench.ts";

const { ada } = await shareApp(["ada"]);

const nap: Step = { stepId: "nap", type: "delay", seconds: 3600 };
const ask: Step = { stepId: "ask", type: "approval", message: "?" };
const loopOver = (workflowId: string, more: object = {}): Step => ({
  stepId: "each",
  type: "foreach",
  items: [1, 2],
  workflowId,
  ...more,
});

async function statusesOf(workflowId: string): Promise<string[]> {
  const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body;
  return tasks.map((task: Loose) => task.status).toSorted();
}

/** Runs `call` beside a step that fails once `call` waits: the failure comes a moment after the start. */
async function failBeside(call: Step, childId: string, waiting = 1): Promise<string> {
  const other = await serve((_request, response) => {
    const answer = async () => {
      const open = (await statusesOf(childId)).filter((status) => status.startsWith("waiting"));
      if (open.length >= waiting) response.writeHead(500).end();
      else setImmediate(() => void answer());
    };
    void answer();
  });
  const steps = [value("begin"), call, http("bad", other.url)];
  const taskId = await start(ada, await save(ada, steps, [edge("begin", call.stepId), edge("begin", "bad")]));
  await reach(ada, taskId, "failed");
  return taskId;
}

describe("a task that fails", () => {
  test("cancels its sub-workflows and theirs, and closes their approvals", async () => {
    const inner = await save(ada, [ask]);
    const middle = await save(ada, [sub("call", inner)]);
    await failBeside(sub("call", middle), inner);
    expect([...(await statusesOf(middle)), ...(await statusesOf(inner))]).toEqual(["cancelled", "cancelled"]);
    expect((await ada.get("/api/approvals")).body.approvals).toEqual([]);
  });

  test("cancels the sub-workflows of a loop", async () => {
    const inner = await save(ada, [nap]);
    await failBeside(loopOver(inner), inner, 2);
    expect(await statusesOf(inner)).toEqual(["cancelled", "cancelled"]);
  });

  test("leaves those alone that continue without it", async () => {
    const called = await save(ada, [nap]);
    await failBeside(sub("call", called, { onParentEnd: "continue" }), called);
    expect(await statusesOf(called)).toEqual(["waiting"]);
    const looped = await save(ada, [nap]);
    await failBeside(loopOver(looped, { onParentEnd: "continue" }), looped, 2);
    expect(await statusesOf(looped)).toEqual(["waiting", "waiting"]);
  });

  test("continues its cancelled sub-workflow when it is rerun", async () => {
    const other = await serve(inTurn("before"));
    const inner = await save(ada, [http("once", other.url), ask, value("end", "{{steps.once.output}}")]);
    const flaky = await serve((_request, response, calls) => {
      const answer = async () => {
        const open = (await statusesOf(inner)).includes("waiting_approval");
        if (open || calls.length > 1) response.writeHead(calls.length === 1 ? 500 : 200).end();
        else setImmediate(() => void answer());
      };
      void answer();
    });
    const steps = [value("begin"), sub("call", inner), http("bad", flaky.url)];
    const taskId = await start(ada, await save(ada, steps, [edge("begin", "call"), edge("begin", "bad")]));
    await reach(ada, taskId, "failed");
    await ada.post(`/api/tasks/${taskId}/rerun-from-failed`);
    await reach(ada, taskId, "waiting_approval");
    await ada.post(`/api/tasks/${taskId}/resume`);
    expect((await reach(ada, taskId, "completed")).result.outputs).toMatchObject({ call: "before" });
    expect(other.calls).toHaveLength(1);
  });
});

test("a cancelled task leaves sub-workflows alone that continue without it", async () => {
  const called = await save(ada, [nap]);
  const ended = await save(ada, [nap]);
  const steps = [sub("free", called, { onParentEnd: "continue" }), sub("bound", ended)];
  const taskId = await start(
    ada,
    await save(ada, [value("begin"), ...steps], [edge("begin", "free"), edge("begin", "bound")]),
  );
  await reach(ada, taskId, "waiting");
  await ada.post(`/api/tasks/${taskId}/cancel`);
  expect([...(await statusesOf(called)), ...(await statusesOf(ended))]).toEqual(["waiting", "cancelled"]);
});

test("a task that is failed for a reason outside its steps cancels its sub-workflows, too", async () => {
  const bench = await openBench();
  const inner = bench.workflow("inner", { steps: [nap], edges: [] });
  const outer = bench.workflow("outer", { steps: [sub("call", inner.id)], edges: [] });
  let broken = false;
  const engine = await bench.engine({
    loadWorkflow: (id) =>
      broken && id === outer.id
        ? Promise.reject(new AppError("workflow_not_found", "gone"))
        : Promise.resolve(id === outer.id ? outer : inner),
  });
  const { taskId } = await engine.start({ workflow: outer, trigger: "manual", input: {} });
  await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("waiting");
  broken = true;
  await bench.store.wake(taskId, 0);
  engine.nudge(taskId, "task");
  await expect.poll(async () => (await bench.store.task(taskId))?.status).toBe("failed");
  const childId = await bench.store.childId(taskId, "call");
  expect(await bench.store.task(childId!)).toMatchObject({ status: "cancelled" });
});
