import { expect, test } from "vitest";
import {
  foreach,
  http,
  read,
  reach,
  run,
  save,
  serve,
  start,
  stepOf,
} from "../../server/engine/testing/workbench.ts";
import { edge, transformStep } from "../support/graphs.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

test("the output is that of responseStepId, else of the only final step that ran, else null", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const fork = {
    steps: [transformStep("a", "A"), transformStep("b", "B"), transformStep("c", "C")],
    edges: [edge("a", "b"), edge("a", "c")],
  };
  const outputOf = async (metadata: object, responseStepId?: string): Promise<unknown> => {
    const apiSettings = { enabled: true, authentication: false, ...(responseStepId && { responseStepId }) };
    const { workflow } = (await ada.post("/api/workflows", { name: "x", metadata, apiSettings })).body;
    return (await app.anonymous.post(`/api/workflows/public/${workflow.id}`, {})).body.result;
  };
  const outputs = { b: "B", c: "C" };
  expect(await outputOf(fork, "a")).toEqual({ output: "A", outputs });
  expect(await outputOf(fork, "c")).toEqual({ output: "C", outputs });
  expect(await outputOf(fork)).toEqual({ output: null, outputs });
  expect(await outputOf({ steps: [transformStep("a", "A")] })).toEqual({ output: "A", outputs: { a: "A" } });
});

test("a delay accepts a time, and an unreadable time fails the step", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const until = (time: string) => ({ stepId: "nap", type: "delay", until: time });
  const past = await run(ada, [until("2020-01-01T00:00:00Z")]);
  expect([past.status, stepOf(past, "nap").output]).toEqual(["completed", null]);
  const nextYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`;
  const waiting = await start(ada, await save(ada, [until(nextYear)]));
  const { dueAt } = stepOf(await reach(ada, waiting, "waiting"), "nap");
  expect(dueAt).toBe(nextYear);
  await ada.post(`/api/tasks/${waiting}/cancel`);
  const far = await run(ada, [until("2999-01-01T00:00:00Z")]);
  expect(far).toMatchObject({ status: "failed", error: { code: "invalid_delay" } });
  const none = await run(ada, [until("{{input.when}}")], [], { when: "soon" });
  expect(none).toMatchObject({ status: "failed", error: { code: "invalid_delay" } });
});

test("a foreach processes ten items at once by default and a hundred at most", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  let open = 0;
  let maxOpen = 0;
  const held: (() => void)[] = [];
  const other = await serve((_request, response) => {
    maxOpen = Math.max(maxOpen, (open += 1));
    held.push(() => {
      open -= 1;
      response.end("{}");
    });
    // Responds only when ten calls are open: with fewer the run would never end.
    if (open >= 10) for (const respond of held.splice(0)) respond();
  });
  const items = Array.from({ length: 20 }, (_, index) => index);
  const task = await run(ada, [foreach("each", items, [http("call", other.url)])]);
  expect([task.status, maxOpen, other.calls.length]).toEqual(["completed", 10, 20]);
  const steps = [foreach("each", items, [transformStep("x")], { concurrency: 101 })];
  const refused = await ada.post("/api/workflows", { name: "x", metadata: { steps } });
  expect([refused.status, refused.body.errors[0].code]).toEqual([422, "invalid_field"]);
});

test("cancelling an ended task is 409 task_finished", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { id } = await run(ada, [transformStep("a")]);
  const response = await ada.post(`/api/tasks/${id}/cancel`);
  expect([response.status, response.body.error]).toEqual([409, "task_finished"]);
  expect((await read(ada, id)).status).toBe("completed");
});

test("approvals that wait for a decision are listed", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const steps = [{ stepId: "ask", type: "approval", message: "Publish?" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "x", metadata: { steps } })).body;
  const { taskId } = (await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const { approvals, nextCursor } = (await ada.get("/api/approvals")).body;
  expect(approvals).toMatchObject([{ taskId, stepId: "ask", message: "Publish?" }]);
  expect(nextCursor).toBeNull();
  await ada.post(`/api/tasks/${taskId}/resume`, {});
  expect((await ada.get("/api/approvals")).body.approvals).toEqual([]);
});

test("a team run accepts input as another name for objective", async () => {
  const app = await useTestApp({ TEAM_JOIN_WAIT_MS: "0" });
  const ada = await registerUser(app, "ada");
  const { team } = (await ada.post("/api/agent-teams", { name: "x" })).body;
  const { body } = await ada.post(`/api/agent-teams/${team.id}/run`, { input: "Write it" });
  expect(body).toMatchObject({ ok: true, teamId: team.id, status: expect.any(String) });
  const { session } = (await ada.get(`/api/agent-teams/sessions/${body.sessionId}`)).body;
  expect(session.objective).toBe("Write it");
});
