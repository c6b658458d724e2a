import type { StepResult, Task } from "../api/types.ts";

/** What is known of each step of a workflow by the runs it had. */
export interface KnownResults {
  /** The newest result of each step. */
  results: ReadonlyMap<string, StepResult>;
  /** What each step gives to others: what was pinned to it, else what it gave the last time. */
  outputs: ReadonlyMap<string, unknown>;
  input: unknown;
  hasRun: boolean;
  /** What steps that are run alone get in place of the steps that do not run. */
  partialRunInputs: (stepIds: readonly string[]) => PartialRunInputs;
}

export interface PartialRunInputs {
  fromTaskId?: string;
  outputs?: Record<string, unknown>;
  input?: unknown;
}

/** A run of some steps knows only those: it adds to the whole run before it and does not take its place. */
export function isFullRun(task: Pick<Task, "trigger">): boolean {
  return task.trigger !== "partial";
}

/** An output that a person has set for a step, so that the steps after it can be tried without it. */
export type Pins = ReadonlyMap<string, unknown>;

/** Newest first, from the last whole run on. */
export function knownResults(tasks: readonly Task[], pins: Pins = new Map()): KnownResults {
  const whole = tasks.find(isFullRun);
  const oldestFirst = tasks.slice(0, whole === undefined ? undefined : tasks.indexOf(whole) + 1).toReversed();
  const results = new Map<string, StepResult>();
  const later = new Map<string, unknown>();
  for (const task of oldestFirst)
    for (const result of task.stepResults) {
      results.set(result.stepId, result);
      if (task !== whole && result.status === "completed") later.set(result.stepId, result.output);
    }
  const known = whole ?? tasks[0];
  return {
    results,
    outputs: new Map([...[...results].map(([id, { output }]) => [id, output] as const), ...pins]),
    input: known?.input,
    hasRun: known !== undefined,
    partialRunInputs(stepIds) {
      const outputs = [...later, ...pins].filter(([stepId]) => !stepIds.includes(stepId));
      return {
        ...(whole === undefined ? {} : { fromTaskId: whole.id }),
        ...(outputs.length === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
        ...(known === undefined ? {} : { input: known.input }),
      };
    },
  };
}
