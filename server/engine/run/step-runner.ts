import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Scope } from "../../../contract/placeholders/render.ts";

/**
 * What a step can do to the world. The engine renders the fields, keeps time, retries, records; a runner does
 * the one thing its type is for. It fails by throwing an AppError: `code` and `message` become the step's
 * error, `retryAfterMs` moves the next try. Every failure is retried while `maxRetries`
 * allows, unless the error is `permanent`.
 */
export interface StepRunner {
  run(call: StepCall): Promise<StepOutput>;
}

export interface StepCall {
  ownerId: string;
  taskId: string;
  workflowId: string;
  /** Unique within the task: the step's id, inside a foreach with its rounds (`each[3]/fetch`). */
  path: string;
  /** The step type's own fields with every placeholder filled in. */
  fields: Readonly<Record<string, JsonValue>>;
  /** 1 for the first try. */
  attempt: number;
  /** The same for every attempt at this step, so that the other side can tell a repetition. */
  idempotencyKey: string;
  /** What placeholders may refer to, without secrets. Only steps that this step refers to are in it. */
  scope: Omit<Scope, "secrets">;
  /** Strikes out the secrets that this task knows: for what a runner hands on to where they must not show. */
  strikeOut(value: JsonValue): JsonValue;
  /** How deep in sub-workflows and agents' tools this task stands. */
  depth: number;
  /** The step's own time limit, if it has one; the engine enforces it, a runner may pass it on. */
  timeoutMs: number | undefined;
  /** Aborted on cancel, on the step's time limit and when the process stops. */
  readonly signal: AbortSignal;
}

export interface StepOutput {
  output: JsonValue;
  /** Fields beside `output` in the step result, e.g. `{response: {status, headers}}` or `{usage}`. */
  extra?: Record<string, JsonValue>;
}
