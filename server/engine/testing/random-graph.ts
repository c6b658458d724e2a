import fc from "fast-check";
import type { Edge, Graph, Step } from "../../../contract/graph.ts";

const kinds = [
  "value",
  "flaky",
  "condition",
  "switch",
  "delay",
  "approval",
  "foreach",
  "while",
  "sub",
  "soft",
  "rescued",
  "broken",
] as const;

const shapeArbitrary = fc.record({
  // Few graphs have a step that always fails, so that most runs complete.
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...kinds.slice(0, -1)) },
    { weight: 1, arbitrary: fc.constant("broken" as const) },
  ),
  before: fc.array(fc.nat(100), { maxLength: 3 }),
  joinAny: fc.boolean(),
  number: fc.nat(3),
});

/** Random graphs with every kind of step, for the runners of `faults.test.ts`. */
export const graphArbitrary: fc.Arbitrary<Graph> = fc
  .array(shapeArbitrary, { minLength: 1, maxLength: 9 })
  .map((shapes) => {
    const steps: Step[] = [];
    const edges: Edge[] = [];
    shapes.forEach(({ kind, before, joinAny, number }, index) => {
      const sources = [...new Set(before.map((n) => (index === 0 ? -1 : n % index)))].filter((n) => n >= 0);
      // A step that joins on its first edge sees other outputs by chance, so it reads none.
      const seen = joinAny ? [] : sources;
      const step = stepOf(kind, `s${index}`, number, seen.map((n) => `{{steps.s${n}.output}}`).join(""));
      steps.push(joinAny ? { ...step, join: "any" } : step);
      for (const source of sources) edges.push(edgeFrom(shapes[source]!.kind, source, index, number));
    });
    // Without any edge the steps would run in sequence. Every step with an error edge has a handler.
    shapes.forEach(({ kind }, index) => {
      if (kind !== "rescued") return;
      steps.push({ stepId: `r${index}`, type: "transform", template: `{{steps.s${index}.error.code}}` });
      edges.push({ id: `r${index}`, source: `s${index}`, target: `r${index}`, condition: "error" });
    });
    return { steps, edges };
  });

function stepOf(kind: (typeof kinds)[number], stepId: string, number: number, seen: string): Step {
  const work = { stepId, type: "http", method: "POST", url: "x" };
  switch (kind) {
    case "value":
      return { stepId, type: "transform", template: `${stepId}(${seen})` };
    case "condition":
      return { stepId, type: "condition", left: number, operator: "gt", right: 1 };
    case "switch":
      return { stepId, type: "switch", value: number };
    case "delay":
      return { stepId, type: "delay", seconds: number };
    case "approval":
      return { stepId, type: "approval", message: "Go on?" };
    case "foreach":
      return {
        stepId,
        type: "foreach",
        items: Array.from({ length: number }, (_, i) => i),
        concurrency: 2,
        steps: [
          { ...work, stepId: "x", maxRetries: 1, body: { fails: number % 2, value: "{{item}}" } },
          { stepId: "y", type: "transform", template: "{{steps.x.output}}/{{index}}" },
        ],
      };
    case "while":
      return {
        stepId,
        type: "while",
        left: "{{item}}",
        operator: "lt",
        right: number,
        initial: 0,
        steps: [
          { ...work, stepId: "x", maxRetries: 1, body: { fails: number % 2, value: "{{index}}" } },
          { stepId: "nap", type: "delay", seconds: 1 },
          { stepId: "next", type: "condition", left: "{{steps.x.output}}", operator: "exists" },
          { stepId: "y", type: "transform", template: "{{steps.x.output}}1" },
        ],
      };
    case "sub":
      return { stepId, type: "workflow", workflowId: "sub", input: { n: number } };
    case "flaky":
      return { ...work, maxRetries: 3, body: { fails: number, value: `${stepId}(${seen})` } };
    case "soft":
      return { ...work, onError: "continue", body: { fails: 99, value: "" } };
    case "rescued":
    case "broken":
      return { ...work, body: { fails: kind === "broken" || number > 1 ? 99 : 0, value: stepId } };
  }
}

function edgeFrom(kind: string, source: number, target: number, number: number): Edge {
  const edge = { id: `e${source}-${target}`, source: `s${source}`, target: `s${target}` };
  if (kind === "condition") return { ...edge, condition: number % 2 === 0 ? "true" : "false" };
  if (kind === "switch" && number % 2 === 0) return { ...edge, caseValue: String(number) };
  return edge;
}
