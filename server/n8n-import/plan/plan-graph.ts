import type { PartedWork } from "../../lib/in-turns.ts";
import type { SourceLink, SourceNode } from "../source/source.ts";
import { findLoopBodies } from "./loop-bodies.ts";
import type { NodeFlow } from "./node-flow.ts";
import { topological, withoutCycles } from "./order.ts";
import { placeInLoops } from "./place-in-loops.ts";
import type { Plan } from "./plan.ts";

/** Puts nodes into an order and into loops. */
export function* planGraph(
  nodes: ReadonlyMap<string, SourceNode>,
  given: readonly SourceLink[],
  flowOf: (name: string) => NodeFlow,
): PartedWork<Plan> {
  const removed = new Map<string, string[]>();
  const remove = ({ from, to }: SourceLink): void =>
    void removed.set(from, [...(removed.get(from) ?? []), to]);
  const bodies = yield* findLoopBodies(nodes, given, flowOf);
  const forward = given.filter((link) => {
    const { from, to } = link;
    if (bodies.isLoop(to) && bodies.isInside(from, to)) return false; // The end of an iteration.
    const entered = bodies.loopOf(to);
    const isInside = entered === undefined || from === entered || bodies.isInside(from, entered);
    if (!isInside) remove(link);
    return isInside;
  });
  yield;
  const links = withoutCycles([...nodes.keys()], forward, remove);
  const order = topological([...nodes.keys()], links);
  yield;
  return { order, links, removed, ...placeInLoops(order, links, bodies, flowOf) };
}
