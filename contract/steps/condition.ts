import { anyValue, choice } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const conditionOperators = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "startsWith",
  "endsWith",
  "matches",
  "exists",
  "empty",
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

const unaryOperators: ReadonlySet<unknown> = new Set(["exists", "empty"]);

export const conditionStep = defineStepType({
  type: "condition",
  title: "Condition",
  description:
    'Compares two values. Edges with the condition "true" or "false" are taken according to the outcome. Numbers compare as numbers, even if one is written as text; ISO times compare chronologically.',
  category: "flow",
  traits: {
    branching: "outcome",
    // A pattern may take 0.1 s on a long text; inline, it would block every other run for that time.
    pure: ({ operator }) => operator !== "matches",
  },
  fields: {
    left: anyValue("The value to compare, usually a placeholder."),
    operator: choice(
      "How to compare: equal, not equal, greater, greater or equal, less, less or equal, contains, starts with, ends with, matches a pattern, exists, is empty.",
      conditionOperators,
    ),
    right: anyValue(
      "The value to compare with; not needed for exists and empty. For matches it is an RE2 pattern, found anywhere in the text; for contains, part of a text, an item of a list or a key of an object.",
    ).optional(),
  },
  check: (step) =>
    step["right"] === undefined && !unaryOperators.has(step["operator"])
      ? [{ code: "missing_field", field: "right", message: "is required: it is the value to compare with" }]
      : [],
  example: {
    stepId: "is-large",
    type: "condition",
    left: "{{input.total}}",
    operator: "gt",
    right: 1000,
  },
});
