import type { SourceLink, SourceNode } from "./source.ts";

/**
 * n8n runs a node once for each item that arrives; Baton runs a step once. The rule of the import:
 *
 * - Every step has one object, or a list that stands for several items.
 * - Steps that n8n runs once per item, after a step with a list, go into a `foreach` over that list, with all steps
 *   that follow them, up to the steps that take all items.
 * - `Loop Over Items` is a `foreach` with the nodes of its loop inside; the line back to it goes.
 * - Any other line back is removed, and the node where it began is marked to check.
 * - Where lines with lists and lines without meet, the first item is taken, and the node is marked to check.
 */
export interface NodeFlow {
  /** `item`: once for each. `all`: once for all items. `through`: hands on what arrives. */
  takes: "item" | "all" | "through";
  gives: "one" | "list";
  /** What arrives goes on, such as through a condition. */
  passes: boolean;
  isLoop: boolean;
}

export interface Loop {
  id: string;
  /** The scope that the loop is in; undefined for the workflow. */
  parent: string | undefined;
  /** The node that is the loop; undefined for one that the import adds. */
  node: string | undefined;
  /** The node whose list it goes through. */
  over: string;
}

export interface Plan {
  /** Nodes in the order in which they can run. */
  order: readonly string[];
  loopOf: ReadonlyMap<string, string>;
  loops: ReadonlyMap<string, Loop>;
  /** Without lines back and lines into a loop. */
  links: readonly SourceLink[];
  /** Lines that were left out, by the node where they began. */
  removed: ReadonlyMap<string, string[]>;
}

/** Deeper loops are not added. The validator allows 20. */
const MAX_DEPTH = 8;
/** Bounds the time of a hostile file: each loop is a walk along all lines. */
const MAX_LOOPS = 50;

const LOOP_OUTPUT = ({ version }: SourceNode): number => (version >= 3 ? 1 : 0);

export function isLoopOutput(node: SourceNode, output: number): boolean {
  return output === LOOP_OUTPUT(node);
}

export function planGraph(
  nodes: ReadonlyMap<string, SourceNode>,
  given: readonly SourceLink[],
  flowOf: (name: string) => NodeFlow,
): Plan {
  const removed = new Map<string, string[]>();
  const remove = ({ from, to }: SourceLink): void =>
    void removed.set(from, [...(removed.get(from) ?? []), to]);
  const bodies = findBodies(nodes, given, flowOf);
  const bodyOf = innermost(bodies);
  const inLoop = (name: string, loop: string): boolean => {
    for (let at = bodyOf.get(name); at !== undefined; at = bodyOf.get(at)) if (at === loop) return true;
    return false;
  };
  const forward = given.filter((link) => {
    const { from, to } = link;
    if (bodies.has(to) && inLoop(from, to)) return false; // The end of an iteration.
    const entered = bodyOf.get(to);
    const isInside = entered === undefined || from === entered || inLoop(from, entered);
    if (!isInside) remove(link);
    return isInside;
  });
  const links = withoutCycles([...nodes.keys()], forward, remove);
  const order = topological([...nodes.keys()], links);
  return { order, links, removed, ...placeInLoops(order, links, bodies, bodyOf, flowOf) };
}

/** The nodes inside of each `Loop Over Items`. */
function findBodies(
  nodes: ReadonlyMap<string, SourceNode>,
  links: readonly SourceLink[],
  flowOf: (name: string) => NodeFlow,
): Map<string, Set<string>> {
  const next = grouped(
    links,
    ({ from }) => from,
    ({ to }) => to,
  );
  const before = grouped(
    links,
    ({ to }) => to,
    ({ from }) => from,
  );
  const bodies = new Map<string, Set<string>>();
  for (const [name, node] of nodes) {
    if (!flowOf(name).isLoop || bodies.size >= MAX_LOOPS) continue;
    const heads = (loop: boolean): string[] =>
      links
        .filter(({ from, output }) => from === name && isLoopOutput(node, output) === loop)
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

/** The smallest body that contains a node. */
function innermost(bodies: ReadonlyMap<string, Set<string>>): Map<string, string> {
  const found = new Map<string, string>();
  const bySize = [...bodies].toSorted(([, a], [, b]) => b.size - a.size);
  for (const [loop, body] of bySize)
    for (const name of body) if (name !== loop && !isAround(found, name, loop)) found.set(name, loop);
  return found;
}

/** True when `loop` is inside of `name` already. */
function isAround(found: ReadonlyMap<string, string>, name: string, loop: string): boolean {
  for (let at = found.get(loop); at !== undefined; at = found.get(at)) if (at === name) return true;
  return false;
}

function reachable(
  starts: readonly string[],
  next: ReadonlyMap<string, string[]>,
  stop: string,
): Set<string> {
  const found = new Set<string>();
  const open = [...starts];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || name === stop) continue;
    found.add(name);
    open.push(...(next.get(name) ?? []));
  }
  return found;
}

/** Leaves out every line that leads back, as a walk from the first nodes finds them. */
function withoutCycles(
  names: readonly string[],
  links: readonly SourceLink[],
  remove: (link: SourceLink) => void,
): SourceLink[] {
  const outgoing = grouped(
    links,
    ({ from }) => from,
    (link) => link,
  );
  const targets = new Set(links.map(({ to }) => to));
  const state = new Map<string, "open" | "done">();
  const back = new Set<SourceLink>();
  const starts = [...names.filter((name) => !targets.has(name)), ...names];
  for (const start of starts) {
    if (state.has(start)) continue;
    const path: { name: string; at: number }[] = [{ name: start, at: 0 }];
    state.set(start, "open");
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = outgoing.get(top.name)?.[top.at];
      top.at += 1;
      if (link === undefined) {
        state.set(top.name, "done");
        path.pop();
      } else if (state.get(link.to) === "open") back.add(link);
      else if (!state.has(link.to)) {
        state.set(link.to, "open");
        path.push({ name: link.to, at: 0 });
      }
    }
  }
  for (const link of back) remove(link);
  return links.filter((link) => !back.has(link));
}

/** Names in an order without lines back; ties in the order of the file. */
export function topological(
  names: readonly string[],
  links: readonly { from: string; to: string }[],
): string[] {
  const next = grouped(
    links,
    ({ from }) => from,
    ({ to }) => to,
  );
  const waiting = new Map(names.map((name) => [name, 0]));
  for (const { to } of links) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const ready = names.filter((name) => waiting.get(name) === 0);
  for (let at = 0; at < ready.length; at++)
    for (const name of next.get(ready[at] ?? "") ?? []) {
      const left = (waiting.get(name) ?? 0) - 1;
      waiting.set(name, left);
      if (left === 0) ready.push(name);
    }
  const found = new Set(ready);
  return [...ready, ...names.filter((name) => !found.has(name))];
}

function placeInLoops(
  order: readonly string[],
  links: readonly SourceLink[],
  bodies: ReadonlyMap<string, Set<string>>,
  bodyOf: ReadonlyMap<string, string>,
  flowOf: (name: string) => NodeFlow,
): Pick<Plan, "loopOf" | "loops"> {
  const loops = new Map<string, Loop>();
  const loopOf = new Map<string, string>();
  const incoming = grouped(
    links,
    ({ to }) => to,
    (link) => link,
  );
  /** The nodes whose data a node hands on: itself, or those before it. */
  const producers = new Map<string, Set<string>>();

  for (const name of order) {
    const base = bodyOf.get(name);
    const flow = flowOf(name);
    const arriving = incoming.get(name) ?? [];
    // Inside of its loop, a loop node is where each item comes from.
    const sources = arriving.map(({ from }) => (base === from ? undefined : (loopOf.get(from) ?? undefined)));
    const [first] = sources;
    let scope = base;
    const isAllInOne = sources.length > 0 && sources.every((one) => one === first);
    if (flow.takes !== "all" && isAllInOne && first !== undefined && isWithin(first, base, loops))
      scope = first;
    const found = new Set(
      arriving.flatMap(({ from }) => {
        if (from === base) return [];
        const anchor = anchorIn(scope, from, loopOf, loops);
        return anchor === from ? [...(producers.get(from) ?? [from])] : [anchor];
      }),
    );
    if (flow.takes === "item" && found.size === 1) {
      const [over = ""] = found;
      const id = `each:${over}`;
      const isNew = !loops.has(id) && depthOf(scope, loops) < MAX_DEPTH;
      if (givesList(over, loops, flowOf) && (loopOf.get(over) ?? loops.get(over)?.parent) === scope) {
        if (isNew) loops.set(id, { id, parent: scope, node: undefined, over });
        if (loops.has(id)) scope = id;
      }
    }
    if (scope !== undefined) loopOf.set(name, scope);
    if (bodies.has(name)) loops.set(name, { id: name, parent: scope, node: name, over: name });
    // Inside of a loop that the import adds, what arrives is an item of the list.
    const isItem =
      scope !== undefined && loops.get(scope)?.node === undefined && found.has(loops.get(scope)?.over ?? "");
    producers.set(name, !flow.passes ? new Set([name]) : isItem ? new Set() : found);
  }
  return { loopOf, loops };
}

function givesList(
  name: string,
  loops: ReadonlyMap<string, Loop>,
  flowOf: (name: string) => NodeFlow,
): boolean {
  return loops.has(name) || flowOf(name).gives === "list";
}

function depthOf(loop: string | undefined, loops: ReadonlyMap<string, Loop>): number {
  let depth = 0;
  for (let at = loop; at !== undefined; at = loops.get(at)?.parent) depth += 1;
  return depth;
}

function isWithin(loop: string, base: string | undefined, loops: ReadonlyMap<string, Loop>): boolean {
  for (let at: string | undefined = loop; at !== undefined; at = loops.get(at)?.parent) {
    if (at === base) return false;
    // A body of `Loop Over Items` is not left by the lines inside of it.
    if (loops.get(at)?.node !== undefined) return false;
    if (loops.get(at)?.parent === base) return true;
  }
  return false;
}

/** What stands for a node in a scope: the node itself, or the loop of that scope that contains it. */
export function anchorIn(
  scope: string | undefined,
  name: string,
  loopOf: ReadonlyMap<string, string>,
  loops: ReadonlyMap<string, Loop>,
): string {
  let anchor = name;
  for (let at = loopOf.get(name); at !== undefined && at !== scope; at = loops.get(at)?.parent) anchor = at;
  return anchor;
}

export function grouped<T, V>(
  list: readonly T[],
  keyOf: (one: T) => string,
  valueOf: (one: T) => V,
): Map<string, V[]> {
  const groups = new Map<string, V[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [valueOf(one)]);
    else group.push(valueOf(one));
  }
  return groups;
}
