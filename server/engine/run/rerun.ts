import { isIterationPath, iterationOf } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { CompiledGraph, CompiledStep } from "../graph/compiled-graph.ts";
import type { Memory } from "../journal/fold.ts";
import { handlesFailure } from "../graph/progress.ts";

/** The paths that a rerun clears: every failure that the graph does not handle, in iterations too. The rest is kept. */
export function unhandledFailures(memory: Memory, graph: CompiledGraph): string[] {
  return [...memory].flatMap(([path, { ended }]) => {
    if (ended?.status !== "failed") return [];
    const step = stepsAt(graph, path).at(-1);
    return step === undefined || !handlesFailure(step) || isIterationPath(path) ? [path] : [];
  });
}

/** The paths that wait for a time, a person or another task. */
export function waitingPaths(memory: Memory, where: (path: string) => boolean = () => true): string[] {
  return [...memory].flatMap(([path, { ended, waiting }]) =>
    ended === undefined && waiting?.kind === "wait" && where(path) ? [path] : [],
  );
}

/** `each[3]/fetch` → the foreach `each`, then the step `fetch` inside it; empty when the graph has no such path. */
export function stepsAt(graph: CompiledGraph, path: string): CompiledStep[] {
  const own = graph.steps.get(path);
  if (own !== undefined) return [own];
  for (const step of graph.steps.values()) {
    const iteration = traitsOf(step.type).loop === true ? iterationOf(path, step.id) : undefined;
    if (iteration === undefined) continue;
    if (iteration.innerPath === undefined) return [step];
    const within = step.inner === undefined ? [] : stepsAt(step.inner, iteration.innerPath);
    return within.length === 0 ? [] : [step, ...within];
  }
  return [];
}
