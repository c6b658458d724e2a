import {
  aggregateFunctions,
  type DataOperation,
  dataOperations,
  filterOperators,
  mergeModes,
} from "../data/choices.ts";
import { inWords } from "./common.ts";
import { operatorWords, unaryOperators } from "./condition.ts";
import { anyValue, choice, fixedChoice, list, number, text, textList, textRecord } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

const operationWords: Readonly<Record<DataOperation, string>> = {
  filter: "Filter items",
  sort: "Sort items",
  limit: "Limit the number of items",
  deduplicate: "Remove duplicates",
  group: "Group and aggregate",
  merge: "Merge two lists",
  split_out: "Split out a list",
  pick: "Pick or rename fields",
};

const modeWords: Readonly<Record<(typeof mergeModes)[number], string>> = {
  append: "Append the second list",
  inner: "Join: only matching items",
  left: "Join: all of the first list",
  right: "Join: all of the second list",
  full: "Join: all of both lists",
  position: "By position",
};
const joinModes: ReadonlySet<unknown> = new Set(["inner", "left", "right", "full"]);

type Step = Readonly<Record<string, unknown>>;
const on =
  (...operations: DataOperation[]) =>
  ({ operation }: Step): boolean =>
    operations.includes(operation as DataOperation);
const isJoin = (step: Step): boolean => on("merge")(step) && joinModes.has(step["mode"]);
const MAX_COUNT = 1_000_000_000;

export const dataStep = defineStepType({
  type: "data",
  title: "Data",
  description:
    "Filters, sorts, limits, deduplicates, groups or merges lists, splits out a list inside each item, or picks and renames fields. The output is the new list.",
  category: "data",
  synonyms: [
    "filter",
    "sort",
    "limit",
    "unique",
    "aggregate",
    "summarize",
    "join",
    "lookup",
    "append",
    "flatten",
    "rename",
    "remove",
    "table",
    "rows",
    "array",
    "pivot",
  ],
  fields: {
    operation: fixedChoice("What to do with the items.", dataOperations),
    items: list("The list, usually a placeholder."),
    field: text(
      "filter: the field to compare. split_out: the field with the list. A path such as customer.email; empty for the item itself.",
    ).optional(),
    operator: choice(
      "filter: how to compare, by the rules of the condition step.",
      filterOperators,
    ).optional(),
    value: anyValue("filter: the value to compare with; not needed for exists and empty.").optional(),
    conditions: list(
      'filter: more conditions, each an object {field, operator, value}, such as {"field": "total", "operator": "gt", "value": 100}.',
    ).optional(),
    match: choice('filter: with several conditions, whether "all" or "any" must hold; "all" by default.', [
      "all",
      "any",
    ]).optional(),
    with: list("merge: the second list.").optional(),
    mode: choice(
      'merge: "append" the second list, join by a key ("inner", "left", "right", "full"), or combine by "position"; "append" by default.',
      mergeModes,
    ).optional(),
    by: textList(
      'sort: the fields to sort by, with a minus for descending order ("-total"). deduplicate, group: the fields that make items equal. Joins: the field of the first list.',
    ).optional(),
    withBy: textList("Joins: the field of the second list, when it has another name.").optional(),
    keep: choice('deduplicate: which of several equal items stays; "first" by default.', [
      "first",
      "last",
    ]).optional(),
    aggregates: textRecord(
      `group: the fields to compute, such as {"orders": "count", "total": "sum(amount)"}. Functions: ${aggregateFunctions.join(", ")}. Without it each group has count and items.`,
    ).optional(),
    count: number("limit: how many items stay.", { min: 0, max: MAX_COUNT, whole: true }).optional(),
    skip: number("limit: how many items are left out before that.", {
      min: 0,
      max: MAX_COUNT,
      whole: true,
    }).optional(),
    from: choice('limit: whether to count from the "start" or the "end"; "start" by default.', [
      "start",
      "end",
    ]).optional(),
    as: text(
      "split_out: keeps the other fields of the item and puts each element in this field. merge: puts the item of the second list in this field; without it its fields are added, and win over fields of the same name.",
    ).optional(),
    fields: textList("pick: the fields to keep; all of them by default.").optional(),
    rename: textRecord('pick: fields to rename, such as {"customer.email": "email"}.').optional(),
    remove: textList("pick: the fields to remove.").optional(),
  },
  check: (step) => [...missing(step), ...notEmpty(step)],
  summary: (step) =>
    [operationWords[step["operation"] as DataOperation] ?? inWords(step["operation"]), detailOf(step)]
      .filter((part) => part !== "")
      .join(": "),
  initial: { operation: "filter", operator: "eq" },
  form: {
    operation: { label: "Operation", words: operationWords },
    items: { label: "Items", control: "line", example: "Type @ for a list of an earlier step" },
    field: {
      label: "Field",
      hint: "The field of the items, such as customer.email. Empty for the item itself.",
      common: true,
      example: "customer.email",
      applies: on("filter", "split_out"),
    },
    operator: {
      label: "Comparison",
      hint: "How to compare.",
      common: true,
      words: operatorWords,
      applies: on("filter"),
    },
    value: {
      label: "Compare with",
      hint: "The value to compare with.",
      common: true,
      example: "100",
      applies: (step) => on("filter")(step) && !unaryOperators.has(step["operator"]),
    },
    conditions: {
      label: "More conditions",
      hint: "Other comparisons of the same items.",
      control: "long",
      example: '[{ "field": "total", "operator": "gt", "value": 100 }]',
      applies: on("filter"),
    },
    match: {
      label: "Match",
      hint: "Whether all conditions must hold, or one is enough.",
      common: true,
      words: { all: "All conditions", any: "Any condition" },
      fallback: "all",
      applies: (step) => on("filter")(step) && step["conditions"] !== undefined,
    },
    by: {
      label: "By",
      hint: "The fields to sort, group or match by.",
      common: true,
      example: "customer.email",
      applies: (step) => on("sort", "deduplicate", "group")(step) || isJoin(step),
    },
    keep: {
      label: "Keep",
      hint: "Which of several equal items stays.",
      words: { first: "The first", last: "The last" },
      fallback: "first",
      applies: on("deduplicate"),
    },
    aggregates: {
      label: "Compute",
      hint: "The fields to compute for each group. Without one, each group has count and items.",
      common: true,
      applies: on("group"),
    },
    count: {
      label: "Number of items",
      hint: "How many items stay.",
      common: true,
      example: "10",
      applies: on("limit"),
    },
    skip: {
      label: "Skip",
      hint: "How many items are left out before that.",
      example: "0",
      applies: on("limit"),
    },
    from: {
      label: "From",
      hint: "Where to count from.",
      words: { start: "The start", end: "The end" },
      fallback: "start",
      applies: on("limit"),
    },
    with: {
      label: "Second list",
      hint: "The second list.",
      control: "line",
      common: true,
      example: "Type @ for a list of an earlier step",
      applies: on("merge"),
    },
    mode: {
      label: "Mode",
      hint: "How the two lists become one.",
      common: true,
      words: modeWords,
      fallback: "append",
      applies: on("merge"),
    },
    withBy: {
      label: "By (second list)",
      hint: "The field of the second list, when it has another name.",
      applies: isJoin,
    },
    as: {
      label: "Into field",
      hint: "The field that holds the element, or the item of the second list. Without it, their fields are added.",
      example: "line",
      applies: (step) =>
        on("split_out")(step) ||
        (on("merge")(step) && step["mode"] !== undefined && step["mode"] !== "append"),
    },
    fields: { label: "Keep fields", hint: "The fields to keep.", common: true, applies: on("pick") },
    rename: { label: "Rename", hint: "The fields to rename.", common: true, applies: on("pick") },
    remove: { label: "Remove fields", hint: "The fields to remove.", applies: on("pick") },
  },
  example: {
    stepId: "large-orders",
    type: "data",
    operation: "filter",
    items: "{{input.orders}}",
    field: "total",
    operator: "gt",
    value: 100,
  },
});

/** The fields without which an operation cannot run. */
function missing(step: Record<string, unknown>): FieldProblem[] {
  const needed: [field: string, isNeeded: boolean, message: string][] = [
    ["operator", on("filter")(step) && step["conditions"] === undefined, "is required to filter items"],
    [
      "value",
      on("filter")(step) && step["operator"] !== undefined && !unaryOperators.has(step["operator"]),
      "is required: it is the value to compare with",
    ],
    ["field", on("split_out")(step), "is required: it is the field with the list"],
    ["count", on("limit")(step), "is required: it is the number of items that stay"],
    ["with", on("merge")(step), "is required: it is the second list"],
    ["by", isJoin(step), "is required to join: it is the field that both lists share"],
  ];
  return needed
    .filter(([field, isNeeded]) => isNeeded && step[field] === undefined)
    .map(([field, , message]) => ({ code: "missing_field", field, message }));
}

function notEmpty(step: Record<string, unknown>): FieldProblem[] {
  const isEmpty =
    on("pick")(step) && ["fields", "rename", "remove"].every((field) => step[field] === undefined);
  return isEmpty
    ? [{ code: "missing_field", field: "fields", message: "is required, or rename or remove" }]
    : [];
}

function detailOf(step: Step): string {
  if (on("filter")(step)) {
    const operator = String(step["operator"] ?? "");
    const value = unaryOperators.has(step["operator"]) ? "" : ` ${inWords(step["value"])}`;
    return `${inWords(step["field"])} ${operatorWords[operator] ?? operator}${value}`.trim();
  }
  if (on("limit")(step)) return inWords(step["count"]);
  if (on("split_out")(step)) return inWords(step["field"]);
  const by = step["by"];
  if (!Array.isArray(by)) return inWords(by);
  return (on("sort")(step) ? by.map(orderInWords) : by).join(", ");
}

/** "total descending" for "-total". */
function orderInWords(by: unknown): string {
  const text = String(by);
  return text.startsWith("-") ? `${text.slice(1)} descending` : text;
}
