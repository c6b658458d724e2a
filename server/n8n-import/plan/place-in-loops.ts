import type { SourceLink } from "../source/source.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { LoopBodies } from "./loop-bodies.ts";
import type { NodeFlow } from "./node-flow.ts";
import type { Loop, Plan } from "./plan.ts";
import { representativeIn } from "./scopes.ts";

/** Deeper loops are not added. The validator allows 20. */
const MAX_DEPTH = 8;

/** Decides for each node, in their order, in which loop it is, and adds loops over lists. */
export function placeInLoops(
  order: readonly string[],
  links: readonly SourceLink[],
  bodies: LoopBodies,
  flowOf: (name: string) => NodeFlow,
): Pick<Plan, "loopOf" | "loops"> {
  const loops = new Map<string, Loop>();
  const loopOf = new Map<string, string>();
  const incoming = groupBy(
    links,
    ({ to }) => to,
    ({ from }) => from,
  );
  /** The nodes whose data a node hands on: itself, or those before it. */
  const producers = new Map<string, Set<string>>();

  const givesList = (name: string): boolean => loops.has(name) || flowOf(name).gives === "list";

  /** The nodes whose data arrives, as the scope sees them. */
  function arriving(scope: string | undefined, sources: readonly string[]): Set<string> {
    return new Set(
      sources.flatMap((from) => {
        const seen = representativeIn(scope, from, loopOf, loops);
        return seen === from ? [...(producers.get(from) ?? [from])] : [seen];
      }),
    );
  }

  /** The loop over the list that arrives at a node that takes single items. */
  function loopOver(scope: string | undefined, over: string): string | undefined {
    if (!givesList(over) || (loopOf.get(over) ?? loops.get(over)?.parent) !== scope) return undefined;
    const id = `each:${over}`;
    if (!loops.has(id) && depthOf(scope, loops) < MAX_DEPTH)
      loops.set(id, { id, parent: scope, node: undefined, over });
    return loops.has(id) ? id : undefined;
  }

  for (const name of order) {
    const base = bodies.loopOf(name);
    const flow = flowOf(name);
    const sources = incoming.get(name) ?? [];
    let scope = flow.takes === "all" ? base : (sharedLoop(base, sources, loopOf, loops) ?? base);
    // Inside of its loop, a loop node is where each item comes from.
    const found = arriving(
      scope,
      sources.filter((from) => from !== base),
    );
    const [over] = found;
    if (flow.takes === "item" && found.size === 1 && over !== undefined)
      scope = loopOver(scope, over) ?? scope;
    if (scope !== undefined) loopOf.set(name, scope);
    if (bodies.isLoop(name)) loops.set(name, { id: name, parent: scope, node: name, over: name });
    // Inside of a loop that the import adds, what arrives is an item of the list.
    const loop = scope === undefined ? undefined : loops.get(scope);
    const isItem = loop !== undefined && loop.node === undefined && found.has(loop.over);
    producers.set(name, !flow.passes ? new Set([name]) : isItem ? new Set() : found);
  }
  return { loopOf, loops };
}

/** The loop that all nodes before a node are in, if the node goes on inside of it. */
function sharedLoop(
  base: string | undefined,
  sources: readonly string[],
  loopOf: ReadonlyMap<string, string>,
  loops: ReadonlyMap<string, Loop>,
): string | undefined {
  const [first, ...rest] = sources.map((from) => (base === from ? undefined : loopOf.get(from)));
  const isShared = first !== undefined && rest.every((loop) => loop === first);
  return isShared && goesOnInside(first, base, loops) ? first : undefined;
}

/** True for a loop that the import added in the scope `base`, at any depth. */
function goesOnInside(loop: string, base: string | undefined, loops: ReadonlyMap<string, Loop>): boolean {
  for (let at: string | undefined = loop; at !== undefined; at = loops.get(at)?.parent) {
    if (at === base) return false;
    // A body of `Loop Over Items` is not left by the lines inside of it.
    if (loops.get(at)?.node !== undefined) return false;
    if (loops.get(at)?.parent === base) return true;
  }
  return false;
}

function depthOf(loop: string | undefined, loops: ReadonlyMap<string, Loop>): number {
  let depth = 0;
  for (let at = loop; at !== undefined; at = loops.get(at)?.parent) depth += 1;
  return depth;
}
