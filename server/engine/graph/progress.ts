import { caseKey, edgeCase, edgeCondition } from "../../../contract/graph/branches.ts";
import type { Edge } from "../../../contract/graph.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { CompiledGraph, CompiledStep } from "./compiled-graph.ts";

/** How a step ended, as far as the graph cares. `failed` means: and somebody handles it. */
export type Ending =
  | { status: "completed"; output: JsonValue }
  | { status: "failed" }
  | { status: "skipped" };

export interface Decision {
  /** Nothing follows the step that ended: its output is part of the result. */
  final: boolean;
  /** Steps that may start now. */
  ready: string[];
  /** Steps that nothing leads to any more. */
  skipped: string[];
}

export interface Progress {
  /** The steps that wait for nothing. */
  begin(): Decision;
  /** Takes note of how a step ended and says what follows from it. */
  settle(stepId: string, ending: Ending): Decision;
  /** How many steps have not ended. */
  readonly open: number;
  isSettled(stepId: string): boolean;
}

/**
 * Whether a failure of this step is somebody's business: then the run goes on, otherwise it ends.
 */
export function handlesFailure(step: CompiledStep): boolean {
  return step.continueOnError || step.outgoing.some((edge) => edgeCondition(edge) === "error");
}

/** Which of a step's outgoing edges its ending takes. */
export function takenEdges(step: CompiledStep, ending: Ending): boolean[] {
  if (ending.status === "skipped") return step.outgoing.map(() => false);
  if (ending.status === "failed") {
    return step.outgoing.map(
      (edge) => edgeCondition(edge) === "error" || (step.continueOnError && isPlain(edge)),
    );
  }
  const key = caseKey(ending.output);
  const matchesCase = (edge: Edge): boolean => edgeCase(edge) !== undefined && edgeCase(edge) === key;
  const someCaseMatches = step.branching === "case" && step.outgoing.some(matchesCase);
  return step.outgoing.map((edge) => {
    const condition = edgeCondition(edge);
    if (condition !== undefined)
      return condition !== "error" && step.branching === "outcome" && condition === String(ending.output);
    if (edgeCase(edge) !== undefined) return step.branching === "case" && matchesCase(edge);
    return !someCaseMatches;
  });
}

function isPlain(edge: Edge): boolean {
  return edgeCondition(edge) === undefined && edgeCase(edge) === undefined;
}

interface Standing {
  step: CompiledStep;
  undecidedEdges: number;
  takenEdges: number;
  undecidedWaits: number;
  state: "pending" | "ready" | "settled";
}

/** Counts down what every step still waits for, so that an ending costs its own edges and not the whole graph. */
export function createProgress(graph: CompiledGraph): Progress {
  const standings = new Map<string, Standing>();
  for (const step of graph.steps.values()) {
    standings.set(step.id, {
      step,
      undecidedEdges: step.incoming.length,
      takenEdges: 0,
      undecidedWaits: step.waitsFor.length,
      state: "pending",
    });
  }
  let open = standings.size;

  function examine(standing: Standing, decision: Decision, endings: [Standing, Ending][]): void {
    if (standing.state !== "pending" || standing.undecidedWaits > 0) return;
    const { step, undecidedEdges, takenEdges: taken } = standing;
    if (step.joinAny && taken > 0) become(standing, decision);
    else if (undecidedEdges > 0) return;
    else if (step.incoming.length === 0 || taken > 0) become(standing, decision);
    else {
      decision.skipped.push(step.id);
      endings.push([standing, { status: "skipped" }]);
    }
  }

  function become(standing: Standing, decision: Decision): void {
    standing.state = "ready";
    decision.ready.push(standing.step.id);
  }

  /** A skipped step is an ending too, so one ending may cascade; a list in place of recursion, for long chains. */
  function propagate(first: [Standing, Ending], decision: Decision): void {
    const endings = [first];
    for (let next = endings.pop(); next !== undefined; next = endings.pop()) {
      const [standing, ending] = next;
      if (standing.state === "settled") continue;
      standing.state = "settled";
      open -= 1;
      const taken = takenEdges(standing.step, ending);
      standing.step.outgoing.forEach((edge, index) => {
        const target = standings.get(edge.target)!;
        target.undecidedEdges -= 1;
        if (taken[index] === true) target.takenEdges += 1;
        examine(target, decision, endings);
      });
      for (const waiter of graph.waiters.get(standing.step.id) ?? []) {
        const target = standings.get(waiter)!;
        target.undecidedWaits -= 1;
        examine(target, decision, endings);
      }
    }
  }

  return {
    begin() {
      const decision: Decision = { final: false, ready: [], skipped: [] };
      for (const standing of standings.values()) examine(standing, decision, []);
      return decision;
    },
    settle(stepId, ending) {
      const standing = standings.get(stepId)!;
      const decision: Decision = {
        final: !takenEdges(standing.step, ending).includes(true),
        ready: [],
        skipped: [],
      };
      propagate([standing, ending], decision);
      return decision;
    },
    get open() {
      return open;
    },
    isSettled: (stepId) => standings.get(stepId)?.state === "settled",
  };
}
