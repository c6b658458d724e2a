import { describe, expect, test } from "vitest";
import { describeStepTypes } from "../../contract/steps/catalogue.ts";
import { formFields, parseNumber, parseValue, formatValue } from "./form-fields.ts";
import { stepSummary, stepTitle } from "./step-summary.ts";
import { asExpression, pathsOf, pickableValues } from "./pickable-values.ts";
import { stepsBefore, stepsFrom } from "./step-order.ts";

describe("the form of a step", () => {
  const fieldsOf = (type: string) =>
    formFields(describeStepTypes().find((entry) => entry.type === type)?.schema ?? {});

  test("is generated from the schema of its type, without the common fields", () => {
    expect(fieldsOf("http").settings.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ["method", "choice", false],
      ["url", "text", true],
      ["headers", "record", false],
      ["query", "record", false],
      ["body", "value", false],
    ]);
    expect(fieldsOf("http").policy.map(({ name }) => name)).toContain("maxRetries");
    expect(fieldsOf("foreach").settings.map(({ name, kind }) => [name, kind])).toEqual([
      ["items", "value"],
      ["concurrency", "number"],
      ["steps", "steps"],
      ["workflowId", "text"],
    ]);
    for (const type of ["workflow", "foreach"])
      expect(fieldsOf(type).policy.find(({ name }) => name === "onParentEnd")).toMatchObject({
        kind: "choice",
        options: ["cancel", "continue"],
      });
    expect(fieldsOf("document_query").settings.find(({ name }) => name === "documentIds")?.kind).toBe("list");
  });

  test("every step type has a form, and every field has a label", () => {
    for (const { type } of describeStepTypes()) {
      expect(fieldsOf(type).settings.length).toBeGreaterThan(0);
      for (const { label } of fieldsOf(type).settings) expect(label).toMatch(/^[A-Z]/);
    }
  });

  test.each([
    ["", undefined],
    ["5", 5],
    ["true", true],
    ['{"a": 1}', { a: 1 }],
    ['{"a": ', '{"a": '],
    ["{{input.x}}", "{{input.x}}"],
    ["5 apples", "5 apples"],
  ])("the text %j is parsed as %j", (text, value) => {
    expect(parseValue(text)).toEqual(value);
  });

  test("a number field accepts a placeholder, and values are formatted as JSON", () => {
    expect([parseNumber("2.5"), parseNumber("{{vars.n}}"), parseNumber(" ")]).toEqual([
      2.5,
      "{{vars.n}}",
      undefined,
    ]);
    expect(formatValue({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});

describe("values to pick", () => {
  const graph = {
    steps: ["a", "b", "c"].map((stepId) => ({ stepId, type: "transform" })),
    edges: [
      { source: "a", target: "b" },
      { source: "b", target: "c" },
    ],
  };

  test("a step can use the steps before it, nearest first", () => {
    expect(stepsBefore(graph, "c")).toEqual(["b", "a"]);
    expect(stepsBefore(graph, "a")).toEqual([]);
    expect(stepsBefore({ ...graph, edges: [] }, "c")).toEqual(["b", "a"]);
    expect(stepsFrom(graph, "b")).toEqual(["b", "c"]);
    expect(stepsFrom({ ...graph, edges: [] }, "b")).toEqual(["b", "c"]);
  });

  test("paths cover objects, the first item of lists, and special names in brackets", () => {
    const paths = pathsOf("input", { items: [{ "odd name": 1 }, { "odd name": 2 }] }).map(
      ({ placeholder }) => placeholder,
    );
    expect(paths).toEqual(["input", "input.items", "input.items[0]", 'input.items[0]["odd name"]']);
  });

  test.each([
    ["steps.order.output.total", "steps.order.output.total"],
    ["steps.fetch-orders.output[0].id", "steps.`fetch-orders`.output[0].id"],
    ['input["odd name"].a', "input.`odd name`.a"],
  ])("%s is %s in an expression", (placeholder, expression) => {
    expect(asExpression(placeholder)).toBe(expression);
  });

  test("a large output yields a short list", () => {
    const huge = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, { a: index }]));
    expect(pathsOf("steps.a.output", huge).length).toBeLessThanOrEqual(60);
  });

  test("samples come from the last run, and a secret is masked", () => {
    const values = pickableValues(graph, "b", { input: { n: 1 }, outputs: new Map([["a", "out"]]) }, [
      { name: "key", secret: true },
    ]);
    expect(values[0]).toEqual({ placeholder: "steps.a.output", sample: "out", hasSample: true });
    expect(values.find(({ placeholder }) => placeholder === "secrets.key")?.sample).toBe("•••");
  });
});

test("the summary of a step shows its type and main setting", () => {
  expect(stepSummary({ stepId: "a", type: "http", url: "https://api.example/x" })).toBe(
    "HTTP · GET api.example/x",
  );
  expect(stepSummary({ stepId: "a", type: "transform", template: "For {{ steps.b.output.c }}" })).toBe(
    "Transform · For b.c",
  );
  expect(stepSummary({ stepId: "a", type: "unknown-type" })).toBe("unknown-type");
  expect(stepTitle({ stepId: "a", type: "http" })).toBe("a");
});
