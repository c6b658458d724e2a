import type { Graph } from "../contract/graph.ts";

const value = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

/** A sequence of steps, each with the output of the previous one. */
export function chain(length: number): Graph {
  const ids = Array.from({ length }, (_, index) => `s${index}`);
  return {
    steps: ids.map((id, index) =>
      value(id, index === 0 ? "{{input.name}}" : `{{steps.s${index - 1}.output}}`),
    ),
    edges: ids.slice(1).map((id, index) => edge(ids[index]!, id)),
  };
}

export function fanOut(width: number): Graph {
  const ids = Array.from({ length: width }, (_, index) => `w${index}`);
  return {
    steps: [
      value("start", "{{input.name}}"),
      ...ids.map((id) => value(id, "{{steps.start.output}}")),
      value("join", "done"),
    ],
    edges: ids.flatMap((id) => [edge("start", id), edge(id, "join")]),
  };
}

export function foreach(): Graph {
  const steps = [value("copy", { index: "{{index}}", item: "{{item}}" })];
  return {
    steps: [{ stepId: "each", type: "foreach", items: "{{input.items}}", concurrency: 50, steps }],
    edges: [],
  };
}

export function httpChain(address: string): Graph {
  return {
    steps: ["a", "b", "c"].map((stepId) => ({
      stepId,
      type: "http",
      method: "POST",
      url: address,
      body: { from: stepId },
    })),
    edges: [edge("a", "b"), edge("b", "c")],
  };
}

/** A loop whose iterations each wait for a sub-workflow. */
export function subWorkflows(workflowId: string, count: number): Graph {
  const items = Array.from({ length: count }, (_, index) => index);
  const steps = [{ stepId: "child", type: "workflow", workflowId, input: { item: "{{item}}" } }];
  return { steps: [{ stepId: "each", type: "foreach", items, concurrency: 10, steps }], edges: [] };
}

export const approval: Graph = {
  steps: [{ stepId: "ask", type: "approval", message: "Continue?" }],
  edges: [],
};
