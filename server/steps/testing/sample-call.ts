import type { StepCall } from "../../engine/run/step-runner.ts";
import { createRedactor } from "../../security/redact.ts";

/** A step call for tests of runners. */
export function sampleCall(fields: StepCall["fields"], more: Partial<StepCall> = {}): StepCall {
  const { signal } = new AbortController();
  return {
    ownerId: "user_a",
    taskId: "task_1",
    rootTaskId: "task_1",
    workflowId: "wf_1",
    conversation: undefined,
    path: "step",
    fields,
    attempt: 1,
    idempotencyKey: "task_1:step",
    answeredFailures: 0,
    scope: {},
    secrets: {},
    redact: (value) => Promise.resolve(value),
    redactStream: () => createRedactor([]).stream(),
    log: () => undefined,
    depth: 0,
    timeoutMs: undefined,
    assertLease: () => undefined,
    holdLargeValue: () => Promise.resolve(),
    lendSlot: () => () => Promise.resolve(),
    stop: more.signal ?? signal,
    signal,
    ...more,
  };
}
