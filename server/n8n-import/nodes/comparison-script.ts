import type { Comparison, Comparisons } from "./comparison.ts";
import { patternOf } from "./pattern.ts";
import type { NodeContext } from "./node-context.ts";

/** A comparison as JavaScript, for any values that arrive in a run. */
export function comparisonScript(
  context: NodeContext,
  comparison: Comparison,
  { ignoresCase = false, isOlder, isLoose = false, isFalseTextTrue = false }: Comparisons,
): string {
  const { left, right, type, operation, field } = comparison;
  const a = `(${context.script(left ?? "", `${field}.leftValue`)})`;
  const b = `(${context.script(right ?? "", `${field}.rightValue`)})`;
  if (operation === "exists") return `${a} != null`;
  if (operation === "notExists") return `${a} == null`;
  const empty = /^(?:is)?(not)?empty$/i.exec(operation);
  if (empty !== null)
    return `${empty[1] === undefined ? "" : "!"}${emptyScript(a, { type, isOlder, isLoose })}`;
  const found =
    type === "boolean"
      ? booleanScript(operation, a, b, { isLoose, isFalseTextTrue })
      : type === "number" || type === "dateTime"
        ? orderScript(operation, a, b, { type, isOlder })
        : type === "array"
          ? listScript(operation, a, b, ignoresCase)
          : textScript(operation, a, b, { ignoresCase, isOlder, isLoose, right });
  if (type === "dateTime") context.check("Dates without a time zone are read in UTC here.");
  if (/regex/i.test(operation) && patternOf(right) === undefined)
    context.check("Write the pattern without slashes around it.");
  if (found !== undefined) return found;
  context.check(`The comparison "${operation.slice(0, 40)}" was not found; it compares for equality.`);
  return `String(${a} ?? "") === String(${b} ?? "")`;
}

function emptyScript(
  a: string,
  { type, isOlder, isLoose }: { type: string; isOlder: boolean; isLoose: boolean },
): string {
  if (type === "string" && isLoose) return `(${a} == null || ${a} === "")`;
  if (!isOlder && ["number", "boolean", "dateTime"].includes(type)) return `(${a} == null)`;
  return `(${a} == null || ${a} === "" || (typeof ${a} === "object" && Object.keys(${a}).length === 0))`;
}

function booleanScript(
  operation: string,
  a: string,
  b: string,
  { isLoose, isFalseTextTrue }: { isLoose: boolean; isFalseTextTrue: boolean },
): string | undefined {
  // "false", 0 and an empty list are false; of the rest, n8n takes what JavaScript does.
  const truth = (each: string): string =>
    isFalseTextTrue ? `!!${each}` : `(!!${each} && !/^(?:false|0|)$/i.test(String(${each})))`;
  const value = (each: string): string => (isLoose ? `(${each} == null ? null : ${truth(each)})` : each);
  switch (operation) {
    case "true":
      return `${value(a)} === true`;
    case "false":
      return `!${value(a)}`;
    case "equals":
    case "equal":
      return `${value(a)} === ${value(b)}`;
    case "notEquals":
    case "notEqual":
      return `${value(a)} !== ${value(b)}`;
    default:
      return undefined;
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  equals: "===",
  equal: "===",
  notEquals: "!==",
  notEqual: "!==",
  gt: ">",
  larger: ">",
  after: ">",
  gte: ">=",
  largerEqual: ">=",
  afterOrEquals: ">=",
  lt: "<",
  smaller: "<",
  before: "<",
  lte: "<=",
  smallerEqual: "<=",
  beforeOrEquals: "<=",
};

function orderScript(
  operation: string,
  a: string,
  b: string,
  { type, isOlder }: { type: string; isOlder: boolean },
): string | undefined {
  const sign = Object.hasOwn(SIGNS, operation) ? SIGNS[operation] : undefined;
  if (sign === undefined) return undefined;
  if (type === "dateTime") return `+new Date(${a}) ${sign} +new Date(${b})`;
  const isEquality = sign.length === 3;
  // n8n orders nothing (null) as 0, and never takes it for 0.
  const value = (each: string): string =>
    isOlder ? (isEquality ? each : `(${each} || 0)`) : `Number(${each}${isEquality ? " ?? NaN" : ""})`;
  return `${value(a)} ${sign} ${value(b)}`;
}

function listScript(operation: string, a: string, b: string, ignoresCase: boolean): string | undefined {
  const list = `(${a} ?? [])`;
  const folded = (each: string): string => `(typeof ${each} === "string" ? ${each}.toLowerCase() : ${each})`;
  const includes = ignoresCase
    ? `${list}.some((each) => ${folded("each")} === ${folded(b)})`
    : `${list}.includes(${b})`;
  const length = `${list}.length`;
  const lengths: Readonly<Record<string, string>> = {
    lengthEquals: "===",
    lengthNotEquals: "!==",
    lengthGt: ">",
    lengthGte: ">=",
    lengthLt: "<",
    lengthLte: "<=",
  };
  if (operation === "contains") return includes;
  if (operation === "notContains") return `!${includes}`;
  return Object.hasOwn(lengths, operation) ? `${length} ${lengths[operation]} Number(${b})` : undefined;
}

interface TextOptions {
  ignoresCase: boolean;
  isOlder: boolean;
  isLoose: boolean;
  right: unknown;
}

function textScript(
  operation: string,
  a: string,
  b: string,
  { ignoresCase, isOlder, isLoose, right }: TextOptions,
): string | undefined {
  const plain = (value: string): string =>
    isLoose && !/^\("[^"]*"\)$/.test(value)
      ? `((value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "")))${value}`
      : `String(${value} ?? "")`;
  const text = (value: string): string => `${plain(value)}${ignoresCase ? ".toLowerCase()" : ""}`;
  const pattern = patternOf(right);
  const test =
    pattern === undefined
      ? `new RegExp(${b}).test(${text(a)})`
      : `new RegExp(${JSON.stringify(pattern.source)}, ${JSON.stringify(pattern.flags)}).test(${text(a)})`;
  switch (operation) {
    case "equals":
    case "equal":
      return isOlder ? `${a} === ${b}` : `${text(a)} === ${text(b)}`;
    case "notEquals":
    case "notEqual":
      return isOlder ? `${a} !== ${b}` : `${text(a)} !== ${text(b)}`;
    case "contains":
      return `${text(a)}.includes(${text(b)})`;
    case "notContains":
      return `!${text(a)}.includes(${text(b)})`;
    case "startsWith":
    case "endsWith":
      return `${text(a)}.${operation}(${text(b)})`;
    case "notStartsWith":
      return `!${text(a)}.startsWith(${text(b)})`;
    case "notEndsWith":
      return `!${text(a)}.endsWith(${text(b)})`;
    case "regex":
      return test;
    case "notRegex":
      return `!${test}`;
    default:
      return undefined;
  }
}
