import { describe, expect, test } from "vitest";
import { describeStepTypes, findStepType } from "../../contract/steps/catalogue.ts";
import { formFields, formatValue, parseValue, settingFields } from "./form-fields.ts";
import { newStep } from "./new-step.ts";
import { stepTitle } from "../../contract/graph/step-titles.ts";
import { stepSummary } from "./step-summary.ts";
import { asExpression, pathsOf } from "./pickable-values.ts";
import { stepsBefore, stepsFrom } from "./step-order.ts";

describe("the form of a step", () => {
  const names = (fields: readonly { name: string }[]): string[] => fields.map(({ name }) => name);

  test("is generated from the definition of its type, without the common fields", () => {
    expect(formFields("http").map(({ name, kind, section }) => [name, kind, section])).toEqual([
      ["method", "choice", "settings"],
      ["url", "text", "settings"],
      ["connection", "text", "settings"],
      ["headers", "record", "settings"],
      ["query", "record", "settings"],
      ["body", "value", "settings"],
      ["multipart", "value", "settings"],
      ["responseAs", "choice", "settings"],
      ["maxRetries", "number", "error"],
      ["backoffMultiplier", "number", "error"],
      ["timeoutMs", "milliseconds", "limits"],
      ["onError", "choice", "error"],
      ["join", "choice", "lines"],
    ]);
    expect(formFields("document_query").find(({ name }) => name === "documentIds")?.kind).toBe("list");
    expect(formFields("email").find(({ name }) => name === "to")?.kind).toBe("value");
  });

  test("every field of every type has a label, and every choice reads as words", () => {
    for (const { type } of describeStepTypes())
      for (const { name, label, kind, options } of formFields(type)) {
        expect(label).toMatch(/^[A-Z]/);
        const { words } = findStepType(type)?.form[name] ?? {};
        if (name !== "method" && kind === "choice")
          for (const { value } of options) expect(words, `${type}.${name}`).toHaveProperty(value);
      }
  });

  test("a duration is not described in milliseconds: the field takes 30 s", () => {
    const hints = describeStepTypes().flatMap(({ type }) =>
      formFields(type).flatMap(({ kind, hint }) => (kind === "milliseconds" ? (hint ?? "") : [])),
    );
    expect(hints.length).toBeGreaterThan(10);
    expect(hints.filter((hint) => hint.includes("millisecond"))).toEqual([]);
  });

  test("the summary of a condition is empty until it compares something", () => {
    expect(stepSummary({ stepId: "a", type: "condition", operator: "eq" })).toBe("Condition");
    expect(stepSummary({ stepId: "a", type: "condition", left: "{{input.n}}", operator: "exists" })).toBe(
      "input.n exists",
    );
  });

  test("a number that the engine reads before a run cannot be a placeholder", () => {
    const fixed = (type: string, name: string) =>
      formFields(type).find((field) => field.name === name)?.fixed;
    expect([fixed("http", "maxRetries"), fixed("llm", "temperature")]).toEqual([true, false]);
  });

  test("a field that is true or false is a choice", () => {
    expect(formFields("convert").find(({ name }) => name === "header")?.kind).toBe("yes-no");
  });

  test("required and common fields are shown, the others are added on request", () => {
    const http = { stepId: "a", type: "http", url: "" };
    expect(names(settingFields(http, new Set()).shown)).toEqual(["method", "url"]);
    expect(names(settingFields(http, new Set()).addable)).toEqual([
      "connection",
      "headers",
      "query",
      "body",
      "multipart",
      "responseAs",
    ]);
    expect(names(settingFields({ ...http, body: "x" }, new Set(["query"])).shown)).toEqual([
      "method",
      "url",
      "query",
      "body",
    ]);
  });

  test("the time limit of an approval is before the fields that it makes useful", () => {
    const ask = { stepId: "a", type: "approval", timeoutMs: 1000, remindBeforeMs: 1 };
    expect(names(settingFields({ ...ask, notifyEmail: "a@example.com" }, new Set()).shown)).toEqual([
      "message",
      "notifyEmail",
      "timeoutMs",
      "onTimeout",
      "remindBeforeMs",
    ]);
  });

  test("of fields that exclude each other one is shown", () => {
    const wait = { stepId: "a", type: "delay" };
    expect(names(settingFields(wait, new Set()).shown)).toEqual(["seconds"]);
    expect(names(settingFields({ ...wait, until: "2030-01-01" }, new Set()).shown)).toEqual(["until"]);
    expect(names(settingFields(wait, new Set()).choice)).toEqual(["seconds", "until"]);
    expect(names(settingFields({ stepId: "a", type: "email" }, new Set()).addable)).toEqual([
      "html",
      "connection",
      "attachments",
    ]);
  });

  test("a comparison with nothing to compare with does not ask for it", () => {
    const shown = (operator: string) =>
      names(settingFields({ stepId: "a", type: "condition", operator }, new Set()).shown);
    expect(shown("eq")).toEqual(["left", "operator", "right"]);
    expect(shown("empty")).toEqual(["left", "operator"]);
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

  test("values are formatted as JSON", () => {
    expect(formatValue({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});

test("a new step has empty fields and the name of its title", () => {
  expect(newStep([], "http")).toEqual({ stepId: "http-request", type: "http", name: "HTTP request" });
  expect(newStep([{ stepId: "condition", type: "condition" }], "condition")).toEqual({
    stepId: "condition-2",
    type: "condition",
    name: "Condition",
    operator: "eq",
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
});

test.each([
  [{ template: "For {{ steps.b.output.c }}" }, "“For b.c”"],
  [{ template: { title: "{{input.title}}", text: 1 } }, "Sets title, text"],
  [{ template: [1, 2] }, "[1,2]"],
  [{ expression: '{"title": input.t ? input.t : "No: title", "tags": [{"a": 1}]}' }, "Sets title, tags"],
  [{ expression: '{"urgent": input.days < 2 ? "yes" : "no", "at": {"day": 1}}' }, "Sets urgent, at"],
  [{ expression: "$sum(input.items.price)" }, "= $sum(input.items.price)"],
  [{}, "Transform"],
])("the summary of a transform with %j is %s", (fields, summary) => {
  expect(stepSummary({ stepId: "a", type: "transform", ...fields })).toBe(summary);
});

test("the summary of a step shows its type and main setting in words", () => {
  expect(stepSummary({ stepId: "a", type: "http", url: "https://api.example/x" })).toBe(
    "HTTP · GET api.example/x",
  );
  expect(
    stepSummary({
      stepId: "a",
      type: "condition",
      left: "{{steps.order.output.total}}",
      operator: "gt",
      right: 100,
    }),
  ).toBe("order.total is greater than 100");
  expect(stepSummary({ stepId: "a", type: "data", operation: "sort", by: ["-total", "name"] })).toBe(
    "Data · Sort items: total descending, name",
  );
  expect(stepSummary({ stepId: "a", type: "unknown-type" })).toBe("unknown-type");
  expect(stepTitle({ stepId: "a", type: "http" })).toBe("a");
});
