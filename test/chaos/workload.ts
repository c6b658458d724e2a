import { edge, transformStep as value } from "../support/graphs.ts";

/** A workflow of the load: its definition, its calls, and the expected result of its tasks. */
export interface Scenario {
  name: string;
  steps: unknown[];
  edges: unknown[];
  sync: boolean;
  /** Its steps take seconds: called by its own callers, which wait for each task. */
  isSlow?: boolean;
  /** The output for input `{n}`. */
  expected(n: number): unknown;
}

const call = (stepId: string, url: string, more: object = {}) => ({
  stepId,
  type: "http",
  method: "POST",
  url,
  ...more,
});

/** Together they use every control step. */
export function scenarios(outside: string, subWorkflowId: string): Scenario[] {
  const at = (path: string, n = "{{input.n}}") => `${outside}${path}?n=${n}`;
  return [
    {
      name: "three transforms, synchronous",
      sync: true,
      steps: [
        value("a", "{{input.n}}"),
        value("b", { n: "{{steps.a.output}}" }),
        value("c", "{{steps.b.output}}"),
      ],
      edges: [edge("a", "b"), edge("b", "c")],
      expected: (n) => ({ n }),
    },
    {
      name: "http, branches and a join",
      sync: false,
      steps: [
        call("first", at("/ok")),
        { stepId: "even", type: "condition", left: "{{input.even}}", operator: "eq", right: true },
        call("yes", at("/slow")),
        value("no", { n: "{{input.n}}" }),
        call("beside", at("/slow")),
        value("end", [
          "{{steps.first.output.n}}",
          "{{steps.yes.output.n}}",
          "{{steps.no.output.n}}",
          "{{steps.beside.output.n}}",
        ]),
      ],
      edges: [
        edge("first", "even"),
        edge("first", "beside"),
        edge("even", "yes", { condition: "true" }),
        edge("even", "no", { condition: "false" }),
        edge("yes", "end"),
        edge("no", "end"),
        edge("beside", "end"),
      ],
      expected: (n) => (n % 2 === 0 ? [n, n, null, n] : [n, null, n, n]),
    },
    {
      name: "a retry and a delay",
      sync: false,
      steps: [
        call("flaky", at("/flaky"), { maxRetries: 3, backoffMultiplier: 1 }),
        { stepId: "nap", type: "delay", seconds: 0.2 },
        value("end", "{{steps.flaky.output.n}}"),
      ],
      edges: [edge("flaky", "nap"), edge("nap", "end")],
      expected: (n) => n,
    },
    {
      name: "a foreach and a sub-workflow",
      sync: false,
      steps: [
        {
          stepId: "each",
          type: "foreach",
          items: [1, 2, 3, 4, 5],
          concurrency: 2,
          steps: [call("fetch", at("/ok", "{{item}}")), value("keep", "{{steps.fetch.output.n}}")],
        },
        { stepId: "sub", type: "workflow", workflowId: subWorkflowId, input: { n: "{{input.n}}" } },
        value("end", ["{{steps.each.output}}", "{{steps.sub.output}}"]),
      ],
      edges: [edge("each", "sub"), edge("sub", "end")],
      expected: (n) => [[1, 2, 3, 4, 5], n],
    },
    {
      name: "an approval",
      sync: false,
      steps: [
        call("before", at("/ok")),
        { stepId: "ask", type: "approval", message: "Go on?" },
        call("after", at("/ok")),
        value("end", ["{{steps.ask.output.decision}}", "{{steps.after.output.n}}"]),
      ],
      edges: [edge("before", "ask"), edge("ask", "after"), edge("after", "end")],
      expected: (n) => ["approve", n],
    },
    {
      name: "slow steps beside each other",
      sync: false,
      isSlow: true,
      steps: [
        call("long", at("/long")),
        call("quick", at("/slow")),
        call("other", at("/long")),
        value("end", ["{{steps.long.output.n}}", "{{steps.other.output.n}}"]),
      ],
      edges: [edge("quick", "other"), edge("long", "end"), edge("other", "end")],
      expected: (n) => [n, n],
    },
  ];
}

/** The sub-workflow calls a server and pauses, so that crashes interrupt it. */
export function subWorkflow(outside: string): Pick<Scenario, "steps" | "edges"> {
  return {
    steps: [
      call("inner", `${outside}/ok?n={{input.n}}`),
      { stepId: "pause", type: "delay", seconds: 0.1 },
      value("out", "{{steps.inner.output.n}}"),
    ],
    edges: [edge("inner", "pause"), edge("pause", "out")],
  };
}
