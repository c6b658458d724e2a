import { isDeepStrictEqual } from "node:util";
import type { Graph, Step } from "../../../contract/graph.ts";
import { innerGraph, iterationCheck } from "../../../contract/graph/step-references.ts";
import { iterationOf } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import type { CompiledGraph, CompiledStep } from "../graph/compiled-graph.ts";
import type { Memory } from "../journal/fold.ts";
import { handlesFailure } from "../graph/progress.ts";
import { stepsFrom } from "../graph/selection.ts";

/** The paths that a rerun clears: every failure that the graph does not handle, in iterations too. The rest is kept. */
export function unhandledFailures(memory: Memory, graph: CompiledGraph): string[] {
  return [...memory].flatMap(([path, { ended }]) => {
    if (ended?.status !== "failed") return [];
    const steps = stepsAt(graph, path);
    const step = steps.at(-1);
    // The path of an iteration itself ends with its number, not with the id of its loop.
    const isIteration = step !== undefined && !path.endsWith(step.id);
    if ((isIteration ? steps : steps.slice(0, -1)).some((loop) => loop.continueOnItemError)) return [];
    const isHandled = step !== undefined && handlesFailure(step) && !isIteration;
    return isHandled && !hasLostRace(memory, path, step) ? [] : [path];
  });
}

/** A failed branch counts when no step was reached that joins on the first success: a rerun tries all branches again. */
function hasLostRace(memory: Memory, path: string, { id, racesTo, ...step }: CompiledStep): boolean {
  if (racesTo.length === 0 || handlesFailure({ ...step, id, racesTo: [] })) return false;
  const prefix = path.slice(0, path.length - id.length);
  const reached = racesTo.map((join) => memory.get(prefix + join)?.ended?.status);
  return reached.every((status) => status === undefined || status === "skipped");
}

/** Loops that both versions have, with another list or other steps in the newer one. */
export function editedLoops(ran: Graph, next: Graph): string[] {
  const before = new Map(ran.steps.map((step) => [step.stepId, step]));
  return next.steps.flatMap((step) => {
    const old = before.get(step.stepId);
    const areLoops = old !== undefined && [old, step].every(({ type }) => traitsOf(type).loop === true);
    return areLoops && !isDeepStrictEqual(iterated(old), iterated(step)) ? [step.stepId] : [];
  });
}

/** The steps whose results another version does not keep: those that it changed, and the steps after them. */
export function outdatedSteps(ran: Graph, next: Graph): string[] {
  const before = new Map(ran.steps.map((step) => [step.stepId, step]));
  const outdated = new Set<string>();
  for (const step of next.steps) {
    const old = before.get(step.stepId);
    if (old === undefined || isDeepStrictEqual(effective(old), effective(step))) continue;
    for (const id of stepsFrom(next, step.stepId)) outdated.add(id);
  }
  return [...outdated];
}

/** What the result of a step depends on; not its name, its place on the page, its retries or its time limit. */
function effective(step: Step): unknown {
  if (traitsOf(step.type).loop === true) return iterated(step);
  const { name: _name, position: _position, timeoutMs: _timeout, ...rest } = step;
  const { maxRetries: _retries, retryDelayMs: _delay, backoffMultiplier: _backoff, ...effects } = rest;
  return effects;
}

/** What the result of a loop depends on; not its name, its place on the page or its retries. */
function iterated(loop: Step): unknown {
  const inner = innerGraph(loop);
  return {
    items: loop["items"],
    batchSize: loop["batchSize"],
    onItemError: loop["onItemError"],
    initial: loop["initial"],
    check: iterationCheck(loop),
    workflowId: loop["workflowId"],
    edges: inner?.edges,
    steps: (inner?.steps as Step[] | undefined)?.map(({ name: _name, position: _position, ...step }) =>
      traitsOf(step.type).loop === true ? { ...step, ...(iterated(step as Step) as object) } : step,
    ),
  };
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
