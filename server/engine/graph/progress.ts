import { caseKey, edgeCase, edgeCondition } from "../../../contract/graph/branches.ts";
import type { Edge } from "../../../contract/graph.ts";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { CompiledGraph, CompiledStep } from "./compiled-graph.ts";

/** How a step ended, as far as its edges depend on it. `failed` is a failure that the graph handles. */
export type Ending =
  | { status: "completed"; output: JsonValue }
  | { status: "failed" }
  | { status: "skipped" }
  /** Skipped because it is disabled: the run continues after it. */
  | { status: "disabled" };

export interface Decision {
  /** No edge of the ended step was taken: its output is part of the result. */
  final: boolean;
  /** Steps that may start now. */
  ready: string[];
  /** Steps that no edge can reach any more, disabled ones, and the lost ones. */
  skipped: string[];
  /** Steps of the other branches, when a step that joins on the first success starts. Some may be running. */
  lost?: string[];
  /** A step that joins on the first success and has no branch left that may succeed: the run fails. */
  failedJoin?: string;
}

export interface Progress {
  /** The steps without dependencies. */
  begin(): Decision;
  /** Records how a step ended and returns the steps that follow from it. */
  settle(stepId: string, ending: Ending): Decision;
  /** How many steps have not ended. */
  open(): number;
  isSettled(stepId: string): boolean;
}

/**
 * True when the graph handles a failure of this step and the run continues; otherwise the failure ends the run. In a race
 * it continues while another branch may succeed.
 */
export function handlesFailure(step: CompiledStep): boolean {
  return (
    step.continueOnError ||
    step.racesTo.length > 0 ||
    step.outgoing.some((edge) => edgeCondition(edge) === "error")
  );
}

/** True when an edge says where the run continues after a timeout of this step. */
export function handlesTimeout(step: CompiledStep): boolean {
  return step.branching === "timeout" && step.outgoing.some((edge) => edgeCondition(edge) === "timeout");
}

/** For each outgoing edge, whether the ending takes it. */
export function takenEdges(step: CompiledStep, ending: Ending): boolean[] {
  if (ending.status === "skipped") return step.outgoing.map(() => false);
  if (ending.status === "disabled") return step.outgoing.map(isPlain);
  if (ending.status === "failed") {
    return step.outgoing.map(
      (edge) => edgeCondition(edge) === "error" || (step.continueOnError && isPlain(edge)),
    );
  }
  const isTimeout = handlesTimeout(step) && isRecord(ending.output) && ending.output["timedOut"] === true;
  const key = caseKey(ending.output);
  const matchesCase = (edge: Edge): boolean => edgeCase(edge) !== undefined && edgeCase(edge) === key;
  const someCaseMatches = step.branching === "case" && step.outgoing.some(matchesCase);
  return step.outgoing.map((edge) => {
    const condition = edgeCondition(edge);
    if (condition === "timeout" || isTimeout) return condition === "timeout" && isTimeout;
    if (condition !== undefined)
      return condition !== "error" && step.branching === "outcome" && condition === String(ending.output);
    if (edgeCase(edge) !== undefined) return step.branching === "case" && matchesCase(edge);
    return !someCaseMatches;
  });
}

function isPlain(edge: Edge): boolean {
  return edgeCondition(edge) === undefined && edgeCase(edge) === undefined;
}

interface StepState {
  step: CompiledStep;
  undecidedEdges: number;
  takenEdges: number;
  /** The taken edges of sources that have not failed. */
  succeededEdges: number;
  /** A step of a branch that leads to it has failed. */
  hasFailedBranch: boolean;
  undecidedWaits: number;
  phase: "pending" | "ready" | "ending" | "settled";
}

/** Counts down the open dependencies of each step, so that an ending costs its own edges and not the whole graph. */
export function createProgress(graph: CompiledGraph): Progress {
  const states = new Map<string, StepState>();
  for (const step of graph.steps.values()) {
    states.set(step.id, {
      step,
      undecidedEdges: step.incoming.length,
      takenEdges: 0,
      succeededEdges: 0,
      hasFailedBranch: false,
      undecidedWaits: step.waitsFor.length,
      phase: "pending",
    });
  }
  let open = states.size;

  function examine(state: StepState, decision: Decision, endings: [StepState, Ending][]): void {
    if (state.phase !== "pending" || state.undecidedWaits > 0) return;
    const { step, undecidedEdges, takenEdges: taken } = state;
    if (step.join === "any" && taken > 0) start(state, decision, endings);
    else if (step.join === "first" && state.succeededEdges > 0) start(state, decision, endings);
    else if (undecidedEdges > 0) return;
    else if (step.incoming.length === 0 || taken > 0) start(state, decision, endings);
    else {
      // The join after this one decides, if there is one: it has the same failed branch.
      if (state.hasFailedBranch && step.racesTo.length === 0) decision.failedJoin ??= step.id;
      skip(state, { status: "skipped" }, decision, endings);
    }
  }

  function skip(state: StepState, ending: Ending, decision: Decision, endings: [StepState, Ending][]): void {
    state.phase = "ending";
    decision.skipped.push(state.step.id);
    endings.push([state, ending]);
  }

  function start(state: StepState, decision: Decision, endings: [StepState, Ending][]): void {
    state.phase = "ready";
    if (state.step.join === "first") endOtherBranches(state, decision, endings);
    if (state.step.disabled) skip(state, { status: "disabled" }, decision, endings);
    else decision.ready.push(state.step.id);
  }

  function endOtherBranches({ step }: StepState, decision: Decision, endings: [StepState, Ending][]): void {
    for (const other of states.values()) {
      const hasEnded = other.phase === "ending" || other.phase === "settled";
      if (hasEnded || !other.step.racesTo.includes(step.id)) continue;
      (decision.lost ??= []).push(other.step.id);
      skip(other, { status: "skipped" }, decision, endings);
    }
  }

  /** A skipped step ends too, so endings cascade. A list instead of recursion: a long chain would overflow the stack. */
  function propagate(endings: [StepState, Ending][], decision: Decision): void {
    for (let next = endings.pop(); next !== undefined; next = endings.pop()) {
      const [state, ending] = next;
      if (state.phase === "settled") continue;
      state.phase = "settled";
      open -= 1;
      const taken = takenEdges(state.step, ending);
      if (ending.status === "failed" && !taken.includes(true))
        for (const id of state.step.racesTo) states.get(id)!.hasFailedBranch = true;
      state.step.outgoing.forEach((edge, index) => {
        const target = states.get(edge.target)!;
        target.undecidedEdges -= 1;
        if (taken[index] === true) target.takenEdges += 1;
        if (taken[index] === true && ending.status !== "failed") target.succeededEdges += 1;
        examine(target, decision, endings);
      });
      for (const waiter of graph.waiters.get(state.step.id) ?? []) {
        const target = states.get(waiter)!;
        target.undecidedWaits -= 1;
        examine(target, decision, endings);
      }
    }
  }

  return {
    begin() {
      const decision: Decision = { final: false, ready: [], skipped: [] };
      const endings: [StepState, Ending][] = [];
      for (const state of states.values()) examine(state, decision, endings);
      propagate(endings, decision);
      return decision;
    },
    settle(stepId, ending) {
      const state = states.get(stepId)!;
      const decision: Decision = {
        // The output of a failed branch is not part of the result.
        final:
          !takenEdges(state.step, ending).includes(true) &&
          !(ending.status === "failed" && state.step.racesTo.length > 0),
        ready: [],
        skipped: [],
      };
      propagate([[state, ending]], decision);
      return decision;
    },
    open: () => open,
    isSettled: (stepId) => states.get(stepId)?.phase === "settled",
  };
}
