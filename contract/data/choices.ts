import { type ConditionOperator, conditionOperators } from "../steps/condition.ts";

// Apart from the code that runs the operations: the builder reads only these to show and check a step.

export const dataOperations = [
  "filter",
  "sort",
  "limit",
  "deduplicate",
  "group",
  "merge",
  "split_out",
  "pick",
] as const;
export type DataOperation = (typeof dataOperations)[number];

export type FilterOperator = Exclude<ConditionOperator, "matches">;
/** A pattern may need another process for each item. */
export const filterOperators = conditionOperators.filter(
  (operator): operator is FilterOperator => operator !== "matches",
);

export const aggregateFunctions = ["count", "sum", "average", "min", "max", "first", "last", "list"] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

export const mergeModes = ["append", "inner", "left", "right", "full", "position"] as const;
