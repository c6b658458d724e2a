import type { Conversion } from "../conversion.ts";
import type { Scope } from "../expressions/accessors.ts";
import type { Loop } from "../plan/plan.ts";
import { WORKFLOW } from "../plan/scopes.ts";
import { batchSizeOf, type SourceNode } from "../source/source.ts";
import type { Data } from "./data.ts";
import type { DataFlow } from "./data-flow.ts";

const NOT_HERE = "an item of an outer loop cannot be read here";

/** Makes what the expressions of a node can read. */
export function createScopeOf(conversion: Conversion, flow: DataFlow): (name: string) => Scope {
  const { source, steps, plan, scopes, idOf } = conversion;
  const rank = new Map(plan.order.map((name, index) => [name, index]));
  const isBefore = (other: string, name: string): boolean => (rank.get(other) ?? 0) < (rank.get(name) ?? 0);

  /** The data of another node as the step of `name` sees it, or why it cannot be read there. */
  function dataFor(name: string, other: string, which: "item" | "list"): Data | string {
    const here = scopes.scopeOf(name);
    const [trigger] = flow.ofTrigger(other);
    if (trigger !== undefined) return trigger;
    if (!steps.has(other)) return `there is no node “${other.slice(0, 60)}”`;
    if (plan.loops.has(other) && scopes.isInside(name, other))
      return here === other ? flow.itemOf(other) : NOT_HERE;
    const loop = plan.loops.get(here);
    if (which === "item" && loop !== undefined && loop.node === undefined && loop.over === other)
      return flow.itemOf(here);
    if (!isBefore(other, name)) return `“${other.slice(0, 60)}” does not run before this step`;
    if (!scopes.isInside(name, scopes.scopeOf(other))) {
      const outer = scopes.shared(name, other);
      return flow.collected(scopes.representative(outer, other), other);
    }
    const [data] = flow.ofNode(other);
    if (data === undefined) return `“${other.slice(0, 60)}” has no data`;
    return data.loop === undefined || data.loop === here ? data : NOT_HERE;
  }

  return (name) => {
    const arriving = flow.arriving(name);
    const isFirst = arriving.length === 0 && !flow.hasLines(name);
    return {
      current: isFirst ? [{ path: ["input"], shape: "one", exact: true }] : arriving,
      isInLoop: scopes.scopeOf(name) !== WORKFLOW,
      isExclusive: !conversion.parallel.has(name),
      timezone: source.timezone,
      runIndex: runIndexOf(scopes.scopeOf(name), plan.loops, steps),
      stepId: (other) =>
        steps.has(other) && scopes.isInside(name, scopes.scopeOf(other)) && isBefore(other, name)
          ? idOf(other)
          : undefined,
      node: (other, which = "item") => dataFor(name, other, which),
    };
  };
}

/** n8n counts the runs of a node: the batches of the loop that it is in. */
function runIndexOf(
  scope: string,
  loops: ReadonlyMap<string, Loop>,
  nodes: ReadonlyMap<string, SourceNode>,
): string | undefined {
  const loop = loops.get(scope);
  if (loop === undefined) return "0";
  const node = loop.node === undefined ? undefined : nodes.get(loop.node);
  if (node === undefined) return loop.parent === undefined ? "0" : undefined;
  return batchSizeOf(node) === 1 && loop.parent === undefined ? "index" : undefined;
}
