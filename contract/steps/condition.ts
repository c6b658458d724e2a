import { inWords } from "./common.ts";
import { anyValue, choice } from "./fields.ts";
import { MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE, patternSize } from "./pattern-size.ts";
import type { StepForm } from "./form.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

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

export const operatorWords: Readonly<Record<string, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is greater than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  contains: "contains",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches the pattern",
  exists: "exists",
  empty: "is empty",
} satisfies Record<ConditionOperator, string>;

export const unaryOperators: ReadonlySet<unknown> = new Set(["exists", "empty"]);

/** The fields of a comparison, for every step type that decides by one. */
export const comparisonFields = {
  left: anyValue("The value to compare, usually a placeholder."),
  operator: choice(
    "How to compare: equal, not equal, greater, greater or equal, less, less or equal, contains, starts with, ends with, matches a pattern, exists, is empty.",
    conditionOperators,
  ),
  right: anyValue(
    "The value to compare with; not needed for exists and empty. For matches it is an RE2 pattern, found anywhere in the text; for contains, part of a text, an item of a list or a key of an object.",
  ).optional(),
};

export const comparisonForm: StepForm = {
  left: { label: "Value", example: "Type @ for a value of an earlier step" },
  operator: { label: "Comparison", words: operatorWords },
  right: {
    label: "Compare with",
    common: true,
    example: "100",
    applies: ({ operator }) => !unaryOperators.has(operator),
  },
};

export function checkComparison({ operator, right }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (right === undefined && !unaryOperators.has(operator))
    return [
      { code: "missing_field", field: "right", message: "is required: it is the value to compare with" },
    ];
  return operator === "matches" && isLargePattern(right)
    ? [{ code: "invalid_field", field: "right", message: "is too large for a pattern" }]
    : [];
}

export function comparisonInWords({ left, operator, right }: Readonly<Record<string, unknown>>): string {
  // A new step has only an operator.
  if (left === undefined && right === undefined) return "";
  return `${inWords(left)} ${operatorWords[String(operator)] ?? inWords(operator)}${
    unaryOperators.has(operator) ? "" : ` ${inWords(right)}`
  }`;
}

export const conditionStep = defineStepType({
  type: "condition",
  title: "Condition",
  description:
    'Compares two values. Edges with the condition "true" or "false" are taken according to the outcome. Numbers compare as numbers, even if one is written as text; ISO times compare chronologically.',
  category: "flow",
  synonyms: ["if", "else", "branch", "filter", "compare", "when", "yes", "no"],
  traits: {
    branching: "outcome",
    // A pattern may run in another process.
    pure: ({ operator }) => operator !== "matches",
  },
  fields: comparisonFields,
  check: checkComparison,
  summary: comparisonInWords,
  initial: { operator: "eq" },
  form: comparisonForm,
  example: {
    stepId: "is-large",
    type: "condition",
    left: "{{input.total}}",
    operator: "gt",
    right: 1000,
  },
});

/** A pattern with placeholders is known only when the step runs. */
function isLargePattern(right: unknown): boolean {
  if (typeof right !== "string" || right.includes("{{")) return false;
  return right.length > MAX_PATTERN_LENGTH || patternSize(right) > MAX_PATTERN_SIZE;
}
