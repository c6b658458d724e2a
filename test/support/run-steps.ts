import { expect } from "vitest";
import type { Client } from "./client.ts";
import { edge } from "./graphs.ts";

type NamedStep = { stepId: string } & Record<string, unknown>;

/** Creates a workflow of these steps, one after the other, runs it to its end and returns its task. */
export async function runSteps(client: Client, steps: NamedStep[], input: object = {}): Promise<any> {
  const edges = steps.slice(1).map(({ stepId }, i) => edge(steps[i]!.stepId, stepId));
  const created = await client.post("/api/workflows", { name: "Steps", metadata: { steps, edges } });
  expect(created.body).toMatchObject({ ok: true });
  const ran = await client.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, { input });
  return (await client.get(`/api/tasks/${ran.body.taskId}`)).body.task;
}

export function resultOf(task: { stepResults: any[] }, stepId: string): any {
  return task.stepResults.find((result) => result.stepId === stepId);
}
