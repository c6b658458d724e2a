import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../../contract/placeholders/render.ts";
import type { TaskTrace } from "../run-tracing.ts";
import type { Trigger } from "./task.ts";

/** Options of a task in addition to its workflow. */
export interface TaskOptions {
  /** Runs only these steps. */
  stepIds?: string[];
  /** Outputs of steps that do not run. */
  outputs?: Record<string, JsonValue>;
  responseStepId?: string;
  /** It counts for a limit of its workflow: when it ends, another one may start. */
  isGrouped?: true;
  /** Its workflow names one that runs when it fails. */
  hasErrorWorkflow?: true;
  /** A step whose connection is refused waits for its repair. */
  waitsForConnections?: true;
  /** How long the task may take after it has started, waits included. */
  timeoutMs?: number;
  /** The HTTP request that started the task, for `{{trigger.…}}`. */
  request?: TriggerRequest;
  /** The conversation of a chat that the task answers, also as a task that another one started. */
  conversation?: string;
  /** Set while tracing is on. */
  trace?: TaskTrace;
}

/** A person asked for the next attempt of a step before it is due; without a path, of every step that waits for one. */
export interface RetryRequest {
  path?: string;
  at: number;
}

/** A task as a run holds it. */
export interface EngineTask {
  id: string;
  ownerId: string;
  /** The lane whose slot it holds while it runs. */
  lane: string;
  workflowId: string;
  workflowVersion: number;
  trigger: Trigger;
  input: JsonValue;
  /** Size of a large input, when it was read from the database. */
  inputCharacters?: number;
  options: TaskOptions | null;
  parentTaskId: string | null;
  parentStep: string | null;
  /** The first task of a chain of calls; null when this is one. */
  rootTaskId: string | null;
  depth: number;
  /** Fencing token, raised by every claim: a write with an older epoch is not stored. */
  epoch: number;
  /** Raised by every write that may end a wait. A task that parks with an older value is due at once. */
  wake: number;
  createdAt: number;
  startedAt: number | null;
  /** Those that came before it was claimed, oldest first. */
  retryRequests?: readonly RetryRequest[];
  /** True when its journal is known to be empty. */
  isBlank?: boolean;
  /** The process that queued it, whose caller may wait for its end. */
  acceptedBy?: string | null;
}
