import { at, entriesAt, lookUp, numberOf, recordOf, textOf } from "../source/parameters.ts";
import { comparisonScript } from "./comparison-script.ts";
import type { Comparison, Comparisons } from "./comparison.ts";
import { patternOf } from "./pattern.ts";
import type { NodeContext } from "./node-context.ts";

const USUAL_OPERATIONS: Readonly<Record<string, string>> = { number: "smaller", dateTime: "after" };

/** The operation that version 1 leaves out of the file. */
export function usualOperation(type: string): string {
  return USUAL_OPERATIONS[type] ?? "equal";
}

/** `=Ann` without an expression is the text Ann. */
export function plainValue(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("=") && !value.includes("{{") ? value.slice(1) : value;
}

/** `if`, `filter` and the rules of `switch`: version 2 has a list, version 1 groups by type. */
export function readComparisons(conditions: unknown, combine: unknown, field: string): Comparisons {
  const list = entriesAt(conditions, "conditions").map((each, index) => ({
    left: each["leftValue"],
    right: plainValue(each["rightValue"]),
    type: textOf(at(each, "operator", "type")) || "string",
    operation: textOf(at(each, "operator", "operation")) || "equals",
    field: `${field}.conditions.${index}`,
  }));
  const options = at(conditions, "options");
  if (list.length > 0 || at(conditions, "combinator") !== undefined)
    return {
      match: at(conditions, "combinator") === "or" ? "any" : "all",
      list,
      isOlder: false,
      ignoresCase: at(options, "caseSensitive") === false,
      isLoose: at(options, "typeValidation") === "loose",
      isFalseTextTrue: (numberOf(at(options, "version")) ?? 1) < 2,
    };
  const older = ["boolean", "dateTime", "number", "string"].flatMap((type) =>
    entriesAt(conditions, type).map((each, index) => ({
      left: each["value1"],
      right: plainValue(each["value2"] ?? (type === "number" ? 0 : type === "boolean" ? false : "")),
      type,
      operation: textOf(each["operation"]) || usualOperation(type),
      field: `${field}.${type}.${index}`,
    })),
  );
  const isAny = combine === "any" || recordOf(combine)["value"] === "any";
  return { match: isAny ? "any" : "all", list: older, isOlder: true };
}

export interface ConditionFields {
  left: unknown;
  operator: string;
  right?: unknown;
  /** The outcome stands for the opposite: the edges change places. */
  isOpposite: boolean;
}

/** The fields of a condition step: with an operator where it decides as n8n does, or else with an expression. */
export function conditionFields(context: NodeContext, comparisons: Comparisons): ConditionFields {
  const { list, match } = comparisons;
  const [only] = list;
  if (only === undefined) {
    context.check("It has no comparison.");
    return { left: match === "all", operator: "eq", right: true, isOpposite: false };
  }
  const plain = list.length === 1 ? plainOperator(only, comparisons) : undefined;
  if (plain === undefined) {
    const left = `{{= ${comparisonsScript(context, comparisons)} }}`;
    return { left, operator: "eq", right: true, isOpposite: false };
  }
  const { operator, isOpposite = false, right } = plain;
  const left = context.value(only.left, `${only.field}.leftValue`) ?? "";
  return {
    left,
    operator,
    ...(right !== undefined && { right: context.value(right, `${only.field}.rightValue`) }),
    isOpposite,
  };
}

/** All comparisons as one JavaScript expression. */
export function comparisonsScript(context: NodeContext, comparisons: Comparisons): string {
  const { list, match } = comparisons;
  if (list.length === 0) return String(match === "all");
  return list
    .map((each) => comparisonScript(context, each, comparisons))
    .join(match === "any" ? " || " : " && ");
}

interface Operator {
  operator: string;
  right?: unknown;
  isOpposite?: boolean;
}

const ORDERS: Readonly<Record<string, string>> = {
  gt: "gt",
  larger: "gt",
  gte: "gte",
  largerEqual: "gte",
  lt: "lt",
  smaller: "lt",
  lte: "lte",
  smallerEqual: "lte",
};
const TEXTS: Readonly<Record<string, Operator>> = {
  contains: { operator: "contains" },
  startsWith: { operator: "startsWith" },
  endsWith: { operator: "endsWith" },
  notContains: { operator: "contains", isOpposite: true },
  notStartsWith: { operator: "startsWith", isOpposite: true },
  notEndsWith: { operator: "endsWith", isOpposite: true },
};

/** The operator of a condition step that decides as n8n does for every value; undefined when there is none. */
function plainOperator(
  { type, operation, right }: Comparison,
  { ignoresCase, isLoose, isOlder }: Comparisons,
): Operator | undefined {
  const isText = type === "string";
  // Lists and objects are compared as their JSON then.
  if (isText && isLoose === true && !/exists/i.test(operation)) return undefined;
  const ofText = isText && ignoresCase !== true ? lookUp(TEXTS, operation) : undefined;
  if (ofText !== undefined) return isLiteral(right) ? { ...ofText, right: String(right) } : undefined;
  const order = type === "number" ? lookUp(ORDERS, operation) : undefined;
  if (order !== undefined) return isDecidedAlike(order, right) ? { operator: order, right } : undefined;
  switch (operation) {
    case "exists":
    case "notExists":
      return { operator: "exists", isOpposite: operation === "notExists" };
    case "empty":
    case "isEmpty":
    case "notEmpty":
    case "isNotEmpty": {
      const isNot = operation === "notEmpty" || operation === "isNotEmpty";
      const hasContent = isOlder || isText || type === "array" || type === "object";
      return hasContent
        ? { operator: "empty", isOpposite: isNot }
        : { operator: "exists", isOpposite: !isNot };
    }
    case "true":
    case "false":
      return isLoose === true
        ? undefined
        : { operator: "eq", right: true, isOpposite: operation === "false" };
    case "equals":
    case "equal":
    case "notEquals":
    case "notEqual": {
      const isOpposite = operation.startsWith("not");
      if (isText && right === "" && !isOlder) return { operator: "empty", isOpposite };
      const isSure = isText ? ignoresCase !== true : type === "number" || (type === "boolean" && !isLoose);
      return isSure && isLiteral(right) ? { operator: "eq", right, isOpposite } : undefined;
    }
    case "regex":
    case "notRegex": {
      const pattern = ignoresCase === true ? undefined : patternOf(right);
      return pattern?.re2 === undefined
        ? undefined
        : { operator: "matches", right: pattern.re2, isOpposite: operation === "notRegex" };
    }
    default:
      return undefined;
  }
}

/** True when the case of a switch step decides as n8n does. */
export function isPlainEquality(
  comparison: Comparison | undefined,
  comparisons: Omit<Comparisons, "list" | "match">,
): boolean {
  if (comparison === undefined || !["equal", "equals"].includes(comparison.operation)) return false;
  return plainOperator(comparison, { ...comparisons, match: "all", list: [] })?.operator === "eq";
}

function isLiteral(value: unknown): boolean {
  return typeof value === "string"
    ? value !== "" && !value.startsWith("=")
    : typeof value === "number" || typeof value === "boolean";
}

/** A missing number is 0 in n8n and never in order here: they agree when 0 would not pass. */
function isDecidedAlike(operator: string, right: unknown): boolean {
  const limit = typeof right === "string" && right.trim() !== "" ? Number(right) : right;
  if (typeof limit !== "number" || !Number.isFinite(limit)) return false;
  if (operator === "gt") return limit >= 0;
  if (operator === "gte") return limit > 0;
  return operator === "lt" ? limit <= 0 : limit < 0;
}
