import type { ServiceClient } from "../service-client.ts";

export interface AttackContext {
  address: string;
  attacker: ServiceClient;
  /** A server on loopback: `/silent` never responds, `/slow` after 200 ms, `/large` with 9.9 MB as gzip. */
  serverUrl: string;
}

export interface Attack {
  name: string;
  /** What the other user does meanwhile; by default a call with one http step. */
  victim?: "call" | "expression" | "login";
  /** Settings of the service in addition to the defaults. */
  settings?: Record<string, string>;
  /** What exists before anything is measured. */
  prepare?(context: AttackContext): Promise<void>;
  /** Begins the attack and resolves when it is under way. */
  begin(context: AttackContext): Promise<Outcome>;
}

/** Resolves with what the attacker got in the end; the measurement does not wait for it longer than its time. */
export type Outcome = { ended: Promise<string> };

/** How a task ended, in a few words. */
export async function endOf(attacker: ServiceClient, taskId: string, timeoutMs = 60_000): Promise<string> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const { task } = await attacker.get(`/api/tasks/${taskId}`);
    const status = String(task?.status);
    if (["completed", "failed", "cancelled", "rejected"].includes(status)) {
      const limit = task?.error?.details?.limit;
      return task?.error
        ? `${status}: ${task.error.code}${limit === undefined ? "" : ` (${limit})`}`
        : status;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return "running";
}

/** Saves a workflow and returns its id. */
export async function saveWorkflow(
  attacker: ServiceClient,
  steps: object[],
  edges: object[] = [],
): Promise<string> {
  const { workflow } = await attacker.post("/api/workflows", { name: "attack", metadata: { steps, edges } });
  return String(workflow.id);
}

export async function startRun(
  attacker: ServiceClient,
  workflowId: string,
  input: object | string = {},
): Promise<string> {
  const { taskId } = await attacker.post(`/api/workflows/${workflowId}/run`, { input });
  return String(taskId);
}
