import type { CompiledGraph, CompiledStep } from "./compiled-graph.ts";
import type { Memory } from "./fold.ts";
import { handlesFailure } from "./progress.ts";

/** The paths that a rerun clears: every failure that nobody handled, in rounds of a foreach too. All else is kept. */
export function unhandledFailures(memory: Memory, graph: CompiledGraph): string[] {
  return [...memory].flatMap(([path, { ended }]) => {
    if (ended?.status !== "failed") return [];
    const step = stepAt(graph, path);
    return step === undefined || !handlesFailure(step) || isRound(path) ? [path] : [];
  });
}

/** `each[3]/fetch` → the step `fetch` inside the foreach `each`. */
function stepAt(graph: CompiledGraph, path: string): CompiledStep | undefined {
  const own = graph.steps.get(path);
  if (own !== undefined) return own;
  for (const step of graph.steps.values()) {
    if (step.type !== "foreach" || !path.startsWith(`${step.id}[`)) continue;
    const [round, inner] = /^\[\d+\](?:\/(.*))?$/s.exec(path.slice(step.id.length)) ?? [];
    if (round === undefined) continue;
    return inner === undefined || step.inner === undefined ? step : stepAt(step.inner, inner);
  }
  return undefined;
}

/** A round that runs a workflow is recorded under `each[3]` itself. */
function isRound(path: string): boolean {
  return /\[\d+\]$/.test(path);
}
