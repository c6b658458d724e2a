import { expect, test } from "vitest";
import { readsInput } from "./reads-input.ts";

const withStep = (step: Record<string, unknown>) => ({
  steps: [{ stepId: "one", type: "transform", ...step }],
  edges: [],
});

test.each([
  [{ template: "Hello" }, false],
  [{ template: "{{steps.input_form.output}}" }, false],
  // The field of a step has that name, too.
  [{ type: "agent", input: "Say hello" }, false],
  [{ template: { greeting: ["Hello {{input.name}}"] } }, true],
  [{ template: "{{= vars.prefix + input }}" }, true],
  [{ type: "code", code: "const { name } = input;\nreturn name;" }, true],
  [
    { type: "foreach", items: [1], steps: [{ stepId: "two", type: "transform", template: "{{input}}" }] },
    true,
  ],
])("a graph with the step %j reads the input: %j", (step, expected) => {
  expect(readsInput(withStep(step))).toBe(expected);
});

test("a graph with declared input fields reads the input", () => {
  const schema = { type: "object" as const, properties: { name: { type: "string" as const } } };
  expect(readsInput({ ...withStep({ template: 1 }), inputSchema: schema as never })).toBe(true);
});
