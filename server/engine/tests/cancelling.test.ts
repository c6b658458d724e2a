import { describe, expect, test } from "vitest";
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
  save,
  serve,
  start,
  sub,
} from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);

async function cancel(taskId: string): Promise<Loose> {
  const answer = await ada.post(`/api/tasks/${taskId}/cancel`);
  expect(answer).toMatchObject({ status: 200, body: { ok: true, taskId, status: "cancelled" } });
  return read(ada, taskId);
}

describe("cancelling", () => {
  test("aborts a call in flight, and its response is recorded nowhere", async () => {
    const answers: (() => void)[] = [];
    let disconnected = false;
    const other = await serve((_request, response) => {
      answers.push(() => response.end('"too late"'));
      response.on("close", () => (disconnected = true));
    });
    const taskId = await start(ada, await save(ada, [http("a", other.url), value("b")]));
    await expect.poll(() => other.calls.length).toBe(1);
    const task = await cancel(taskId);
    await expect.poll(() => disconnected).toBe(true);
    for (const answer of answers) answer();
    const events = await ada.get(`/api/tasks/${taskId}/events`);
    expect(events.text).toContain('"status":"cancelled"');
    expect(await read(ada, taskId)).toEqual(task);
  });

  test("ends a backoff and a delay for good", async () => {
    const other = await serve(inTurn(500));
    const taskId = await start(ada, await save(ada, [http("a", other.url, { maxRetries: 5 })]));
    await reach(ada, taskId, "waiting");
    await cancel(taskId);
    const delayed = await start(ada, await save(ada, [{ stepId: "nap", type: "delay", seconds: 3 }]));
    await reach(ada, delayed, "waiting");
    await cancel(delayed);
    const later = await start(ada, await save(ada, [{ stepId: "nap", type: "delay", seconds: 3.1 }]));
    await reach(ada, later, "completed");
    expect(other.calls).toHaveLength(1);
    expect((await read(ada, delayed)).status).toBe("cancelled");
  });

  test("ends sub-workflows with their caller, also in loops", async () => {
    const other = await serve(() => undefined);
    const inner = await save(ada, [http("wait", other.url)]);
    const middle = await save(ada, [sub("call", inner)]);
    const taskId = await start(ada, await save(ada, [foreach("each", [1, 2], [sub("call", middle)])]));
    await expect.poll(() => other.calls.length).toBe(2);
    await cancel(taskId);
    for (const workflowId of [inner, middle]) {
      const { tasks } = (await ada.get(`/api/tasks?workflowId=${workflowId}`)).body;
      expect(tasks.map((task: Loose) => task.status)).toEqual(["cancelled", "cancelled"]);
    }
  });

  test("of a sub-workflow alone fails the step that called it", async () => {
    const inner = await save(ada, [{ stepId: "nap", type: "delay", seconds: 3600 }]);
    const taskId = await start(
      ada,
      await save(
        ada,
        [sub("call", inner), value("rescue", "{{steps.call.error.code}}")],
        [edge("call", "rescue", { condition: "error" })],
      ),
    );
    await reach(ada, taskId, "waiting");
    const [child] = (await ada.get(`/api/tasks?workflowId=${inner}`)).body.tasks;
    await cancel(child.id);
    expect((await reach(ada, taskId, "completed")).result.output).toBe("sub_workflow_cancelled");
  });

  test("closes an open approval", async () => {
    const taskId = await start(ada, await save(ada, [{ stepId: "ask", type: "approval", message: "?" }]));
    await reach(ada, taskId, "waiting_approval");
    await cancel(taskId);
    expect((await ada.get("/api/approvals")).body.approvals).toEqual([]);
    expect((await ada.post(`/api/tasks/${taskId}/resume`)).status).toBe(409);
  });

  test("is refused for an ended task and for a task of another user", async () => {
    const taskId = await start(ada, await save(ada, [value("a")]));
    await reach(ada, taskId, "completed");
    expect((await ada.post(`/api/tasks/${taskId}/cancel`)).status).toBe(409);
    const stranger = await registerUser(app);
    expect((await stranger.post(`/api/tasks/${taskId}/cancel`)).status).toBe(403);
    expect((await ada.post("/api/tasks/task_nope/cancel")).status).toBe(404);
  });
});
