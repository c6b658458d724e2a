import { reachable } from "../plan/order.ts";
import { groupBy } from "../../lib/group-by.ts";
import { at, entriesAt } from "./parameters.ts";
import type { SourceLink, SourceNode, SourceWorkflow } from "./source.ts";

const MAX_LOOPS = 50;
const LOOP_CONTEXT = "noItemsLeft";

/**
 * Loops of version 1 have one output, and end with a condition on `noItemsLeft`: one of its outputs leads back, the other
 * one on. Here the loop itself leads on, as in later versions, and the condition passes on what arrives.
 */
export function withLoopOutputs(source: SourceWorkflow): SourceWorkflow {
  const ends = loopEnds(source);
  if (ends.size === 0) return source;
  return {
    ...source,
    nodes: source.nodes.map((node) =>
      ends.has(node.name) ? { ...node, kind: "noOp", parameters: {} } : node,
    ),
    links: source.links.map((link) => {
      const end = ends.get(link.from);
      if (end === undefined) return link;
      return end.back.has(link.output)
        ? { ...link, output: 0 }
        : { ...link, from: end.loop, output: end.doneOutput };
    }),
  };
}

interface LoopEnd {
  loop: string;
  /** The outputs of the condition that lead back to the loop. */
  back: ReadonlySet<number>;
  /** The output of the loop that is taken when it is done. */
  doneOutput: number;
}

function loopEnds({ nodes, links }: SourceWorkflow): Map<string, LoopEnd> {
  const loops = nodes.filter(({ kind }) => kind === "splitInBatches").slice(0, MAX_LOOPS);
  const conditions = nodes.filter(readsLoopContext).slice(0, MAX_LOOPS);
  const ends = new Map<string, LoopEnd>();
  if (loops.length === 0 || conditions.length === 0) return ends;
  const before = groupBy(
    links,
    ({ to }) => to,
    ({ from }) => from,
  );
  for (const condition of conditions) {
    const text = JSON.stringify(condition.parameters["conditions"]);
    const loop = loops.find(({ name }) => text.includes(name)) ?? loops[0];
    if (loop === undefined) continue;
    const returning = reachable(before.get(loop.name) ?? [], before, loop.name);
    const leadsBack = ({ to }: SourceLink): boolean =>
      to === loop.name || (returning.has(to) && to !== condition.name);
    const own = links.filter(({ from }) => from === condition.name);
    const back = new Set(own.filter(leadsBack).map(({ output }) => output));
    if (back.size > 0)
      ends.set(condition.name, { loop: loop.name, back, doneOutput: loop.version >= 3 ? 0 : 1 });
  }
  return ends;
}

/** A condition with one comparison, on whether items are left in a loop. */
function readsLoopContext({ kind, parameters }: SourceNode): boolean {
  if (kind !== "if") return false;
  const conditions = parameters["conditions"];
  const comparisons = [
    ...entriesAt(conditions, "conditions"),
    ...["boolean", "string", "number"].flatMap((type) => entriesAt(conditions, type)),
  ];
  const [only] = comparisons;
  const left = only === undefined ? undefined : (at(only, "value1") ?? at(only, "leftValue"));
  return comparisons.length === 1 && typeof left === "string" && left.includes(LOOP_CONTEXT);
}
