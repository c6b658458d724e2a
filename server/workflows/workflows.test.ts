import { expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { unavailable } from "../lib/errors.ts";
import type { WorkflowStore } from "./workflow.sql.ts";
import { createWorkflows } from "./workflows.ts";

test("a database that cannot be read is no missing error workflow", async () => {
  const outage = unavailable("The database cannot be reached.");
  const store = { get: () => Promise.reject(outage) } as unknown as WorkflowStore;
  const workflows = createWorkflows({ store, clock: systemClock, maxSteps: 100 });
  const settings = { errorWorkflowId: "wf_1" };
  await expect(workflows.create("user_1", { name: "Report", settings }, "user_1")).rejects.toBe(outage);
});
