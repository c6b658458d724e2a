import { describe, expect, test } from "vitest";
import type { Edge, Step } from "../../../../contract/graph.ts";
import { validateGraph } from "../../../../contract/graph/validate.ts";
import { planWorkflow } from "./plan.ts";
import { samplePrompts } from "./testing/sample-prompts.ts";

function listOf(steps: readonly Step[]): string {
  return steps
    .map(
      ({ stepId, type, steps: inner }) =>
        `${stepId} ${type}${inner === undefined ? "" : ` [${listOf(inner as Step[])}]`}`,
    )
    .join(", ");
}

function edgesOf(edges: readonly Edge[]): string {
  return edges
    .map(
      ({ source, target, condition }) =>
        `${source}${condition === undefined ? "" : `(${String(condition)})`}→${target}`,
    )
    .join(", ");
}

const allSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...allSteps((step["steps"] as Step[] | undefined) ?? [])]);

describe("a prompt in plain English becomes the expected graph", () => {
  test.each(samplePrompts)("$prompt", ({ prompt, steps, edges, fields = {}, notices = [] }) => {
    const { graph, notices: found } = planWorkflow(prompt);
    expect(listOf(graph.steps)).toBe(steps);
    if (edges !== undefined) expect(edgesOf(graph.edges)).toBe(edges);
    for (const [stepId, expected] of Object.entries(fields))
      expect(allSteps(graph.steps).find((step) => step.stepId === stepId)).toMatchObject(expected);
    expect(found.map(({ code }) => code)).toEqual(notices);
    expect(validateGraph(graph).errors).toEqual([]);
    expect(validateGraph(graph).warnings).toEqual([]);
  });
});

test.each([
  "Check if the amount is over 1000. Then save it to orders.txt",
  "If the amount is over 1000, ignore it, otherwise skip it. Then save it to orders.txt",
])("a condition without effect is valid and has a notice: %s", (prompt) => {
  const { graph } = planWorkflow(prompt);
  expect(edgesOf(graph.edges)).toBe("check→save");
  const { errors, warnings } = validateGraph(graph);
  expect([errors, warnings.map(({ code }) => code)]).toEqual([[], ["unused_branch"]]);
});

test("a failure mentioned twice is one edge", () => {
  const { graph } = planWorkflow(
    "Fetch https://a.example. If it fails, if it fails, stop. Then save it to a.txt",
  );
  expect(validateGraph(graph).errors).toEqual([]);
});

test("the same text always produces the same graph", () => {
  const prompt = samplePrompts[0]?.prompt ?? "";
  expect(planWorkflow(prompt)).toEqual(planWorkflow(prompt));
});

test("an instruction that matches no rule becomes a model step with a notice", () => {
  const { graph, notices } = planWorkflow("frobnicate the gizmo");
  expect(graph.steps).toMatchObject([
    { type: "llm", prompt: expect.stringContaining("Frobnicate the gizmo") },
  ]);
  expect(notices).toMatchObject([{ code: "not_understood" }]);
});

test("text without words produces a valid graph", () => {
  for (const prompt of ["?", "...", "123", "🙂", "{}", "«0»", "\u202e"])
    expect(validateGraph(planWorkflow(prompt).graph).errors).toEqual([]);
});

test("[S29] four thousand hostile characters are parsed within the time limit of the test", () => {
  for (const piece of [
    "a ",
    "if a, ",
    "every ",
    "for each a, ",
    "when a new ",
    "'",
    "a.",
    "a@",
    "a/",
    "é\n",
    "check if ",
    "and then ",
  ])
    expect(planWorkflow(piece.repeat(Math.floor(4000 / piece.length))).graph.steps.length).toBeGreaterThan(0);
});

test.each([" ", "\u00a0", " \t"])("a long run of %j is one space", (space) => {
  const prompt = (gap: string) => `If the total${gap}is over 5 then${gap}email "a  b" to ada@example.com`;
  expect(planWorkflow(prompt(space.repeat(1900)))).toEqual(planWorkflow(prompt(" ")));
});
