import { expect, test } from "vitest";
import { validateGraph } from "../graph/validate.ts";
import { compileTemplate } from "./compile.ts";
import { renderTemplate } from "./render.ts";
import { scriptReferences } from "./script-references.ts";

test.each([
  ["{{= input.a * 2 }}", ["input.a * 2"]],
  ["{{=1}} and {{= 2 }}", ["1", "2"]],
  ["{{= { a: { b: 1 } }.a.b }}", ["{ a: { b: 1 } }.a.b"]],
  ["{{= '}}' + \"}}\" + `}} ${ { a: '}}' }.a } }}` }}", ["'}}' + \"}}\" + `}} ${ { a: '}}' }.a } }}`"]],
  ["{{= input.text.replace(/[}\"]}}/g, '') }}", ["input.text.replace(/[}\"]}}/g, '')"]],
  ["{{= 4 / 2 /* }} */ }} {{= 1 // }} \n }}", ["4 / 2 /* }} */", "1 // }}"]],
  ["{{= 1 }}{{= 1 }}", ["1"]],
  ["{{{= 1 }}}", ["1"]],
  ["\\{{= 1 }}", []],
  ["{{input.a}}", []],
])("%j has the expressions %j", (text, expressions) => {
  const template = compileTemplate(text);
  expect(template.expressions).toEqual(expressions);
  expect(template.problems).toEqual([]);
});

test.each(["{{= }}", "{{= 'open }}", "{{= (1 }}", "{{="])("%j is reported", (text) => {
  expect(compileTemplate(text).problems).toHaveLength(1);
});

test("a hundred thousand openings are read once", () => {
  expect(compileTemplate("{{=".repeat(100_000)).problems).toHaveLength(1);
});

test("a million spaces after a name are read once", () => {
  expect(scriptReferences(`steps${" ".repeat(1_000_000)}x`).readsAllSteps).toBe(true);
});

test("a field that is one expression keeps the type of its value, and text takes it as text", () => {
  const scope = { "=": { "[1, 2]": [1, 2], __proto__: 7 }, input: "x" };
  expect(renderTemplate(compileTemplate("{{= [1, 2] }}"), scope)).toEqual([1, 2]);
  expect(renderTemplate(compileTemplate("{{input}}: {{= [1, 2] }}"), scope)).toBe("x: [1,2]");
  expect(renderTemplate(compileTemplate("{{= __proto__ }}"), scope)).toBeNull();
});

test.each([
  ["steps.fetch.output + steps['any name'].output + steps?.other", ["fetch", "any name", "other"], false],
  ["({ ...steps.spread.output, b: [...steps.list.output] })", ["spread", "list"], false],
  ["Object.keys(steps)", [], true],
  ["steps[input.name]", [], true],
  ["`${steps.inner.output}` + 'steps.text' // steps.comment", ["inner"], false],
  ["input.steps.length + { steps: 1 }.x", [], false],
  ["const steps = [1]; steps.push(2)", [], false],
  ["input.text.replace(/steps.pattern/g, steps.real.output)", ["real"], false],
])("%j refers to the steps %j", (source, ids, readsAllSteps) => {
  const found = scriptReferences(source);
  expect(found.references.map(({ stepId }) => stepId)).toEqual(ids);
  expect(found.readsAllSteps).toBe(readsAllSteps);
});

test("the validator knows the steps and variables of code and expressions", () => {
  const problemsOf = (...steps: Record<string, unknown>[]) =>
    validateGraph({ steps, edges: [] }).errors.map(({ code, stepId }) => `${code} ${stepId}`);
  const first = { stepId: "first", type: "transform", template: 1 };
  expect(problemsOf(first, { stepId: "b", type: "code", code: "return steps.first.output" })).toEqual([]);
  expect(problemsOf({ stepId: "b", type: "code", code: "return steps.gone.output" })).toEqual([
    "unknown_reference b",
  ]);
  expect(problemsOf({ stepId: "b", type: "transform", template: "{{= steps.gone.output }}" })).toEqual([
    "unknown_reference b",
  ]);
  expect(
    problemsOf({ stepId: "b", type: "code", code: "return steps.late.output" }, { ...first, stepId: "late" }),
  ).toEqual(["forward_reference b"]);
  expect(problemsOf({ stepId: "b", type: "code", code: "return vars[input.name]" })).toEqual([
    "unknown_reference b",
  ]);
  expect(problemsOf({ stepId: "b", type: "code", code: "return 1", secrets: "KEY" })).toEqual([
    "invalid_field b",
  ]);
});
