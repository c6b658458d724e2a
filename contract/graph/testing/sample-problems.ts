import { check, edge, http, loop, say } from "./sample-steps.ts";

export interface SampleProblem {
  code: string;
  why: string;
  steps: unknown;
  edges?: unknown;
  /** The reported location of the problem. */
  stepId?: string;
  edgeId?: string;
  /** The workflow that has this graph. */
  workflowId?: string;
}

/** Graphs with one error each. */
export const errors: SampleProblem[] = [
  { code: "missing_step_id", why: "absent", steps: [{ type: "http", url: "https://example.com" }] },
  { code: "missing_step_id", why: "blank", steps: [{ ...say("a"), stepId: "  " }] },
  { code: "invalid_field", why: "a stepId that is not text", steps: [{ ...say("a"), stepId: 5 }] },
  { code: "invalid_field", why: "a reserved stepId", steps: [say("__proto__")] },
  { code: "invalid_field", why: "a very long stepId", steps: [say("x".repeat(201))] },
  { code: "duplicate_step_id", why: "twice in the list", steps: [say("a"), say("a")], stepId: "a" },
  {
    code: "duplicate_step_id",
    why: "inside a loop",
    steps: [say("a"), loop([say("a")])],
    edges: [edge("a", "loop")],
    stepId: "a",
  },
  {
    code: "unknown_step_type",
    why: "an unknown type",
    steps: [{ stepId: "a", type: "teleport" }],
    stepId: "a",
  },
  {
    code: "unknown_step_type",
    why: "a type that is not text",
    steps: [{ stepId: "a", type: {} }],
    stepId: "a",
  },
  { code: "missing_field", why: "no type", steps: [{ stepId: "a" }], stepId: "a" },
  { code: "missing_field", why: "http without url", steps: [{ stepId: "a", type: "http" }], stepId: "a" },
  {
    code: "missing_field",
    why: "an empty prompt",
    steps: [{ stepId: "a", type: "llm", prompt: "" }],
    stepId: "a",
  },
  {
    code: "missing_field",
    why: "write without content",
    steps: [{ stepId: "a", type: "file", action: "write", path: "x" }],
  },
  {
    code: "missing_field",
    why: "comparison without right",
    steps: [{ stepId: "a", type: "condition", left: 1, operator: "eq" }],
  },
  {
    code: "missing_field",
    why: "neither template nor expression",
    steps: [{ stepId: "a", type: "transform" }],
  },
  {
    code: "missing_field",
    why: "agent without agentId or capability",
    steps: [{ stepId: "a", type: "agent", input: "x" }],
  },
  {
    code: "missing_field",
    why: "email without a message",
    steps: [{ stepId: "a", type: "email", to: "a@b.c", subject: "x" }],
  },
  {
    code: "missing_field",
    why: "an inner step without url",
    steps: [loop([{ stepId: "in", type: "http" }])],
    stepId: "in",
  },
  {
    code: "invalid_field",
    why: "both seconds and until",
    steps: [{ stepId: "a", type: "delay", seconds: 1, until: "2030-01-01" }],
  },
  {
    code: "invalid_field",
    why: "a secret in the key of an event",
    steps: [{ stepId: "a", type: "wait_event", event: "paid", key: "{{secrets.key}}" }],
  },
  {
    code: "invalid_field",
    why: "an until that is not a time",
    steps: [{ stepId: "a", type: "delay", until: "tomorrow" }],
  },
  {
    code: "invalid_field",
    why: "a url of another scheme",
    steps: [http({ url: "ftp://example.com" })],
    stepId: "a",
  },
  { code: "invalid_field", why: "an unknown method", steps: [http({ method: "FETCH" })] },
  { code: "invalid_field", why: "headers that are a list", steps: [http({ headers: ["x"] })] },
  { code: "invalid_field", why: "a header that is an object", steps: [http({ headers: { x: {} } })] },
  { code: "invalid_field", why: "too many retries", steps: [http({ maxRetries: 101 })] },
  { code: "invalid_field", why: "a fractional number of retries", steps: [http({ maxRetries: 0.5 })] },
  { code: "invalid_field", why: "a multiplier below one", steps: [http({ backoffMultiplier: 0 })] },
  { code: "invalid_field", why: "an unknown onError", steps: [http({ onError: "ignore" })] },
  { code: "invalid_field", why: "an unknown join", steps: [http({ join: "fastest" })] },
  {
    code: "invalid_field",
    why: "an unknown operator",
    steps: [{ stepId: "a", type: "condition", left: 1, operator: "like", right: 1 }],
  },
  {
    code: "invalid_field",
    why: "a number with text around the placeholder",
    steps: [{ stepId: "a", type: "delay", seconds: "{{input.s}}s" }],
  },
  {
    code: "invalid_field",
    why: "a calculation in braces",
    steps: [say("a", { deep: ["{{ 1 + 1 }}"] })],
    stepId: "a",
  },
  { code: "invalid_field", why: "an unclosed placeholder", steps: [say("a", "{{ input")], stepId: "a" },
  {
    code: "invalid_field",
    why: "placeholders in an expression",
    steps: [{ stepId: "a", type: "transform", expression: "{{input.x}} + 1" }],
  },
  { code: "invalid_field", why: "a step that is null", steps: [null] },
  { code: "invalid_field", why: "steps that are not a list", steps: { a: 1 } },
  { code: "invalid_field", why: "an edge that is a number", steps: [], edges: [7] },
  {
    code: "invalid_field",
    why: "an edge id that is not text",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b", { id: 3 })],
  },
  {
    code: "invalid_field",
    why: "an edge condition that is an expression",
    steps: [check("a"), say("b")],
    edges: [edge("a", "b", { condition: "x > 3" })],
    edgeId: "a-b",
  },
  {
    code: "invalid_field",
    why: "a case that is an object",
    steps: [{ stepId: "a", type: "switch", value: 1 }, say("b")],
    edges: [edge("a", "b", { caseValue: {} })],
    edgeId: "a-b",
  },
  {
    code: "duplicate_edge_id",
    why: "an id used twice",
    steps: [say("a"), say("b"), say("c")],
    edges: [edge("a", "b"), { ...edge("b", "c"), id: "a-b" }],
    edgeId: "a-b",
  },
  {
    code: "unknown_edge_source",
    why: "a source that is not a step",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b"), edge("z", "b")],
    edgeId: "z-b",
  },
  {
    code: "unknown_edge_source",
    why: "no source",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b"), { id: "e", target: "b" }],
    edgeId: "e",
  },
  {
    code: "unknown_edge_target",
    why: "a target that is not a step",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b"), edge("a", "z")],
    edgeId: "a-z",
  },
  {
    code: "self_edge",
    why: "from a step to itself",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b"), edge("a", "a")],
    edgeId: "a-a",
    stepId: "a",
  },
  {
    code: "cycle",
    why: "two steps",
    steps: [say("a"), say("b")],
    edges: [edge("a", "b"), edge("b", "a")],
    stepId: "a",
  },
  {
    code: "unknown_reference",
    why: "a missing step",
    steps: [say("a", "{{steps.zzz.output}}")],
    stepId: "a",
  },
  {
    code: "unknown_reference",
    why: "an unknown field of the trigger",
    steps: [say("a", "{{trigger.body}}")],
  },
  {
    code: "unknown_reference",
    why: "a header in capitals",
    steps: [say("a", "{{trigger.headers.X-Event}}")],
  },
  { code: "unknown_reference", why: "an unknown root", steps: [say("a", "{{inputs.x}}")] },
  { code: "unknown_reference", why: "item outside a loop", steps: [say("a", "{{item.x}}")] },
  { code: "unknown_reference", why: "secrets without a name", steps: [say("a", "{{secrets}}")] },
  {
    code: "unknown_reference",
    why: "a step without .output",
    steps: [say("a"), say("b", "{{steps.a}}")],
    edges: [edge("a", "b")],
    stepId: "b",
  },
  {
    code: "unknown_reference",
    why: "an unknown step in an expression",
    steps: [{ stepId: "a", type: "transform", expression: "steps.zzz.output" }],
  },
  {
    code: "unknown_reference",
    why: "steps in an expression without an id",
    steps: [{ stepId: "a", type: "transform", expression: "$keys(steps)" }],
  },
  {
    code: "unknown_reference",
    why: "an inner step from outside the loop",
    steps: [loop([say("in")]), say("b", "{{steps.in.output}}")],
    edges: [edge("loop", "b")],
    stepId: "b",
  },
  {
    code: "forward_reference",
    why: "a later step",
    steps: [say("a", "{{steps.b.output}}"), say("b")],
    edges: [edge("a", "b")],
    stepId: "a",
  },
  {
    code: "forward_reference",
    why: "a later step of a list without edges",
    steps: [say("a", "{{steps.b.output}}"), say("b")],
    stepId: "a",
  },
  { code: "forward_reference", why: "itself", steps: [say("a", "{{steps.a.output}}")], stepId: "a" },
  {
    code: "forward_reference",
    why: "a step after the enclosing loop",
    steps: [loop([say("in", "{{steps.b.output}}")]), say("b")],
    edges: [edge("loop", "b")],
    stepId: "in",
  },
];

/** Graphs with one warning each. */
export const warnings: SampleProblem[] = [
  {
    code: "missing_edge_id",
    why: "an edge without id",
    steps: [say("a"), say("b")],
    edges: [{ source: "a", target: "b" }],
  },
  { code: "no_edges", why: "two steps and no edge", steps: [say("a"), say("b")] },
  {
    code: "disconnected_step",
    why: "a step without edges",
    steps: [say("a"), say("b"), say("c")],
    edges: [edge("a", "b")],
    stepId: "c",
  },
  {
    code: "unused_branch",
    why: "a duplicate case",
    steps: [{ stepId: "a", type: "switch", value: 1 }, say("b"), say("c")],
    edges: [edge("a", "b", { caseValue: 1 }), edge("a", "c", { caseValue: "1" })],
    edgeId: "a-c",
  },
  {
    code: "unused_branch",
    why: "a condition whose outcome is not used",
    steps: [check("a"), say("b")],
    edges: [edge("a", "b")],
    stepId: "a",
  },
  {
    code: "implicit_dependency",
    why: "a step in another branch",
    steps: [say("a"), say("b"), say("c", "{{steps.b.output}}")],
    edges: [edge("a", "b"), edge("a", "c")],
    stepId: "c",
  },
  {
    code: "self_call",
    why: "a step that calls its own workflow",
    steps: [{ stepId: "a", type: "workflow", workflowId: "wf_own" }],
    workflowId: "wf_own",
    stepId: "a",
  },
  {
    code: "ambiguous_step_id",
    why: "a step named like an iteration",
    steps: [
      { stepId: "each", type: "foreach", items: [1], steps: [say("x")] },
      say("each[0]/x"),
      // Not ambiguous: no loop, no number.
      say("other[0]"),
      say("each[first]"),
    ],
    edges: [edge("each", "each[0]/x"), edge("each", "other[0]"), edge("each", "each[first]")],
    stepId: "each[0]/x",
  },
  {
    code: "misspelled_field",
    why: "a letter is missing",
    steps: [{ ...http({}), header: { accept: "text/csv" } }],
    stepId: "a",
  },
  {
    code: "misspelled_field",
    why: "two letters are swapped",
    steps: [{ ...http({}), mehtod: "POST" }],
    stepId: "a",
  },
  { code: "misspelled_field", why: "underscores", steps: [{ ...say("a"), max_retries: 3 }], stepId: "a" },
  { code: "misspelled_field", why: "capitals", steps: [{ ...say("a"), onerror: "continue" }], stepId: "a" },
  {
    code: "to_check",
    why: "an imported step that nobody has looked at",
    steps: [{ ...say("a"), toCheck: "Takes the first of several items." }],
    stepId: "a",
  },
];
