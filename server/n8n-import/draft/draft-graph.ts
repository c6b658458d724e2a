import type { Edge, Step } from "../../../contract/graph.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import type { Conversion } from "../conversion.ts";
import type { DataFlow } from "../data/data-flow.ts";
import { createArrivingValues } from "../nodes/arriving-values.ts";
import { errorOutputOf } from "../plan/error-output.ts";
import { groupBy } from "../../lib/group-by.ts";
import { WORKFLOW } from "../plan/scopes.ts";
import { batchSizeOf, type SourceLink } from "../source/source.ts";
import { placeholderStep } from "./placeholder.ts";

const MAX_EDGE_ID = 190;

interface DraftGraph {
  steps: Step[];
  edges: Edge[];
}

/** The converted nodes as steps and edges; loops contain theirs. Yields after each step: 500 placeholders are 10 MB of text. */
export function* buildGraph(conversion: Conversion, flow: DataFlow): PartedWork<DraftGraph> {
  const { steps: nodes, plan, scopes, converted, idOf } = conversion;

  const members = new Map<string, Set<string>>();
  for (const name of plan.order)
    for (const { scope, step } of scopes.around(name))
      members.set(scope, (members.get(scope) ?? new Set()).add(step));
  // A line belongs to the innermost scope with both of its ends.
  const lines = groupBy(
    plan.links,
    ({ from, to }) => scopes.shared(from, to),
    (link) => link,
  );

  function* graphOf(scope: string): PartedWork<DraftGraph> {
    const steps: Step[] = [];
    for (const name of members.get(scope) ?? []) {
      steps.push(plan.loops.has(name) ? yield* loopStep(name) : stepOf(name));
      yield;
    }
    return { steps, edges: edgesOf(scope) };
  }

  function edgesOf(scope: string): Edge[] {
    const edges = new Map<string, Edge>();
    for (const link of lines.get(scope) ?? []) {
      const from = scopes.representative(scope, link.from);
      const to = scopes.representative(scope, link.to);
      if (from === to) continue;
      const condition = from === link.from && !plan.loops.has(from) ? conditionOf(link) : {};
      const key = JSON.stringify([from, to, condition]);
      if (edges.has(key)) continue;
      const [source, target] = [idOf(from), idOf(to)];
      const id = `${source}-${target}${edges.size + 1}`.slice(0, MAX_EDGE_ID);
      edges.set(key, { id, source, target, ...condition });
    }
    return [...edges.values()];
  }

  /** When the edge is taken: by the outcome of a branch, or after an error. */
  function conditionOf({ from, output }: SourceLink): Readonly<Record<string, unknown>> {
    const node = nodes.get(from);
    const result = converted.get(from);
    if (node === undefined || result?.step === undefined || node.disabled) return {};
    return output === errorOutputOf(node, result)
      ? { condition: "error" }
      : (result.branches?.(output) ?? {});
  }

  function stepOf(name: string): Step {
    const node = nodes.get(name);
    if (node === undefined) return placeholderStep(idOf(name), { name, type: "", parameters: {} });
    const fields = converted.get(name)?.step;
    if (fields === undefined) return placeholderStep(idOf(name), node);
    return {
      stepId: idOf(name),
      name: node.name,
      ...fields,
      ...(node.retries > 0 && { maxRetries: node.retries }),
      ...(node.onError === "continue" && { onError: "continue" }),
      ...(node.disabled && { disabled: true }),
    } as Step;
  }

  function* loopStep(loop: string): PartedWork<Step> {
    const { node: name, over = "" } = plan.loops.get(loop) ?? {};
    const node = name === undefined ? undefined : nodes.get(name);
    // What is to check in the list was said of the node that gives it.
    const list = name === undefined ? [flow.listOf(over)] : flow.arriving(name);
    return {
      stepId: idOf(loop),
      type: "foreach",
      name: name ?? `For each: ${nodes.get(over)?.name ?? "item"}`.slice(0, 200),
      items: createArrivingValues(list, () => undefined).items(),
      // n8n works through items one after the other.
      concurrency: node === undefined ? 1 : Math.min(batchSizeOf(node), 100),
      ...(yield* graphOf(loop)),
    };
  }

  return yield* graphOf(WORKFLOW);
}
