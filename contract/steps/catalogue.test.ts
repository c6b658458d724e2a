import { expect, test } from "vitest";
import { validateGraph } from "../graph/validate.ts";
import { describeStepTypes, findStepType, stepTypes, traitsOf } from "./catalogue.ts";

test("all types exist, each under one name", () => {
  expect(stepTypes.map((entry) => entry.type).sort()).toEqual([
    "agent",
    "app",
    "approval",
    "code",
    "condition",
    "convert",
    "data",
    "delay",
    "document_query",
    "email",
    "file",
    "foreach",
    "http",
    "llm",
    "mcp",
    "redis",
    "s3",
    "sql",
    "store",
    "switch",
    "transform",
    "wait_event",
    "while",
    "workflow",
  ]);
});

test.each(["agent", "agent_call", "agent-call", "agentCall"])("%s is an agent step", (name) => {
  expect(findStepType(name)?.type).toBe("agent");
});

test.each(["", "HTTP", "constructor", "__proto__", 7, null, undefined])("%s is not a step type", (name) => {
  expect(findStepType(name)).toBeUndefined();
});

test.each(stepTypes.map((entry) => [entry.type, entry] as const))(
  "the example of %s is valid",
  (_, entry) => {
    expect(validateGraph({ steps: [entry.example], edges: [] })).toEqual({
      valid: true,
      errors: [],
      warnings: [],
    });
    expect(entry.schema.safeParse({ ...entry.example, color: "red" }).data).toMatchObject({ color: "red" });
  },
);

test.each(describeStepTypes().map((entry) => [entry.type, entry] as const))(
  "the JSON Schema of %s explains every field",
  (_, entry) => {
    const properties = entry.schema["properties"] as Record<string, { description?: string }>;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["stepId", "type", "maxRetries", "onError"]),
    );
    for (const [field, schema] of Object.entries(properties))
      expect([field, schema.description]).toEqual([field, expect.any(String)]);
    expect(entry.schema["required"]).toEqual(expect.arrayContaining(["stepId", "type"]));
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
  },
);

test("the JSON Schema lists the values of a choice and the alternatives of a type", () => {
  const schemaOf = (type: string) => describeStepTypes().find((entry) => entry.type === type)?.schema;
  expect(schemaOf("http")).toMatchObject({
    properties: { method: { enum: expect.arrayContaining(["GET", "POST"]) } },
  });
  expect(schemaOf("delay")).toMatchObject({ oneOf: [{ required: ["seconds"] }, { required: ["until"] }] });
});

test("types with a trait", () => {
  const typesWith = (trait: string) =>
    stepTypes.filter(({ traits }) => trait in traits).map((entry) => entry.type);
  expect(typesWith("branching")).toEqual(["condition", "switch", "wait_event"]);
  expect(typesWith("control")).toEqual(["approval", "foreach", "while", "workflow", "delay", "wait_event"]);
  expect(typesWith("loop")).toEqual(["foreach", "while"]);
  expect(typesWith("expressionField")).toEqual(["transform"]);
  expect(typesWith("scriptField")).toEqual(["code"]);
  expect(typesWith("secretsField")).toEqual(["code"]);
  expect(traitsOf("constructor")).toEqual({});
});

test("a pattern and an expression do not run inline", () => {
  const isPure = (step: Record<string, unknown>) => traitsOf(step["type"]).pure?.(step) ?? false;
  expect(isPure({ type: "condition", operator: "eq" })).toBe(true);
  expect(isPure({ type: "condition", operator: "matches" })).toBe(false);
  expect(isPure({ type: "switch" })).toBe(true);
  expect(isPure({ type: "transform", template: 1 })).toBe(true);
  expect(isPure({ type: "transform", expression: null })).toBe(true);
  expect(isPure({ type: "transform", expression: "1" })).toBe(false);
  expect(isPure({ type: "http" })).toBe(false);
});
