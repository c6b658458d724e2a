import { expect, test } from "vitest";
import { renderTemplate } from "../placeholders/render.ts";
import { compileStep } from "./compile-step.ts";

test("only the fields of a step's type are rendered", () => {
  const template = compileStep({
    stepId: "{{input}}",
    type: "http",
    name: "{{input}}",
    maxRetries: 3,
    label: "{{ not one",
    url: "https://example.com/{{input.id}}",
    body: { n: "{{input.id}}" },
  });
  expect(template.problems).toEqual([]);
  expect(renderTemplate(template, { input: { id: 7 } })).toEqual({
    url: "https://example.com/7",
    body: { n: 7 },
  });
});

test("data is never rendered into an expression", () => {
  const step = { stepId: "a", type: "transform", expression: "{{input}}" };
  expect(renderTemplate(compileStep(step), { input: "$eval(1)" })).toEqual({ expression: "{{input}}" });
});

test("the inner steps of a foreach are not rendered before their iteration", () => {
  const steps = [{ stepId: "x", type: "transform", template: "{{item}}" }];
  const rendered = renderTemplate(compileStep({ stepId: "l", type: "foreach", items: "{{input}}", steps }), {
    input: [1],
  });
  expect(rendered).toEqual({ items: [1], steps });
});

test("a step of an unknown type has nothing to render", () => {
  expect(renderTemplate(compileStep({ stepId: "a", type: "?", url: "{{input}}" }), { input: 1 })).toEqual({});
});
