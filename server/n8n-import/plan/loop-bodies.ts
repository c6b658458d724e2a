import type { PartedWork } from "../../lib/in-turns.ts";
import type { SourceLink, SourceNode } from "../source/source.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { NodeFlow } from "./node-flow.ts";
import { reachable } from "./order.ts";

/** Bounds the time of a hostile file: each loop is a walk along all lines. */
const MAX_LOOPS = 50;

/** True for the line of `Loop Over Items` into its loop; the other one is taken when the loop is done. */
export function isLoopOutput({ version }: SourceNode, output: number): boolean {
  return output === (version >= 3 ? 1 : 0);
}

/** Which nodes are inside of each `Loop Over Items`. */
export interface LoopBodies {
  isLoop: (name: string) => boolean;
  /** The innermost loop that a node is in. */
  loopOf: (name: string) => string | undefined;
  isInside: (name: string, loop: string) => boolean;
}

export function* findLoopBodies(
  nodes: ReadonlyMap<string, SourceNode>,
  links: readonly SourceLink[],
  flowOf: (name: string) => NodeFlow,
): PartedWork<LoopBodies> {
  const bodies = yield* bodiesOf(nodes, links, flowOf);
  const innermost = yield* innermostOf(bodies);
  return {
    isLoop: (name) => bodies.has(name),
    loopOf: (name) => innermost.get(name),
    isInside: (name, loop) => isAround(innermost, loop, name),
  };
}

function* bodiesOf(
  nodes: ReadonlyMap<string, SourceNode>,
  links: readonly SourceLink[],
  flowOf: (name: string) => NodeFlow,
): PartedWork<Map<string, Set<string>>> {
  const next = groupBy(
    links,
    ({ from }) => from,
    ({ to }) => to,
  );
  const before = groupBy(
    links,
    ({ to }) => to,
    ({ from }) => from,
  );
  const bodies = new Map<string, Set<string>>();
  for (const [name, node] of nodes) {
    if (!flowOf(name).isLoop || bodies.size >= MAX_LOOPS) continue;
    yield;
    const heads = (isLoop: boolean): string[] =>
      links
        .filter(({ from, output }) => from === name && isLoopOutput(node, output) === isLoop)
        .map(({ to }) => to);
    const looped = reachable(heads(true), next, name);
    const done = reachable(heads(false), next, name);
    const returning = reachable(before.get(name) ?? [], before, name);
    const body = new Set([...looped].filter((one) => one !== name && (returning.has(one) || !done.has(one))));
    // What only the loop itself can reach: a loop around this one is not in its body.
    for (const one of body) if (flowOf(one).isLoop && bodies.get(one)?.has(name) === true) body.delete(one);
    if (body.size > 0) bodies.set(name, body);
  }
  return bodies;
}

/** By node, the loop with the smallest body that contains it. */
function* innermostOf(bodies: ReadonlyMap<string, Set<string>>): PartedWork<Map<string, string>> {
  const found = new Map<string, string>();
  const bySize = [...bodies].toSorted(([, a], [, b]) => b.size - a.size);
  for (const [loop, body] of bySize) {
    yield;
    for (const name of body) if (name !== loop && !isAround(found, name, loop)) found.set(name, loop);
  }
  return found;
}

/** True when `outer` is a loop that `name` is in, at any depth. */
function isAround(innermost: ReadonlyMap<string, string>, outer: string, name: string): boolean {
  for (let loop = innermost.get(name); loop !== undefined; loop = innermost.get(loop))
    if (loop === outer) return true;
  return false;
}
