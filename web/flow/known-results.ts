import type { StepResult, Task } from "../api/types.ts";

/** The latest results of each step of a workflow, collected from its runs. */
export interface KnownResults {
  /** The newest result of each step. */
  results: ReadonlyMap<string, StepResult>;
  /** The run of each result. */
  taskIds: ReadonlyMap<string, string>;
  /** The output of each step for the steps after it: the pinned output, otherwise the last one. */
  outputs: ReadonlyMap<string, unknown>;
  input: unknown;
  hasRun: boolean;
  /** Replaces the outputs of the steps that a partial run leaves out. */
  partialRunInputs: (stepIds: readonly string[]) => PartialRunInputs;
}

interface PartialRunInputs {
  fromTaskId?: string;
  outputs?: Record<string, unknown>;
  input?: unknown;
}

/** A partial run has results for some steps only; it adds to the last full run and does not replace it. */
export function isFullRun(task: Pick<Task, "trigger">): boolean {
  return task.trigger !== "partial";
}

/** Outputs that the user has set by hand, by step id. */
export type Pins = ReadonlyMap<string, unknown>;

/** The names that steps had in the last runs, by their present names. */
export type Renames = ReadonlyMap<string, string>;

/** `tasks` are newest first. Runs before the last full run are ignored. A pinned input replaces that of the runs. */
export function knownResults(
  tasks: readonly Task[],
  pins: Pins = new Map(),
  renames: Renames = new Map(),
  pinnedInput?: unknown,
): KnownResults {
  const fullRun = tasks.find(isFullRun);
  const oldestFirst = tasks
    .slice(0, fullRun === undefined ? undefined : tasks.indexOf(fullRun) + 1)
    .toReversed();
  const results = new Map<string, StepResult>();
  const taskIds = new Map<string, string>();
  const partialOutputs = new Map<string, unknown>();
  for (const task of oldestFirst)
    for (const result of task.stepResults) {
      results.set(result.stepId, result);
      taskIds.set(result.stepId, task.id);
      if (task !== fullRun && result.status === "completed") partialOutputs.set(result.stepId, result.output);
    }
  for (const [stepId, before] of renames) {
    const result = results.get(before);
    if (result === undefined || results.has(stepId)) continue;
    results.set(stepId, result);
    taskIds.set(stepId, taskIds.get(before)!);
    // The run has the output under the old name only.
    if (result.status === "completed") partialOutputs.set(stepId, result.output);
  }
  const source = fullRun ?? tasks[0];
  const input = pinnedInput ?? source?.input;
  return {
    results,
    taskIds,
    outputs: new Map([...[...results].map(([id, { output }]) => [id, output] as const), ...pins]),
    input,
    hasRun: source !== undefined || pinnedInput !== undefined,
    partialRunInputs(stepIds) {
      const outputs = [...partialOutputs, ...pins].filter(([stepId]) => !stepIds.includes(stepId));
      return {
        ...(fullRun === undefined ? {} : { fromTaskId: fullRun.id }),
        ...(outputs.length === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
        ...(input === undefined ? {} : { input }),
      };
    },
  };
}
