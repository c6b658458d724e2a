import { expect, test } from "vitest";
import { connect, until, useTeamApp } from "./team-app.ts";

test("every status change of a watched task is sent", async () => {
  const { ada, address } = await useTeamApp();
  const { body } = await ada.post("/api/workflows", {
    name: "Asks",
    metadata: { steps: [{ stepId: "ask", type: "approval", message: "Go?" }], edges: [] },
  });
  const { taskId } = (await ada.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {})).body;
  const client = await connect(address, ada.token);
  expect(await client.ask("watch_task", { taskId })).toEqual({
    ok: true,
    taskId,
    status: "waiting_approval",
  });
  await ada.post(`/api/tasks/${taskId}/resume`);
  await until(
    () => client.events,
    (events) =>
      events.some(
        ([name, { status, stepId }]) =>
          name === "TASK_STATUS" && status === "completed" && stepId === undefined,
      ),
  );
  expect(client.events.some(([, event]) => event["taskId"] === taskId && event["stepId"] === "ask")).toBe(
    true,
  );
  expect(await client.ask("unwatch_task", { taskId })).toEqual({ ok: true });
});
