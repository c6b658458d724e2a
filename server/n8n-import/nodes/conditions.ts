import { at, entriesAt, recordOf, textOf, lookUp } from "../source/parameters.ts";
import type { Tools } from "./tools.ts";

/** A comparison of n8n, of any version of its nodes. */
export interface Comparison {
  left: unknown;
  right: unknown;
  type: string;
  operation: string;
  field: string;
}

export interface Comparisons {
  match: "all" | "any";
  list: Comparison[];
  ignoresCase?: boolean;
}

/** `if`, `filter` and the rules of `switch`: version 2 has a list, version 1 groups by type. */
export function readComparisons(conditions: unknown, combine: unknown, field: string): Comparisons {
  const list = entriesAt(conditions, "conditions").map((each, index) => ({
    left: each["leftValue"],
    right: each["rightValue"],
    type: textOf(at(each, "operator", "type")),
    operation: textOf(at(each, "operator", "operation")) || "equals",
    field: `${field}.conditions.${index}`,
  }));
  if (list.length > 0 || at(conditions, "combinator") !== undefined)
    return {
      match: at(conditions, "combinator") === "or" ? "any" : "all",
      list,
      ignoresCase: at(conditions, "options", "caseSensitive") === false,
    };
  const older = ["string", "number", "boolean", "dateTime"].flatMap((type) =>
    entriesAt(conditions, type).map((each, index) => ({
      left: each["value1"],
      right: each["value2"],
      type,
      operation:
        textOf(each["operation"]) ||
        (type === "number" ? "smaller" : type === "dateTime" ? "after" : "equal"),
      field: `${field}.${type}.${index}`,
    })),
  );
  return { match: combine === "any" || recordOf(combine)["value"] === "any" ? "any" : "all", list: older };
}

const OPERATORS: Readonly<Record<string, string>> = {
  equals: "eq",
  equal: "eq",
  notEquals: "ne",
  notEqual: "ne",
  gt: "gt",
  larger: "gt",
  after: "gt",
  gte: "gte",
  largerEqual: "gte",
  afterOrEquals: "gte",
  lt: "lt",
  smaller: "lt",
  before: "lt",
  lte: "lte",
  smallerEqual: "lte",
  beforeOrEquals: "lte",
  contains: "contains",
  startsWith: "startsWith",
  endsWith: "endsWith",
  regex: "matches",
  exists: "exists",
  empty: "empty",
  isEmpty: "empty",
  true: "true",
  false: "false",
};
const OPPOSITES: Readonly<Record<string, string>> = {
  notContains: "contains",
  notStartsWith: "startsWith",
  notEndsWith: "endsWith",
  notRegex: "matches",
  notExists: "exists",
  notEmpty: "empty",
  isNotEmpty: "empty",
};

export interface ConditionFields {
  left: unknown;
  operator: string;
  right?: unknown;
  /** The outcome stands for the opposite: the edges change places. */
  isOpposite: boolean;
}

/** The fields of a condition step. Several comparisons become one expression. */
export function conditionFields(tools: Tools, { match, list, ignoresCase }: Comparisons): ConditionFields {
  const [only] = list;
  if (ignoresCase) tools.check("n8n ignores upper and lower case here.");
  if (only === undefined) {
    tools.check("It has no comparison.");
    return { left: true, operator: "eq", right: true, isOpposite: false };
  }
  const opposite = lookUp(OPPOSITES, only.operation);
  const operator = opposite ?? lookUp(OPERATORS, only.operation);
  if (list.length > 1 || operator === undefined) {
    const left = `{{= ${comparisonsScript(tools, { match, list })} }}`;
    return { left, operator: "eq", right: true, isOpposite: false };
  }
  const left = tools.value(only.left, `${only.field}.leftValue`) ?? "";
  if (operator === "exists" || operator === "empty")
    return { left, operator, isOpposite: opposite !== undefined };
  if (operator === "true" || operator === "false")
    return { left, operator: "eq", right: operator === "true", isOpposite: false };
  if (operator === "matches") tools.check("Patterns are RE2 here.");
  const right = operator === "matches" ? patternOf(only.right) : only.right;
  return {
    left,
    operator,
    right: tools.value(right, `${only.field}.rightValue`) ?? "",
    isOpposite: opposite !== undefined,
  };
}

/** `/abc/i` without its slashes. */
function patternOf(right: unknown): unknown {
  const found = typeof right === "string" ? /^\/(.*)\/([a-z]*)$/s.exec(right) : null;
  return found === null ? right : `${found[2]?.includes("i") === true ? "(?i)" : ""}${found[1]}`;
}

export function comparisonsScript(tools: Tools, { match, list }: Comparisons): string {
  if (list.length === 0) return "true";
  return list.map((each) => comparisonScript(tools, each)).join(match === "any" ? " || " : " && ");
}

function comparisonScript(tools: Tools, { left, right, type, operation, field }: Comparison): string {
  const a = `(${tools.script(left ?? "", `${field}.leftValue`)})`;
  const b = `(${tools.script(right ?? "", `${field}.rightValue`)})`;
  const text = (value: string): string => `String(${value} ?? "")`;
  const isDate = type === "dateTime";
  const number = (value: string): string => (isDate ? `+new Date(${value})` : `Number(${value})`);
  const empty = `(${a} == null || ${a} === "" || Object.keys(Object(${a})).length === 0 && typeof ${a} === "object")`;
  switch (operation) {
    case "equals":
    case "equal":
      return type === "number" || isDate ? `${number(a)} === ${number(b)}` : `${text(a)} === ${text(b)}`;
    case "notEquals":
    case "notEqual":
      return type === "number" || isDate ? `${number(a)} !== ${number(b)}` : `${text(a)} !== ${text(b)}`;
    case "gt":
    case "larger":
    case "after":
      return `${number(a)} > ${number(b)}`;
    case "gte":
    case "largerEqual":
    case "afterOrEquals":
      return `${number(a)} >= ${number(b)}`;
    case "lt":
    case "smaller":
    case "before":
      return `${number(a)} < ${number(b)}`;
    case "lte":
    case "smallerEqual":
    case "beforeOrEquals":
      return `${number(a)} <= ${number(b)}`;
    case "contains":
      return `(${a} ?? "").includes(${b})`;
    case "notContains":
      return `!(${a} ?? "").includes(${b})`;
    case "startsWith":
    case "endsWith":
      return `${text(a)}.${operation}(${b})`;
    case "notStartsWith":
      return `!${text(a)}.startsWith(${b})`;
    case "notEndsWith":
      return `!${text(a)}.endsWith(${b})`;
    case "regex":
      return `new RegExp(${b}).test(${a})`;
    case "notRegex":
      return `!new RegExp(${b}).test(${a})`;
    case "exists":
      return `${a} != null`;
    case "notExists":
      return `${a} == null`;
    case "empty":
    case "isEmpty":
      return empty;
    case "notEmpty":
    case "isNotEmpty":
      return `!${empty}`;
    case "true":
      return `${a} === true`;
    case "false":
      return `${a} === false`;
    case "lengthEquals":
      return `${a}.length === Number(${b})`;
    case "lengthNotEquals":
      return `${a}.length !== Number(${b})`;
    case "lengthGt":
      return `${a}.length > Number(${b})`;
    case "lengthGte":
      return `${a}.length >= Number(${b})`;
    case "lengthLt":
      return `${a}.length < Number(${b})`;
    case "lengthLte":
      return `${a}.length <= Number(${b})`;
    default:
      tools.check(`The comparison "${operation.slice(0, 40)}" was not found; it compares for equality.`);
      return `${text(a)} === ${text(b)}`;
  }
}
