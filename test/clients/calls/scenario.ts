import assert from "node:assert/strict";

/** One workflow that every client creates, runs and reads. */
export const workflow = {
  name: "Greet",
  steps: [
    { stepId: "greet", type: "transform" as const, template: "Hello {{input.name}}" },
    {
      stepId: "is-ada",
      type: "condition" as const,
      left: "{{input.name}}",
      operator: "eq" as const,
      right: "Ada",
    },
  ],
  edges: [{ id: "e1", source: "greet", target: "is-ada" }],
};

export const input = { name: "Ada" };
export const text = "Payment is due within 30 days.";

/** What a client has read, as values whose types come from the document. */
export interface Outcome {
  status:
    | "queued"
    | "running"
    | "waiting"
    | "waiting_approval"
    | "completed"
    | "failed"
    | "cancelled"
    | "rejected";
  stepTypes: string[];
  stepResults: { stepId: string; output?: unknown }[];
  /** The code of a request for a task that does not exist. */
  missing: string;
  /** The status of the uploaded document. */
  document: "processing" | "indexed" | "failed";
  /** The names of the task's events. */
  events: string[];
}

export function assertOutcome({ status, stepTypes, stepResults, missing, document, events }: Outcome): void {
  assert.equal(status, "completed");
  assert.deepEqual(stepTypes, ["transform", "condition"]);
  assert.equal(stepResults.find(({ stepId }) => stepId === "greet")?.output, "Hello Ada");
  assert.equal(missing, "task_not_found");
  assert.equal(document, "indexed");
  assert.ok(events.includes("task"), `the events are ${events.join(", ")}`);
}
