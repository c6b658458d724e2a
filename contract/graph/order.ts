import type { Edge, Graph } from "../graph.ts";
import { findComponents, type Components, type Links } from "./components.ts";
import { findReachable } from "./reachability.ts";
import { referredStepIds } from "./step-references.ts";

export interface StepDependencies {
  /** Incoming edges: those of the graph, or the implied sequence of a graph without edges. */
  incoming: Edge[];
  outgoing: Edge[];
  /** Referenced steps that come neither before nor after it. It waits for them, but is not skipped with them. */
  waitsFor: string[];
  /** Referenced steps that come after it, or itself: always an error. */
  refersAhead: string[];
}

export interface Dependencies {
  steps: Map<string, StepDependencies>;
  /** Topological order; ties keep the order of the list. Meaningless when there are cycles. */
  order: string[];
  /** The steps of each cycle, through edges or through waiting for each other. */
  cycles: string[][];
}

export interface DependencyOptions {
  /** The steps that a step refers to, when the caller has already read the templates. */
  referred?: (stepId: string) => readonly string[];
  /** Whether the steps run one after the other in the order of the list. By default, when there is no edge. */
  inSequence?: boolean;
}

/** The dependencies between steps, computed in one place for the validator and the engine. */
export function dependenciesOf(graph: Graph, options: DependencyOptions = {}): Dependencies {
  const { referred = referencesIn(graph), inSequence = graph.edges.length === 0 } = options;
  const ids = graph.steps.map((step) => step.stepId);
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const entries = ids.map((): StepDependencies => ({
    incoming: [],
    outgoing: [],
    waitsFor: [],
    refersAhead: [],
  }));
  const links: Links = { from: [], to: [] };

  for (const edge of inSequence ? impliedSequence(ids) : graph.edges) {
    const from = indexOf.get(edge.source);
    const to = indexOf.get(edge.target);
    if (from === undefined || to === undefined || from === to) continue;
    entries[from]!.outgoing.push(edge);
    entries[to]!.incoming.push(edge);
    links.from.push(from);
    links.to.push(to);
  }

  const control = findComponents(ids.length, links);
  const waits = sortReferences(ids, indexOf, referred, entries, links, control);
  const all =
    waits.from.length === 0
      ? control
      : findComponents(ids.length, {
          from: [...links.from, ...waits.from],
          to: [...links.to, ...waits.to],
        });
  return {
    steps: new Map(ids.map((id, index) => [id, entries[index]!])),
    ...groupByComponent(ids, all),
  };
}

function referencesIn(graph: Graph): (stepId: string) => readonly string[] {
  const byId = new Map(graph.steps.map((step) => [step.stepId, step]));
  return (stepId) => {
    const step = byId.get(stepId);
    return step === undefined ? [] : referredStepIds(step);
  };
}

function impliedSequence(ids: readonly string[]): Edge[] {
  return ids.slice(1).map((target, index) => ({ source: ids[index]!, target }));
}

/** Fills in `waitsFor` and `refersAhead` and returns the waits as links. */
function sortReferences(
  ids: readonly string[],
  indexOf: ReadonlyMap<string, number>,
  referred: (stepId: string) => readonly string[],
  entries: readonly StepDependencies[],
  links: Links,
  control: Components,
): Links {
  const pairs: Links = { from: [], to: [] };
  const queries: Links = { from: [], to: [] };
  ids.forEach((id, reader) => {
    for (const name of withoutRepeats(referred(id))) {
      const target = indexOf.get(name);
      if (target === undefined) continue;
      if (target === reader) entries[reader]!.refersAhead.push(name);
      const a = control.of[target]!;
      const b = control.of[reader]!;
      pairs.from.push(target);
      pairs.to.push(reader);
      queries.from.push(Math.min(a, b));
      queries.to.push(Math.max(a, b));
    }
  });

  // In a cycle, which is one component, every step reaches every other: no step waits or refers ahead, and only the
  // cycle itself is reported.
  const componentLinks: Links = {
    from: links.from.map((node) => control.of[node]!),
    to: links.to.map((node) => control.of[node]!),
  };
  const connected = findReachable(control.count, componentLinks, queries);
  const waits: Links = { from: [], to: [] };
  pairs.from.forEach((target, i) => {
    const reader = pairs.to[i]!;
    if (connected[i]) {
      if (control.of[target]! > control.of[reader]!) entries[reader]!.refersAhead.push(ids[target]!);
      return;
    }
    entries[reader]!.waitsFor.push(ids[target]!);
    waits.from.push(target);
    waits.to.push(reader);
  });
  return waits;
}

/** Nearly every step refers to none or one: a set for each of ten thousand steps would cost memory for nothing. */
function withoutRepeats(names: readonly string[]): Iterable<string> {
  return names.length < 2 ? names : new Set(names);
}

function groupByComponent(
  ids: readonly string[],
  components: Components,
): { order: string[]; cycles: string[][] } {
  if (components.count === ids.length) {
    const order = [...ids];
    ids.forEach((id, index) => {
      order[components.of[index]!] = id;
    });
    return { order, cycles: [] };
  }
  const groups: string[][] = Array.from({ length: components.count }, () => []);
  ids.forEach((id, index) => groups[components.of[index]!]!.push(id));
  return { order: groups.flat(), cycles: groups.filter((group) => group.length > 1) };
}
