import type { FinalStatus, Trigger } from "./tasks/task.ts";

/** The place of a task in a trace, stored with it: a process that continues the task records spans of the same trace. */
export interface TaskTrace {
  /** The span of the task, as in the header `traceparent`. */
  span: string;
  /** The id of the span that started it. */
  parent?: string;
  /** The header `tracestate` of the request that started it. */
  state?: string;
  /** The span of the task that it replays. */
  replays?: string;
}

export interface TracedStep {
  path: string;
  type: string;
  /** Empty for a step of the workflow, `each[3]/` for one of an iteration. */
  prefix: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** When its previous attempt ended, or what it waited for began. */
  since: number;
  /** The number of the attempt of a loop around it. */
  attemptOf(loopPath: string): number;
  /** Redacts the secrets of the run; undefined when it has none. */
  redact: ((text: string) => string) | undefined;
}

/** How an execution of a step ended. `waiting`: it is executed again, and its span continues. */
export interface StepOutcome {
  kind: "completed" | "failed" | "waiting";
  code?: string | undefined;
  startedAt: number;
}

/** What a span shows of a task. */
export interface TracedTask {
  id: string;
  workflowId: string;
  workflowVersion: number;
  trigger: Trigger;
  createdAt: number;
  options: { trace?: TaskTrace } | null;
}

/** The spans of one run. */
export interface RunTrace {
  /** Runs the work of the task in its context. */
  run<T>(work: () => T): T;
  /** Runs a step in a span. An execution that throws is repeated, maybe by another process, and has no span. */
  step<T>(step: TracedStep, work: () => Promise<T>, outcomeOf: (result: T) => StepOutcome): Promise<T>;
  /** The task has ended. */
  end(status: FinalStatus, code?: string): void;
}

/** Records the spans of runs; undefined while tracing is off. */
export interface RunTracing {
  /** The trace of a new task: the active one, or a new one. */
  accept(replayed?: TaskTrace): TaskTrace;
  /** `rerunAt` is the time of the last rerun, 0 without one: a rerun is a separate span with a link to the one before. */
  open(task: TracedTask, options: { rerunAt: number; isFresh: boolean }): RunTrace;
}
