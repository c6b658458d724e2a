import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { Scope } from "../../../contract/placeholders/render.ts";
import type { LogLevel } from "../../../contract/step-log.ts";
import type { AbortSource } from "../../lib/abort-source.ts";
import type { StreamRedactor } from "../../security/redact-stream.ts";

/**
 * Performs the effect of one step type. The engine renders the fields, enforces the time limit, retries and records. A
 * runner fails by throwing an AppError: `code` and `message` become the step's error, `retryAfterMs` delays the next
 * attempt. Every failure is retried while `maxRetries` allows, unless the error is `permanent`.
 */
export interface StepRunner {
  run(call: StepCall): Promise<StepOutput>;
  /** The output of a pure step, from its fields alone and without a promise: a run of such steps is one function call. */
  compute?(fields: StepCall["fields"]): JsonValue;
}

export interface StepCall {
  ownerId: string;
  taskId: string;
  /** The first task of the chain of calls that led here. */
  rootTaskId: string;
  workflowId: string;
  /** The conversation of a chat that the task, or the one that called it, answers. */
  conversation: string | undefined;
  /** Unique within the task: the step's id, inside a foreach with its iterations (`each[3]/fetch`). */
  path: string;
  /** The fields of the step type, with all placeholders rendered. */
  fields: Readonly<Record<string, JsonValue>>;
  /** 1 for the first attempt. */
  attempt: number;
  /** The same for every attempt of this step, so that the remote side can detect a repetition. */
  idempotencyKey: string;
  /** How many earlier attempts failed with an answer of the remote side, also before a rerun. */
  answeredFailures: number;
  /** The values that placeholders refer to, without secrets. Holds only the steps that this step refers to. */
  scope: Omit<Scope, "secrets">;
  /** The secrets that the step lists by name; empty for types without such a field. */
  secrets: Readonly<Record<string, string>>;
  /** Redacts the secrets of this task, for values that leave the service. */
  redact(value: JsonValue): Promise<JsonValue>;
  /** The same for a text that leaves the service while it is written. */
  redactStream(): StreamRedactor;
  /**
   * Writes a line to the log of this attempt. Shown live and recorded with its result; secrets are redacted. Of many or
   * long lines the last are left out (`contract/step-log-limits.ts`), so a runner may write without counting.
   */
  log(level: LogLevel, message: string): void;
  /** Nesting depth of this task in sub-workflows and agents' tools. */
  depth: number;
  /** The step's own time limit, if it has one; the engine enforces it, a runner may pass it on. */
  timeoutMs: number | undefined;
  /**
   * Called when all waits are over, right before an effect leaves the process. Throws when another process may have taken
   * the task over meanwhile: the step is then not executed here, whatever the runner makes of the error.
   */
  assertLease(): void;
  /** To await before a value over a megabyte is read into memory: few of them are held at once, each until it is stored. */
  holdLargeValue(signal: AbortSignal): Promise<void>;
  /** Frees the slot of the task while the runner waits for another task. The returned function waits for a slot. */
  lendSlot(): () => Promise<void>;
  /** Aborted on cancel, on the step's time limit and when the process stops. */
  readonly stop: AbortSource;
  /** The same as a signal, created on first use, because it costs more than some steps. */
  readonly signal: AbortSignal;
}

export interface StepOutput {
  output: JsonValue;
  /** Fields in addition to `output` in the step result, e.g. `{response: {status, headers}}` or `{usage}`. */
  extra?: Record<string, JsonValue>;
}
